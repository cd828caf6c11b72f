import { expect, test } from 'vitest'
import { mapConfirmed } from '../../../src/http/page.js'
import type { OnInvalidRow } from '../../../src/http/page.js'

const changed = new Error('the schema changed')

interface Outcome {
  readonly result: unknown
  /** What happened, in order. */
  readonly steps: readonly string[]
}

/** Makes an answer that is empty where it holds no record, over a schema that is the same or not. */
async function answer(
  map: (onInvalidRow: OnInvalidRow) => readonly string[],
  isSame: boolean,
): Promise<Outcome> {
  const steps: string[] = []
  const result: unknown = await mapConfirmed({
    map,
    isEmpty: (records) => records.length === 0,
    confirm: () => {
      steps.push('confirmed')
      return isSame ? Promise.resolve() : Promise.reject(changed)
    },
    onInvalidRow: (_collection, id) => steps.push(`reported ${id}`),
  }).catch((error: unknown) => error)
  return { result, steps }
}

const skipOne = (onInvalidRow: OnInvalidRow): readonly string[] => {
  onInvalidRow('invoices', 'I1', 'total is NULL')
  return ['I2']
}
const failure = new Error('A stored record cannot be shown')
const failAtOne = (onInvalidRow: OnInvalidRow): never => {
  onInvalidRow('invoices', 'I1', 'total is NULL')
  throw failure
}
const failAtAll = (): never => {
  throw failure
}

test('an answer that shows every row is given without a look at the schema', async () => {
  expect(await answer(() => ['I1'], false)).toEqual({ result: ['I1'], steps: [] })
})

test('an empty answer is given only where the schema is the same', async () => {
  expect(await answer(() => [], true)).toEqual({ result: [], steps: ['confirmed'] })
  expect(await answer(() => [], false)).toEqual({ result: changed, steps: ['confirmed'] })
})

test('a row is left out, and reported, only where the schema is the same', async () => {
  expect(await answer(skipOne, true)).toEqual({ result: ['I2'], steps: ['confirmed', 'reported I1'] })
  expect(await answer(skipOne, false)).toEqual({ result: changed, steps: ['confirmed'] })
})

test('an answer fails because of a row only where the schema is the same', async () => {
  expect(await answer(failAtOne, true)).toEqual({ result: failure, steps: ['confirmed', 'reported I1'] })
  expect(await answer(failAtOne, false)).toEqual({ result: changed, steps: ['confirmed'] })
})

test('an answer that fails for another reason fails so only where the schema is the same', async () => {
  expect(await answer(failAtAll, true)).toEqual({ result: failure, steps: ['confirmed'] })
  expect(await answer(failAtAll, false)).toEqual({ result: changed, steps: ['confirmed'] })
})

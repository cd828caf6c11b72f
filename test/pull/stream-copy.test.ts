import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createStreamCopy } from '../../src/pull/copy.js'
import type { AnyRecord } from '../../src/pull/copy.js'
import { isClosedPipe } from '../../src/errors.js'
import { change } from '../support/copies.js'

const record = (id: string): AnyRecord => ({ id, name: 'a\u001b[2J\n' }) as never

test('each record is a line, in which control characters are escaped', async () => {
  const output = new PassThrough()
  const copy = createStreamCopy(output, null)
  await copy.write(change('s1', [record('a'), record('b')]))
  await copy.write(change('s2'))
  const text = String(output.read())
  expect(text).toMatch(/^[^\u001b]+$/)
  const lines = text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([record('a'), record('b')])
  expect([await copy.commit(), await copy.readState()]).toEqual([2, 's2'])
})

test('a page is saved when the stream has taken it', async () => {
  let take = (): void => undefined
  const output = new Writable({
    write: (_chunk, _encoding, done) => {
      take = done
    },
  })
  let saved = false
  const saving = createStreamCopy(output, null)
    .write(change('s1', [record('a')]))
    .then(() => (saved = true))
  await new Promise(setImmediate)
  expect(saved).toBe(false)
  take()
  await saving
})

test('a stream whose reader has closed it is an error that can be recognized', async () => {
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  const output = new Writable({
    write: (_chunk, _encoding, done) => {
      done(closed)
    },
  })
  const error = await createStreamCopy(output, null)
    .write(change('s1', [record('a')]))
    .catch((thrown: unknown) => thrown)
  expect([error, isClosedPipe(error), isClosedPipe(new Error('EPIPE'))]).toEqual([closed, true, false])
})

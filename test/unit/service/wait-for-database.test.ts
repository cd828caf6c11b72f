import { describe, expect, test } from 'vitest'
import { waitForDatabase } from '../../../src/service/wait-for-database.js'
import type { FailedAttempt } from '../../../src/service/wait-for-database.js'
import { databaseUnavailable } from '../../../src/database/errors.js'

const refused = databaseUnavailable(
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:3306'), { code: 'ECONNREFUSED', errno: -111 }),
)
const denied = databaseUnavailable(Object.assign(new Error('Access denied'), { errno: 1045 }))

interface Outcome {
  readonly error: unknown
  readonly attempts: number
  readonly failed: readonly FailedAttempt[]
  readonly tookMs: number
}

/** Waits for a database whose attempts fail as given, then succeed; the time passes only while it sleeps. */
async function wait(waitMs: number, failures: readonly Error[]): Promise<Outcome> {
  let [now, attempts] = [1000, 0]
  const failed: FailedAttempt[] = []
  const error: unknown = await waitForDatabase({
    attempt: () => {
      attempts += 1
      const failure = failures[attempts - 1]
      return failure === undefined ? Promise.resolve() : Promise.reject(failure)
    },
    waitMs,
    clock: () => now,
    sleep: (delayMs) => {
      now += delayMs
      return Promise.resolve()
    },
    onFailure: (one) => failed.push(one),
  }).catch((reason: unknown) => reason)
  return { error, attempts, failed, tookMs: now - 1000 }
}

const always = (error: Error): readonly Error[] => Array.from({ length: 100 }, () => error)

describe('the wait for the database at the start', () => {
  test('does not delay a database that answers', async () => {
    expect(await wait(30_000, [])).toEqual({ error: undefined, attempts: 1, failed: [], tookMs: 0 })
  })

  test('reports each failed attempt, and when the next one is', async () => {
    const { error, failed } = await wait(30_000, [refused, refused])
    const reason = 'connect ECONNREFUSED 127.0.0.1:3306'
    expect([error, failed]).toEqual([
      undefined,
      [
        { attempt: 1, reason, delayMs: 250 },
        { attempt: 2, reason, delayMs: 500 },
      ],
    ])
  })

  test('doubles its delays up to 5 seconds, and makes the last attempt when the time has passed', async () => {
    const { error, attempts, failed, tookMs } = await wait(30_000, always(refused))
    expect(failed.map(({ delayMs }) => delayMs)).toEqual([
      250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000, 2250,
    ])
    expect([error, attempts, tookMs]).toEqual([refused, 11, 30_000])
  })

  test('of 0 seconds is one attempt, reported only by its error', async () => {
    expect(await wait(0, always(refused))).toEqual({ error: refused, attempts: 1, failed: [], tookMs: 0 })
  })

  test.each([
    ['access denied', denied],
    ['a failure of the program', new TypeError('x')],
  ])('ends at once on %s', async (_, error) => {
    expect(await wait(30_000, [refused, error])).toMatchObject({ error, attempts: 2 })
  })

  test('names the code of an error without a text', async () => {
    const bare = databaseUnavailable(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))
    expect((await wait(1000, [bare])).failed).toEqual([{ attempt: 1, reason: 'ECONNREFUSED', delayMs: 250 }])
  })
})

import { isUnreachable } from '../database/errors.js'
import { Problem, toErrorText } from '../errors.js'

/** A failed attempt that is followed by another one. */
export interface FailedAttempt {
  /** From 1. */
  readonly attempt: number
  readonly reason: string
  /** Time to the next attempt. */
  readonly delayMs: number
}

interface WaitInput<Result> {
  /** What needs the database. @throws Problem when no host answers. */
  readonly attempt: () => Promise<Result>
  /** For how long attempts are repeated; 0 for one attempt. */
  readonly waitMs: number
  /** Milliseconds of a clock that never steps back. */
  readonly clock: () => number
  readonly sleep: (delayMs: number) => Promise<void>
  readonly onFailure: (failed: FailedAttempt) => void
}

/** The first delay; each one is twice the one before, up to the maximum. */
const delayMinMs = 250
const delayMaxMs = 5000

/**
 * Resolves to the result of the first attempt for which the database answers. While it cannot be reached, attempts are
 * repeated with backoff; the last one is at the end of the time.
 *
 * @throws Problem of the last attempt, or at once when a retry would not help: access denied, no such database.
 */
export async function waitForDatabase<Result>(input: WaitInput<Result>): Promise<Result> {
  const endsAt = input.clock() + input.waitMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await input.attempt()
    } catch (error) {
      const leftMs = endsAt - input.clock()
      const cause = error instanceof Problem ? error.cause : undefined
      if (leftMs <= 0 || !isUnreachable(cause)) throw error
      const delayMs = Math.ceil(Math.min(leftMs, delayMaxMs, delayMinMs * 2 ** (attempt - 1)))
      input.onFailure({ attempt, reason: toErrorText(cause), delayMs })
      await input.sleep(delayMs)
    }
  }
}

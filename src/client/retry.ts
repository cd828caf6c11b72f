const firstDelayMs = 500
const delayMaxMs = 30_000

/**
 * How long to wait before the next attempt, in milliseconds: twice as long each time, and never less than the
 * answer asked for. The jitter keeps many clients that failed together from coming back together.
 *
 * @param attempt how many have failed before this one.
 * @param random from 0 to 1.
 */
export function computeDelayMs(attempt: number, retryAfterMs: number | undefined, random: number): number {
  const half = Math.min(delayMaxMs, firstDelayMs * 2 ** attempt) / 2
  return Math.max(half, retryAfterMs ?? 0) + half * random
}

/** `Retry-After`, seconds or an HTTP date, in milliseconds from now; undefined for anything else. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Waits, but no longer than until the signal comes. @throws the signal's reason */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      // What a fetch would reject with: the caller's own reason, an Error or not.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

import { VitrineError } from './errors.js'
import { parseResponse, readResponse } from './response.js'
import type { ReceivedResponse } from './response.js'

/** Address, key and limits of the requests to one API. */
export interface Connection {
  /** With the base path, without a slash at the end. */
  readonly url: string
  readonly key: string
  readonly fetch: typeof fetch | undefined
  readonly retries: number
  readonly timeoutMs: number
  readonly retryAfterMaxMs: number
  /** From 0 to 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * Sends a GET request for a path below the base path, and retries transient errors.
 *
 * @returns the JSON value of the response.
 * @throws VitrineError, or the signal's reason.
 */
export type FetchJson = (path: string, signal: AbortSignal | undefined) => Promise<unknown>

const firstDelayMs = 500
const delayMaxMs = 30_000

/** Creates the function that sends requests over a connection. */
export function createFetchJson(connection: Connection): FetchJson {
  const { retries, retryAfterMaxMs, random } = connection
  return async (path, signal) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return parseResponse(await sendOnce(connection, path, signal))
      } catch (error) {
        if (!(error instanceof VitrineError) || !error.isPassing || attempt >= retries) throw error
        if ((error.retryAfterMs ?? 0) > retryAfterMaxMs) throw error
        await connection.wait(computeDelayMs(attempt, error.retryAfterMs, random()), signal)
      }
    }
  }
}

/**
 * The delay before the next attempt, in milliseconds: exponential backoff with jitter, and never less than
 * `Retry-After`. The jitter spreads the retries of many clients that failed at the same time.
 *
 * @param attempt failed attempts before this one.
 * @param random from 0 to 1.
 */
export function computeDelayMs(attempt: number, retryAfterMs: number | undefined, random: number): number {
  const half = Math.min(delayMaxMs, firstDelayMs * 2 ** attempt) / 2
  return Math.max(half, retryAfterMs ?? 0) + half * random
}

/** Resolves after a delay, or rejects when the signal is aborted. @throws the signal's reason */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      // As fetch rejects: with the caller's reason, which may be no Error.
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

async function sendOnce(
  { url, key, timeoutMs, fetch: customFetch }: Connection,
  path: string,
  signal: AbortSignal | undefined,
): Promise<ReceivedResponse> {
  signal?.throwIfAborted()
  const attempt = new AbortController()
  const timeout = new Error('timeout')
  const forwardAbort = (): void => {
    attempt.abort(signal?.reason)
  }
  const timer = setTimeout(() => {
    attempt.abort(timeout)
  }, timeoutMs)
  signal?.addEventListener('abort', forwardAbort)
  try {
    const headers = { accept: 'application/json', authorization: `Bearer ${key}` }
    const options = { headers, redirect: 'manual', signal: attempt.signal } as const
    return await readResponse(await (customFetch ?? fetch)(`${url}${path}`, options))
  } catch (cause) {
    signal?.throwIfAborted()
    if (attempt.signal.reason === timeout)
      throw new VitrineError('timeout', `No complete response within ${String(timeoutMs)} ms.`)
    throw new VitrineError('network_error', renderCause(cause), { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', forwardAbort)
  }
}

/** In Node the message is only "fetch failed"; the reason is in its cause. */
function renderCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'The request failed.'
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return `No complete response: ${cause.message === '' ? code || cause.name : cause.message}`
}

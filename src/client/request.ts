import { VitrineError } from './errors.js'
import { addHeaders } from './headers.js'
import type { ExtraHeaders } from './headers.js'
import { readResponse, toConnectionError } from './response.js'
import type { Answer } from './response.js'
import { renderHint } from './text.js'

/** Options of every call; those that are not given have the values of the client. */
export interface RequestOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of one attempt, its body included; 30 seconds by default. */
  readonly timeoutMs?: number | undefined
  /** Retries of each request after 408, 429, 5xx, a timeout or a network error; 5 by default. */
  readonly retries?: number | undefined
  /** Added to the headers of the client, and replace those of the same name. */
  readonly headers?: ExtraHeaders | undefined
}

/** The names of these options. */
export const requestOptions = ['signal', 'timeoutMs', 'retries', 'headers'] as const

/** A failed attempt that is retried. */
export interface RetryEvent {
  /** Below the base path, with the query. */
  readonly path: string
  /** Failed attempts of this request so far: 1 before the first retry. */
  readonly attempt: number
  /** Until the next attempt. */
  readonly delayMs: number
  readonly error: VitrineError
}

/** A key that expires soon. */
export interface KeyExpiryEvent {
  /** As in RFC 3339. */
  readonly expiresAt: string
  /** Whole days until then. */
  readonly daysLeft: number
}

/** Functions that observe requests. A returned promise is awaited. An error of a hook rejects the call, without a retry. */
export interface Hooks {
  /** Called before the delay that precedes a retry. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined
  /** Called for a response at most once a day, from 14 days before the key expires. */
  readonly onKeyExpiry?: ((event: KeyExpiryEvent) => unknown) | undefined
}

/** Address, headers and limits of the requests to one API. */
export interface Connection extends Hooks {
  /** With the base path, without a slash at the end. */
  readonly url: string
  /** With the key. */
  readonly headers: Headers
  readonly fetch?: typeof fetch | undefined
  readonly retries: number
  readonly timeoutMs: number
  /** From 0 to 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * Sends a GET request for a path below the base path, and retries transient errors.
 *
 * @param etag of the response that the caller has: if nothing changed since, the answer has no value.
 * @throws VitrineError, the signal's reason, what a hook threw, or TypeError for options that are not valid.
 */
export type Send = (path: string, options: RequestOptions, etag?: string | null) => Promise<Answer>

/** A request with the options of its call, or else of the client. */
interface Call {
  readonly path: string
  readonly headers: Headers
  readonly timeoutMs: number
  readonly retries: number
  readonly signal: AbortSignal | undefined
}

const firstDelayMs = 500
const delayMaxMs = 30_000
/** A response with a longer `Retry-After` is an error at once. */
const retryAfterMaxMs = 120_000

/** Creates the function that sends requests over a connection. */
export function createSend(connection: Connection): Send {
  const { random, onRetry } = connection
  const noteExpiry = watchExpiry(connection)
  return async (path, options, etag) => {
    const call = toCall(connection, path, options)
    if (etag) call.headers.set('if-none-match', etag)
    for (let attempt = 1; ; attempt += 1) {
      const answer = await receive(connection, call)
      await noteExpiry(answer)
      if (!(answer instanceof VitrineError)) return answer
      const { isTransient, retryAfterMs } = answer
      if (!isTransient || attempt > call.retries || (retryAfterMs ?? 0) > retryAfterMaxMs) throw answer
      const delayMs = computeDelayMs(attempt - 1, retryAfterMs, random())
      await onRetry?.({ path, attempt, delayMs, error: answer })
      await connection.wait(delayMs, call.signal)
    }
  }
}

const dayMs = 86_400_000

/** What is called for each attempt, to warn that the key expires. */
function watchExpiry({ onKeyExpiry }: Hooks): (answer: Answer | VitrineError) => Promise<void> {
  let warnedAt = -Infinity
  return async (answer) => {
    const response = answer instanceof VitrineError ? answer.lastResponse : answer.response
    const { keyExpiresAt: expiresAt = '' } = { ...response }
    const now = Date.now()
    const leftMs = Date.parse(expiresAt) - now
    if (!(leftMs < 14 * dayMs) || now - warnedAt < dayMs) return
    warnedAt = now
    await onKeyExpiry?.({ expiresAt, daysLeft: Math.max(0, Math.floor(leftMs / dayMs)) })
  }
}

/** @throws TypeError */
function toCall(connection: Connection, path: string, options: RequestOptions): Call {
  const { signal, timeoutMs = connection.timeoutMs, retries = connection.retries } = options
  const headers = new Headers(connection.headers)
  addHeaders(headers, options.headers)
  return { path, headers, signal, ...requireLimits({ timeoutMs, retries }) }
}

/** Checks numbers of options. @throws TypeError */
export function requireLimits<Limits extends Readonly<Record<string, number>>>(limits: Limits): Limits {
  for (const [name, value] of Object.entries(limits))
    if (!(value >= 0 && value < 2 ** 31)) throw new TypeError(`${name} is not a number from 0 to 2^31`)
  return limits
}

/**
 * The delay before the next attempt, in milliseconds: exponential backoff with jitter, and never less than
 * `Retry-After`. The jitter spreads the retries of many clients that failed at the same time.
 *
 * @param failures failed attempts before the last one.
 * @param random from 0 to 1.
 */
export function computeDelayMs(failures: number, retryAfterMs: number | undefined, random: number): number {
  const half = Math.min(delayMaxMs, firstDelayMs * 2 ** failures) / 2
  return Math.max(half, retryAfterMs ?? 0) + half * random
}

/** A signal that is aborted by another one, or after a time. `AbortSignal.any` would keep each of them in memory. */
function startTimer(ms: number, signal: AbortSignal | undefined) {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = (): void => {
    controller.abort(signal?.reason)
  }
  const timer = setTimeout(abort, ms)
  signal?.addEventListener('abort', abort)
  const stop = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, stop }
}

/** Resolves after a delay, or rejects when the signal is aborted. @throws the signal's reason */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const timer = startTimer(ms, signal)
  await new Promise((resolve) => {
    timer.signal.onabort = resolve
  })
  timer.stop()
  signal?.throwIfAborted()
}

/** One attempt. @throws the signal's reason */
async function receive(
  { url, fetch: customFetch }: Connection,
  { path, headers, timeoutMs, signal }: Call,
): Promise<Answer | VitrineError> {
  const timer = startTimer(timeoutMs, signal)
  try {
    const address = `${url}${path}`
    // A plain object, which a custom fetch can spread.
    const init = { headers: Object.fromEntries(headers), redirect: 'manual', signal: timer.signal } as const
    const response = await (customFetch ?? fetch)(address, init)
    return await readResponse(address, response, timer.signal, headers.has('if-none-match'))
  } catch (cause) {
    signal?.throwIfAborted()
    return timer.signal.aborted
      ? new VitrineError('timeout', `No complete response within ${String(timeoutMs)} ms.`)
      : toConnectionError(cause)
  } finally {
    timer.stop()
  }
}

/**
 * Checks the names of options: a filter that is not known would have no effect, and the call would return more than was
 * asked for.
 *
 * @throws TypeError
 */
export function requireKnownOptions(call: string, options: object, known: readonly string[]): void {
  // A program in JavaScript can pass anything.
  if (Object(options) !== options) throw new TypeError(`${call} takes its options as an object`)
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const hint = renderHint(name, known) || '.'
    throw new TypeError(`${call} has no option ${JSON.stringify(name)}${hint} It has ${known.join(', ')}.`)
  }
}

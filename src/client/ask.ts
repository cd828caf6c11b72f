import { readAnswer } from './answer.js'
import type { Answer } from './answer.js'
import { readBody } from './body.js'
import { VitrineError } from './errors.js'
import { computeDelayMs } from './retry.js'

/** What it takes to reach the API. */
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
 * Asks for a path below the base path, and again where that may help.
 *
 * @throws VitrineError, or the signal's reason.
 */
export type Ask = (path: string, signal: AbortSignal | undefined) => Promise<unknown>

/** The way to ask over a connection. */
export function createAsk(connection: Connection): Ask {
  const { retries, retryAfterMaxMs, random } = connection
  return async (path, signal) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return readAnswer(await askOnce(connection, path, signal))
      } catch (error) {
        if (!(error instanceof VitrineError) || !error.isPassing || attempt >= retries) throw error
        if ((error.retryAfterMs ?? 0) > retryAfterMaxMs) throw error
        await connection.wait(computeDelayMs(attempt, error.retryAfterMs, random()), signal)
      }
    }
  }
}

async function askOnce(
  connection: Connection,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  signal?.throwIfAborted()
  const attempt = new AbortController()
  const late = new Error('late')
  const pass = (): void => {
    attempt.abort(signal?.reason)
  }
  const timer = setTimeout(() => {
    attempt.abort(late)
  }, connection.timeoutMs)
  signal?.addEventListener('abort', pass)
  try {
    return await readWhole(connection, path, attempt.signal)
  } catch (cause) {
    signal?.throwIfAborted()
    if (attempt.signal.reason === late)
      throw new VitrineError('timeout', `No whole answer came in ${String(connection.timeoutMs)} ms.`)
    throw new VitrineError('network_error', renderCause(cause), { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', pass)
  }
}

async function readWhole(connection: Connection, path: string, signal: AbortSignal): Promise<Answer> {
  const answer = await (connection.fetch ?? fetch)(`${connection.url}${path}`, {
    headers: { accept: 'application/json', authorization: `Bearer ${connection.key}` },
    redirect: 'manual',
    signal,
  })
  // A browser keeps to itself where a redirect leads, and even its status.
  if (answer.type === 'opaqueredirect') return { status: 302, headers: answer.headers, text: '' }
  return { status: answer.status, headers: answer.headers, text: await readBody(answer) }
}

/** Node says why in the cause alone: "fetch failed" is its whole message. */
function renderCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'The request failed.'
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return `No whole answer came: ${cause.message === '' ? code || cause.name : cause.message}`
}

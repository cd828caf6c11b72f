import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fillKeys, renderCurl, toAuthorization } from './curl.js'
import type { KeyNames } from './curl.js'
import type { Call, Exchange, KeyName } from './exchange.js'
import { UnreachableError } from './send.js'
import type { RawAnswer, RawRequest, Sending } from './send.js'

/** A guarantee cannot be verified completely; the message says why. */
export class SkipError extends Error {
  override readonly name = 'SkipError'
}

/** The service answered before, and does so no longer. */
export class LostError extends SkipError {
  /** The request that got no answer. */
  readonly exchange: Pick<Exchange, 'curl' | 'headers'>

  constructor(reason: string, curl: string) {
    super(reason)
    this.exchange = { curl, headers: {} }
  }
}

/** The texts of the keys; those after the first are optional. */
export type KeyTexts = Readonly<Partial<Record<KeyName, string>>> & { readonly key: string }

/** Where requests go, and with what. */
export interface CallerInput {
  /** Without a slash at the end and without the base path. */
  readonly url: string
  readonly keys: KeyTexts
  readonly names: KeyNames
  readonly maxRequests: number
  readonly userAgent: string
  readonly sending: Pick<Sending, 'send'>
  /** Waits, in milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>
  /** Says what a run waits for. */
  readonly notify?: (text: string) => void
}

/** Sends requests within the limits of a run, and records them. */
export interface Caller {
  /**
   * @throws SkipError if no request is left, the service limits the rate for too long, or was lost before; LostError if it is not
   * available any longer; UnreachableError if it never was.
   */
  readonly ask: (call: Call) => Promise<Exchange>
  readonly wait: (ms: number) => Promise<unknown>
  /** Every exchange so far, in order. */
  readonly exchanges: readonly Exchange[]
  readonly requestsSent: () => number
}

/** The base path of the API. */
export const basePath = '/api/public/v1'

/** The longest time that a run waits for a service that is busy or not available, in seconds. */
const waitMaxSeconds = 120
const attemptsMax = 4
/** Statuses that say nothing about the guarantee: too many requests, or no service at the moment. */
const transient = new Set([429, 502, 503, 504])

type Sent = Exchange['call']

/** Why a request got no answer that says anything about a guarantee, after the last attempt. */
interface Failure {
  readonly reason: string
  /** Whether the service answers, but limits the rate. */
  readonly isLimited: boolean
  /** The request. */
  readonly curl: string
}

/** What every service answers. */
export const documentCall = { path: '/openapi.json', from: 'none' } as const

/** Opens a caller with all of its requests left. */
export function createCaller(input: CallerInput): Caller {
  const { maxRequests, sending, wait = delay } = input
  const exchanges: Exchange[] = []
  const pause = createPause({ ...input, wait })
  let sent = 0
  let lost: string | undefined

  const send = async (call: Sent, url: string): Promise<RawAnswer | UnreachableError> => {
    if (sent >= maxRequests) throw new SkipError(`--max-requests ${maxRequests} are used up`)
    sent += 1
    try {
      return await sending.send(toRequest(call, url, input))
    } catch (error) {
      if (error instanceof UnreachableError) return error
      throw error
    }
  }

  const tryOften = async (call: Sent): Promise<Exchange | Failure> => {
    const url = toUrl(call, input.url)
    const curl = renderCurl(call, url, input.names)
    for (let attempt = 1; ; attempt += 1) {
      const sentAt = Date.now()
      const answer = await send(call, url)
      if (!(answer instanceof UnreachableError)) {
        const exchange = { ...answer, call, url, sentAt, json: parse(answer), curl }
        exchanges.push(exchange)
        if (!transient.has(answer.status)) return exchange
      }
      // Nothing was reached so far: the address is wrong, or no service listens there.
      if (answer instanceof UnreachableError && exchanges.length === 0) throw answer
      const failure = toFailure(answer, curl)
      if (attempt === attemptsMax || !(await pause(readSeconds(answer, attempt), failure.reason)))
        return failure
    }
  }

  const ask = async (given: Call): Promise<Exchange> => {
    if (lost !== undefined) throw new SkipError(lost)
    const outcome = await tryOften({ from: 'key', ...given })
    if (!('reason' in outcome)) return outcome
    // Something on the way can refuse one request, and one statement can take too long.
    const other = outcome.isLimited ? outcome : await tryOften(documentCall)
    if (!('reason' in other) || other.isLimited) throw new SkipError(outcome.reason)
    lost = `the service stopped answering: ${outcome.reason}`
    throw new LostError(lost, outcome.curl)
  }
  return { ask, wait, exchanges, requestsSent: () => sent }
}

function toFailure(answer: RawAnswer | UnreachableError, curl: string): Failure {
  return answer instanceof UnreachableError
    ? { reason: answer.message, isLimited: false, curl }
    : { reason: `the service answers ${answer.status}`, isLimited: answer.status === 429, curl }
}

/** Waits for the service, for two minutes in all. The result is whether it waited. */
function createPause({ wait, notify }: Required<Pick<CallerInput, 'wait'>> & Pick<CallerInput, 'notify'>) {
  let waitedSeconds = 0
  return async (seconds: number, reason: string): Promise<boolean> => {
    if (waitedSeconds + seconds > waitMaxSeconds) return false
    waitedSeconds += seconds
    notify?.(`Waiting ${seconds} s: ${reason}`)
    await wait(seconds * 1000)
    return true
  }
}

/** `Retry-After`, which is a number of seconds in this API; longer each time where nothing answers, as in a restart. */
function readSeconds(answer: RawAnswer | UnreachableError, attempt: number): number {
  if (answer instanceof UnreachableError) return 2 ** (attempt - 1)
  const seconds = Number(answer.headers['retry-after'] ?? 1)
  return Number.isFinite(seconds) ? Math.max(1, seconds) : 1
}

function toRequest(call: Sent, text: string, input: CallerInput): RawRequest {
  const url = new URL(text)
  const target = fillKeys(text.slice(url.origin.length), (name) => encodeURIComponent(toKey(name, input)))
  return { url, target, method: call.method ?? 'GET', headers: toHeaders(call, url, input) }
}

function toUrl({ path, below = 'base', query = '' }: Call, url: string): string {
  const search =
    typeof query === 'string'
      ? query
      : new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return `${url}${below === 'base' ? basePath : ''}${path}${search === '' ? '' : `?${search}`}`
}

function toHeaders(call: Call, { host }: URL, input: CallerInput): Readonly<Record<string, string>> {
  const authorization = toAuthorization(call)
  const own = { ...(authorization === undefined ? {} : { authorization }), ...call.headers }
  const filled = Object.entries(own).map(([name, value]) => [
    name,
    fillKeys(value, (key) => toKey(key, input)),
  ])
  return {
    host,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': input.userAgent,
    ...(Object.fromEntries(filled) as Readonly<Record<string, string>>),
  }
}

function toKey(name: KeyName | 'swappedKey', { keys }: CallerInput): string {
  return name === 'swappedKey' ? swapCase(keys.key) : (keys[name] ?? '')
}

/** Capitals for small letters, and small letters for capitals. */
export function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
}

/** A byte order mark does not hide what follows: the guarantee `content-type` has the finding. */
function parse({ headers, body }: RawAnswer): unknown {
  const decode = decoders[headers['content-encoding'] ?? '']
  try {
    return JSON.parse((decode?.(body) ?? body).toString().replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fillKeys, renderCurl, toAuthorization } from './curl.js'
import type { KeyNames } from './curl.js'
import type { Call, Exchange, KeyName } from './exchange.js'
import type { RawAnswer, RawRequest, Sending } from './send.js'

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

/** Why a request has no answer that says anything about a guarantee. */
export interface Failure {
  readonly reason: string
  readonly curl: string
  /** The rate is limited, or no request is left: the service is there. */
  readonly isLimit: boolean
  /** The service answered before, and answers nothing any longer. Of the first such request alone. */
  readonly isLost?: true
}

/** Sends requests within the limits of a run, and records them. */
export interface Caller {
  readonly ask: (call: Call) => Promise<Exchange | Failure>
  readonly wait: (ms: number) => Promise<unknown>
  /** Every exchange so far, in order. */
  readonly exchanges: readonly Exchange[]
  readonly requestsSent: () => number
}

/** The base path of the API. */
export const basePath = '/api/public/v1'

/** What every service answers. */
export const documentCall = { path: '/openapi.json', from: 'none' } as const

/** The longest time that a run waits for a service that is busy or not available, in seconds. */
const waitMaxSeconds = 120
const attemptsMax = 4
/** Statuses that say nothing about the guarantee: too many requests, or no service at the moment. */
const transient = new Set([429, 502, 503, 504])

/** Opens a caller with all of its requests left. */
export function createCaller(input: CallerInput): Caller {
  const { maxRequests, sending, wait = delay, notify } = input
  const exchanges: Exchange[] = []
  let [sent, waitedSeconds] = [0, 0]
  let lost: Failure | undefined

  const pause = async (seconds: number, reason: string): Promise<boolean> => {
    if (waitedSeconds + seconds > waitMaxSeconds) return false
    waitedSeconds += seconds
    notify?.(`Waiting ${seconds} s: ${reason}`)
    await wait(seconds * 1000)
    return true
  }

  const askOften = async (call: Exchange['call']): Promise<Exchange | Failure> => {
    const url = toUrl(call, input.url)
    const curl = renderCurl(call, url, input.names)
    for (let attempt = 1; ; attempt += 1) {
      if (sent >= maxRequests)
        return { reason: `--max-requests ${maxRequests} are used up`, curl, isLimit: true }
      sent += 1
      const sentAt = Date.now()
      const answer = await sending.send(toRequest(call, url, input))
      if (typeof answer !== 'string') {
        const exchange = { ...answer, call, url, sentAt, json: parse(answer), curl }
        exchanges.push(exchange)
        if (!transient.has(answer.status)) return exchange
      }
      const failure = toFailure(answer, curl)
      // Nothing was reached so far: the address is wrong, or no service listens there.
      const isLast = attempt === attemptsMax || exchanges.length === 0
      if (isLast || !(await pause(readSeconds(answer, attempt), failure.reason))) return failure
    }
  }

  const ask = async (given: Call): Promise<Exchange | Failure> => {
    if (lost !== undefined) return lost
    const outcome = await askOften({ from: 'key', ...given })
    if (!('reason' in outcome) || outcome.isLimit || exchanges.length === 0) return outcome
    // Something on the way can refuse one request, and one statement can take too long.
    const other = await askOften(documentCall)
    if (!('reason' in other) || other.isLimit) return outcome
    lost = { ...outcome, reason: `the service stopped answering: ${outcome.reason}` }
    return { ...lost, isLost: true }
  }
  return { ask, wait, exchanges, requestsSent: () => sent }
}

function toFailure(answer: RawAnswer | string, curl: string): Failure {
  return typeof answer === 'string'
    ? { reason: answer, curl, isLimit: false }
    : { reason: `the service answers ${answer.status}`, curl, isLimit: answer.status === 429 }
}

/** `Retry-After`, which is a number of seconds in this API; longer each time where nothing answers, as in a restart. */
function readSeconds(answer: RawAnswer | string, attempt: number): number {
  if (typeof answer === 'string') return 2 ** (attempt - 1)
  const seconds = Number(answer.headers['retry-after'] ?? 1)
  return Number.isFinite(seconds) ? Math.max(1, seconds) : 1
}

function toUrl({ path, query = '' }: Call, url: string): string {
  const search =
    typeof query === 'string'
      ? query
      : new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return `${url}${basePath}${path}${search === '' ? '' : `?${search}`}`
}

function toRequest(call: Call, text: string, { keys, userAgent }: CallerInput): RawRequest {
  const url = new URL(text)
  const toKey = (name: KeyName): string => keys[name] ?? ''
  const authorization = toAuthorization(call)
  const own = { ...(authorization === undefined ? {} : { authorization }), ...call.headers }
  const filled = Object.entries(own).map(([name, value]) => [name, fillKeys(value, toKey)] as const)
  return {
    url,
    target: fillKeys(text.slice(url.origin.length), (name) => encodeURIComponent(toKey(name))),
    method: call.method ?? 'GET',
    headers: {
      host: url.host,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...Object.fromEntries(filled),
    },
  }
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
}

/** A byte order mark does not hide what follows: the guarantee `content-type` has the finding. */
function parse({ headers, body }: RawAnswer): unknown {
  try {
    const decoded = decoders[headers['content-encoding'] ?? '']?.(body) ?? body
    return JSON.parse(decoded.toString().replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

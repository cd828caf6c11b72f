import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { basePath, bodyMax, parseJson } from '../../client/forms.js'
import { noAnswer } from './answer.js'
import type { Call, Exchange, KeyName } from './answer.js'
import type { RawAnswer, RawRequest, Send } from './send.js'

/** The texts of the keys; those after the first are optional. */
export type KeyTexts = Readonly<Partial<Record<KeyName, string>>> & { readonly key: string }

/** Where requests go, and with what. */
export interface CallerInput {
  /** Without a slash at the end and without the base path. */
  readonly url: string
  readonly keys: KeyTexts
  /** The environment variables of the keys, as the command line named them. */
  readonly names: Readonly<Partial<Record<KeyName, string | undefined>>>
  readonly maxRequests: number
  readonly userAgent: string
  readonly send: Send
  /** Waits, in milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>
  /** Says what a run waits for. */
  readonly notify?: (text: string) => void
}

/** Sends requests within the limits of a run, and records them. */
export interface Caller {
  /** An exchange with a `failure` says nothing about a guarantee. */
  readonly ask: (call: Call) => Promise<Exchange>
  /** Every answer so far, in order. */
  readonly exchanges: readonly Exchange[]
  readonly requestsSent: () => number
}

/** What every service answers. */
export const documentCall = { path: '/openapi.json', from: 'none' } as const

/** The longest time that a run waits for a service that is busy or not available, in seconds. */
const waitMaxSeconds = 120
const attemptsMax = 4
/** Statuses that say nothing about the guarantee: too many requests, or no service at the moment. */
const transient = new Set([429, 502, 503, 504])

/** Opens a caller with all of its requests left. */
export function createCaller(input: CallerInput): Caller {
  const { maxRequests, send, wait = delay, notify } = input
  const exchanges: Exchange[] = []
  let [sent, waitedSeconds] = [0, 0]
  let lost: string | undefined

  const pause = async (seconds: number, reason: string): Promise<boolean> => {
    if (waitedSeconds + seconds > waitMaxSeconds) return false
    waitedSeconds += seconds
    notify?.(`Waiting ${seconds} s: ${reason}`)
    await wait(seconds * 1000)
    return true
  }

  const askOnce = async (call: Call): Promise<Exchange> => {
    const { request, ...none } = prepare(call, input)
    if (sent >= maxRequests) return { ...none, failure: `--max-requests ${maxRequests} are used up` }
    sent += 1
    const sentAt = Date.now()
    const answer = await send(request)
    const exchange = { ...none, ...answer, sentAt, json: parse(answer) }
    if (answer.status > 0) exchanges.push(exchange)
    return transient.has(answer.status)
      ? { ...exchange, failure: `the service answers ${answer.status}` }
      : exchange
  }

  const askOften = async (call: Call): Promise<Exchange> => {
    for (let attempt = 1; ; attempt += 1) {
      const exchange = await askOnce(call)
      const { failure } = exchange
      // Where nothing was reached so far, the address is wrong, or no service listens there.
      if (failure === undefined || attempt === attemptsMax || exchanges.length === 0) return exchange
      if (sent >= maxRequests || !(await pause(readSeconds(exchange, attempt), failure))) return exchange
    }
  }

  const ask = async (call: Call): Promise<Exchange> => {
    if (lost !== undefined) return { ...noAnswer(call), failure: lost }
    const exchange = await askOften(call)
    const { failure, status } = exchange
    if (failure === undefined || status === 429 || sent >= maxRequests || exchanges.length === 0)
      return exchange
    // Something on the way can refuse one request, and one statement can take too long.
    if (call === documentCall || (await ask(documentCall)).failure === undefined) return exchange
    lost = `the service stopped answering: ${failure}`
    return { ...exchange, failure: lost, isLost: true }
  }
  return { ask, exchanges, requestsSent: () => sent }
}

/** `Retry-After`, which is a number of seconds in this API; longer each time where nothing answers, as in a restart. */
function readSeconds({ status, headers }: Exchange, attempt: number): number {
  if (status === 0) return 2 ** (attempt - 1)
  return Math.max(1, Number(headers['retry-after'] ?? 1) || 1)
}

function fillKeys(text: string, toKey: (name: KeyName) => string): string {
  return text.replace(/\{(key|otherKey|scopedKey|revokedKey)\}/g, (_, name: KeyName) => toKey(name))
}

/** A request as it is sent, and all that is known of its exchange before the answer: address and curl command without keys. */
function prepare(call: Call, input: CallerInput): Exchange & { readonly request: RawRequest } {
  const { method = 'GET', path, query = '', from = 'key', headers = {} } = call
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`])
  const search = typeof query === 'string' ? query : new URLSearchParams(pairs).toString()
  const url = `${input.url}${basePath}${path}${search === '' ? '' : `?${search}`}`
  const own = { ...(from === 'none' ? {} : { authorization: `Bearer {${from}}` }), ...headers }
  const parsed = new URL(url)
  const toKey = (name: KeyName): string => input.keys[name] ?? ''
  const request = {
    url: parsed,
    target: fillKeys(url.slice(parsed.origin.length), (name) => encodeURIComponent(toKey(name))),
    method,
    headers: {
      host: parsed.host,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': input.userAgent,
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fillKeys(value, toKey)])),
    },
  }
  return { ...noAnswer(call), url, curl: renderCurl(method, url, own, input.names), request }
}

/** A command that can be run where the variables of the keys are set. It never contains a key. */
function renderCurl(method: string, url: string, headers: object, names: CallerInput['names']): string {
  const quote = (text: string): string => {
    const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`
    return fillKeys(quoted, (name) => `'"\${${names[name] ?? ''}}"'`).replace(/''$/, '')
  }
  return [
    'curl -sS -i',
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '--head' : `-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${String(value)}`)}`),
    quote(url),
  ].join(' ')
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body, { maxOutputLength: bodyMax }),
  br: (body) => brotliDecompressSync(body, { maxOutputLength: bodyMax }),
}

function parse({ headers, body }: RawAnswer): unknown {
  try {
    return parseJson(String(decoders[headers['content-encoding'] ?? '']?.(body) ?? body))
  } catch {
    return undefined
  }
}

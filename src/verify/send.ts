import http from 'node:http'
import https from 'node:https'

/** One request as it is sent. */
export interface RawRequest {
  readonly url: URL
  /** Path and query exactly as they are sent. */
  readonly target: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** No answer came; the message says why, for the person who gave the address. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** Sends requests over one connection, one after the other. */
export interface Sending {
  readonly send: (request: RawRequest) => Promise<RawAnswer>
  readonly close: () => void
}

/** The longest body that is read, in bytes; the OpenAPI document has 60 KB. */
const bodyMax = 8 * 1024 * 1024

/** Opens a sender. Nothing is followed, decoded or repeated here. @param timeoutMs for a whole answer */
export function openSending(timeoutMs: number): Sending {
  const options = { keepAlive: true, maxSockets: 1 }
  const agents = { http: new http.Agent(options), https: new https.Agent(options) }
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const fail = (error: Error): void => {
          reject(new ConnectionError(explain(error, request.url, timeoutMs), { cause: error }))
        }
        try {
          sendOne(request, { agents, timeoutMs, resolve, fail })
        } catch (error) {
          fail(error as Error)
        }
      }),
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

interface Exits {
  readonly agents: { readonly http: http.Agent; readonly https: https.Agent }
  readonly timeoutMs: number
  readonly resolve: (answer: RawAnswer) => void
  readonly fail: (error: Error) => void
}

function sendOne(
  { url, target, method, headers }: RawRequest,
  { agents, timeoutMs, resolve, fail }: Exits,
): void {
  const isTls = url.protocol === 'https:'
  const request = (isTls ? https : http).request({
    // Without the brackets of an IPv6 address.
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : Number(url.port),
    agent: isTls ? agents.https : agents.http,
    path: target,
    method,
    headers,
  })
  const timer = setTimeout(() => request.destroy(new TimeoutError()), timeoutMs)
  let isAnswered = false
  request.on('response', (response) => {
    isAnswered = true
    const chunks: Buffer[] = []
    let length = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > bodyMax) response.destroy(new Error(`The answer is longer than ${bodyMax} bytes`))
    })
    response.on('error', fail)
    response.on('end', () => {
      clearTimeout(timer)
      resolve({
        status: response.statusCode ?? 0,
        headers: joinHeaders(response),
        body: Buffer.concat(chunks),
      })
    })
  })
  request.on('error', (error) => {
    clearTimeout(timer)
    // A server that refuses a request early closes the connection while the rest is still being sent.
    if (!isAnswered || error instanceof TimeoutError) fail(error)
  })
  request.on('close', () => {
    clearTimeout(timer)
    // Without effect after an answer.
    fail(new Error('The connection was closed before the answer was complete'))
  })
  request.end()
}

class TimeoutError extends Error {}

function joinHeaders({ headersDistinct }: http.IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  )
}

/** Why no answer came, by codes of Node and of OpenSSL. */
function explain(error: Error, { hostname, host }: URL, timeoutMs: number): string {
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof TimeoutError)
    return `${host} sent no complete answer within ${timeoutMs / 1000} seconds.`
  const causes: readonly (readonly [codes: RegExp, text: string])[] = [
    [/^(?:ENOTFOUND|EAI_AGAIN)$/, `The host name ${hostname} cannot be resolved (${code}).`],
    [/^ECONNREFUSED$/, `${host} refuses connections (${code}).`],
    [
      /CERT|ISSUER|SIGNATURE/,
      `The TLS certificate of ${host} is not accepted: ${error.message} (${code}). NODE_EXTRA_CA_CERTS can name a PEM file with the certificate of its authority.`,
    ],
    [/^(?:EPROTO|ERR_SSL|ERR_TLS)/, `${host} does not speak TLS, which https needs (${code}).`],
    [/^HPE_/, `${host} does not answer in HTTP/1.1 (${code}).`],
  ]
  const known = causes.find(([codes]) => codes.test(code))?.[1]
  return known ?? `The connection to ${host} failed: ${error.message === '' ? code : error.message}`
}

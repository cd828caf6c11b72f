import { Agent, createServer, request as sendRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

/** A request as the caller sent it, or as a change sends it on. */
export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

/** An answer. The body is not compressed here: the proxy encodes it again as `content-encoding` says. */
export interface Answer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
  /** Whether the body is sent as it is, whatever `content-encoding` says. */
  readonly isEncoded?: boolean
}

/** One request on its way through the proxy. */
export interface Exchange {
  readonly asked: Asked
  /** Sends the request to the service, with these differences. */
  readonly forward: (differences?: Partial<Asked>) => Promise<Answer>
}

/** What a proxy does with each request: the answer of the service, or another one. */
export type Change = (exchange: Exchange) => Promise<Answer>

/** A proxy before a service. */
export interface BreakingProxy {
  readonly origin: string
  /** Every request that reached it, as method and target, in order. */
  readonly seen: readonly string[]
  readonly close: () => Promise<void>
}

/** The change that changes nothing. */
export const changeNothing: Change = ({ forward }) => forward()

/** Headers of one connection, which are not sent on, and those that the proxy sets itself. */
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length']

const encoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gzipSync(body),
  br: (body) => brotliCompressSync(body),
}
const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
}

/** Starts a proxy before a service, which changes its answers. */
export async function startBreakingProxy(service: string, change: Change): Promise<BreakingProxy> {
  const agent = new Agent({ keepAlive: true })
  const seen: string[] = []
  const server = createServer((incoming, response) => {
    incoming.resume()
    const asked = toAsked(incoming)
    seen.push(`${asked.method} ${asked.target}`)
    const exchange: Exchange = {
      asked,
      forward: (differences) => forward(service, agent, { ...asked, ...differences }),
    }
    Promise.resolve(exchange)
      .then(change)
      .catch((error: unknown) => toFailure(error))
      .then((answer) => {
        const { headers, body } = encode(answer)
        response.writeHead(answer.status, headers)
        response.end(asked.method === 'HEAD' ? undefined : body)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
        agent.destroy()
      }),
  }
}

/** A mistake of a change, which the test then sees as a finding that nobody expects. */
function toFailure(error: unknown): Answer {
  return { status: 500, headers: { 'content-type': 'text/plain' }, body: Buffer.from(String(error)) }
}

function toAsked({ method = 'GET', url = '/', headers }: IncomingMessage): Asked {
  return { method, target: url, headers }
}

/** A HEAD is sent as the GET that it stands for: both have the same headers after a change. */
async function forward(service: string, agent: Agent, asked: Asked): Promise<Answer> {
  const method = asked.method === 'HEAD' ? 'GET' : asked.method
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method, headers: withoutHops(asked.headers), agent }
    const sent = sendRequest(service + asked.target, options, resolve)
    sent.on('error', reject)
    sent.end()
  })
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const decode = decoders[incoming.headers['content-encoding'] ?? '']
  return {
    status: incoming.statusCode ?? 0,
    headers: withoutHops(incoming.headers),
    body: body.length > 0 && decode !== undefined ? decode(body) : body,
  }
}

function withoutHops<Headers extends OutgoingHttpHeaders>(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name))) as Headers
}

/** A change may send a length of its own. */
function encode({ status, headers, body, isEncoded = false }: Answer): Pick<Answer, 'headers' | 'body'> {
  if (status === 304) return { headers, body: Buffer.alloc(0) }
  const encode = isEncoded ? undefined : encoders[String(headers['content-encoding'])]
  const encoded = encode?.(body) ?? body
  return { headers: { 'content-length': encoded.length, ...headers }, body: encoded }
}

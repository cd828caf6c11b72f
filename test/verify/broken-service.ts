import { randomUUID } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'
import type { RawAnswer, RawRequest, Send } from '../../src/tools/verify/send.js'
import { startScript } from '../support/scripted-server.js'

/** A request as the caller sent it, or as a change sends it on. The target is path and query. */
export type Asked = Pick<RawRequest, 'method' | 'target' | 'headers'>

/** An answer. The body is not compressed here: it is encoded again as `content-encoding` says. */
export type Answer = RawAnswer

/** Sends a request to the service, with these differences. */
export type Forward = (differences?: Partial<Asked>) => Promise<Answer>

/** What is done with each request: the answer of the service, or another one. */
export type Change = (asked: Asked, forward: Forward) => Answer | Promise<Answer>

const codecs: Readonly<
  Record<string, readonly [decode: (body: Buffer) => Buffer, encode: (body: Buffer) => Buffer]>
> = {
  gzip: [gunzipSync, (body) => gzipSync(body, { level: 1 })],
  br: [
    brotliDecompressSync,
    (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  ],
}

/** Headers that the answer gets anew. */
const replaced = ['connection', 'keep-alive', 'transfer-encoding', 'content-length']

type Ask = (asked: Asked) => Promise<Answer>

/** Asks a service. A HEAD is sent as the GET that it stands for: both have the same headers after a change. */
export function askService(send: Send, origin: string): Ask {
  return async ({ method, target, headers }) => {
    const sent = { url: new URL(origin), target, method: method === 'HEAD' ? 'GET' : method, headers }
    const answer = await send(sent)
    if (answer.failure !== undefined) throw new Error(answer.failure)
    const [decode] = codecs[answer.headers['content-encoding'] ?? ''] ?? []
    const kept = Object.entries(answer.headers).filter(([name]) => !replaced.includes(name))
    return {
      status: answer.status,
      headers: Object.fromEntries(kept),
      body: decode === undefined || answer.body.length === 0 ? answer.body : decode(answer.body),
    }
  }
}

/** Asks a service whose data do not change: the same is asked once, and each answer has an id of its own. */
export function rememberAnswers(ask: Ask): Ask {
  const known = new Map<string, Promise<Answer>>()
  return async (asked) => {
    if (asked.headers['x-request-id'] !== undefined) return ask(asked)
    const place = JSON.stringify(asked)
    const answer = known.get(place) ?? ask(asked)
    known.set(place, answer)
    return renewId(await answer)
  }
}

function renewId(answer: Answer): Answer {
  const { 'x-request-id': id = '' } = answer.headers
  const fresh = randomUUID()
  const body = answer.status < 400 ? answer.body : Buffer.from(answer.body.toString().replaceAll(id, fresh))
  return { ...answer, headers: { ...answer.headers, 'x-request-id': fresh }, body }
}

/** Sends requests to a service whose answers are changed. */
export function breakService(service: Ask, change: Change): Send {
  return async ({ method, target, headers }) => {
    const asked = { method, target, headers }
    const answer = await change(asked, (differences) => service({ ...asked, ...differences }))
    return encode(answer, method)
  }
}

/** A change may send a length of its own. */
function encode({ status, headers, body }: Answer, method: string): RawAnswer {
  const [, encodeBody] = codecs[headers['content-encoding'] ?? ''] ?? []
  const encoded = encodeBody?.(body) ?? body
  if (status === 304) return { status, headers, body: Buffer.alloc(0) }
  const own = { 'content-length': `${encoded.length}`, ...headers }
  return { status, headers: own, body: method === 'HEAD' ? Buffer.alloc(0) : encoded }
}

/** A server that answers as a broken service does. @returns its address */
export async function startBroken(send: Send): Promise<string> {
  const service = new URL('http://service')
  const { url } = await startScript((response, { method = 'GET', url: target = '/', headers }) => {
    const sent = headers as RawRequest['headers']
    void send({ url: service, target, method, headers: sent }).then((answer) => {
      if (answer.failure !== undefined) throw new Error(answer.failure)
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  return url
}

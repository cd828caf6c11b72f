import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { bodyMax } from '../../client/forms.js'
import { explainFailure } from '../../client/text.js'

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
  /** Why no answer came, for the person who gave the address; the status is 0 then. */
  readonly failure?: string
}

/** Sends a request. Connections are kept and used again where the request does not close them. */
export type Send = (request: RawRequest) => Promise<RawAnswer>

/** What sends requests. Nothing is followed, decoded or repeated here. @param timeoutMs for a whole answer */
export function createSend(timeoutMs: number): Send {
  return async ({ url, target, method, headers }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { request } = url.protocol === 'https:' ? https : http
    try {
      return await readAnswer(request({ ...urlToHttpOptions(url), path: target, method, headers, signal }))
    } catch (error) {
      const failure = signal.aborted
        ? `${url.host} sent no complete answer within ${timeoutMs / 1000} seconds.`
        : `The connection to ${url.host} failed: ${explainFailure(error)}. --url must be the address of a service that is running.`
      return { status: 0, headers: {}, body: Buffer.alloc(0), failure }
    }
  }
}

async function readAnswer(request: http.ClientRequest): Promise<RawAnswer> {
  // A server that refuses a request early closes the connection while the rest is still being sent.
  request.on('error', () => undefined)
  request.end()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > bodyMax) throw new Error(`The answer is longer than ${bodyMax} bytes`)
  }
  const headers = Object.entries(response.headersDistinct).map(([name, all = []]) => [name, all.join(', ')])
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers) as RawAnswer['headers'],
    body: Buffer.concat(chunks),
  }
}

import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterFile } from './after-file.js'

/** Responds to one request; without a response, the request stays open until the end of the file. */
export type Script = (response: ServerResponse, request: IncomingMessage) => void

/** Starts a server that responds to each request with the next script, and then always with the last. */
export async function startScript(...scripts: readonly Script[]) {
  /** Path with query, and `Authorization` of each request. */
  const requests: [path: string, authorization: string | undefined][] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    requests.push([request.url ?? '', request.headers.authorization])
    headers.push(request.headers)
    const script = scripts[Math.min(requests.length, scripts.length) - 1]
    script?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, headers }
}

/** Responds with a JSON value. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(JSON.stringify(value))
  }
}

/** Responds with a problem. */
export function problem(
  code: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Script {
  const body = { type: 'x', title: 'x', status, detail: `It was ${code}.`, code, requestId: 'r-1' }
  return json(body, status, { 'content-type': 'application/problem+json', ...headers })
}

/** Responds with an error page, as a proxy does. */
export function html(status: number): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html', 'x-request-id': 'p-1' })
    response.end('<html><h1>Sorry</h1></html>')
  }
}

/** Instants as `nextUpdatedSince`, and the text of a query with their names: `updatedSince=N1`. */
export const [N, N1, N2, N3, N4] = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:01:00.000Z',
  '2026-01-01T00:02:00.000Z',
  '2026-01-01T00:03:00.000Z',
  '2026-01-01T00:04:00.000Z',
] as const
export const nameInstants = (query: string): string =>
  decodeURIComponent(query).replace(/2026-01-01T00:0(\d):00\.000Z/g, (_, at) =>
    at === '0' ? 'N' : `N${String(at)}`,
  )

/** Responds with a page of records that have these ids. */
export function page(
  ids: readonly string[],
  cursor: string | null,
  nextUpdatedSince: string = N,
  headers: Readonly<Record<string, string>> = {},
): Script {
  return json({ data: ids.map((id) => ({ id })), meta: { cursor, nextUpdatedSince } }, 200, headers)
}

/** Responds that nothing changed. */
export const notModified: Script = (response) => {
  response.writeHead(304, { etag: 'W/"1"', 'x-request-id': 'r-304' }).end()
}

const blanks = Buffer.alloc(1 << 20, ' ')

/** Responds with a body that never ends, until the caller leaves. */
export function endless(
  status: number,
  type: string,
  encoding: 'identity' | 'gzip',
): { readonly script: Script; readonly sent: () => number } {
  // Each chunk is a member of one gzip file, and a thousand times smaller than what it contains.
  const chunk = encoding === 'gzip' ? gzipSync(blanks) : blanks
  let sent = 0
  const script: Script = (response) => {
    const send = (): void => {
      if (response.destroyed) return
      sent += chunk.length
      response.write(chunk, () => setImmediate(send))
    }
    response.writeHead(status, { 'content-type': type, 'content-encoding': encoding })
    send()
  }
  return { script, sent: () => sent }
}

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterFile } from './after-file.js'

/** Answers one request; what it leaves unanswered stays open until the end. */
export type Script = (response: ServerResponse, request: IncomingMessage) => void

/** A server that answers by a script, and remembers what it was asked. */
export interface ScriptedServer {
  readonly url: string
  /** Method, path with query, and `Authorization` of each request. */
  readonly asked: readonly (readonly [path: string, authorization: string | undefined])[]
}

/** Starts a server that answers each request with the next script, and from then on with the last. */
export async function startScript(...scripts: readonly Script[]): Promise<ScriptedServer> {
  const asked: [string, string | undefined][] = []
  const server = createServer((request, response) => {
    asked.push([request.url ?? '', request.headers.authorization])
    const script = scripts[Math.min(asked.length, scripts.length) - 1]
    script?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Answers with a JSON value. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(JSON.stringify(value))
  }
}

/** Answers with a problem. */
export function problem(
  code: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Script {
  const body = { type: 'x', title: 'x', status, detail: `It was ${code}.`, code, requestId: 'r-1' }
  return json(body, status, { 'content-type': 'application/problem+json', ...headers })
}

/** Answers as a proxy does that has its own words for everything. */
export function html(status: number): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html', 'x-request-id': 'p-1' })
    response.end('<html><h1>Sorry</h1></html>')
  }
}

/** Answers with a page of records that have these ids. */
export function page(ids: readonly string[], cursor: string | null, nextUpdatedSince = 'N'): Script {
  return json({ data: ids.map((id) => ({ id })), meta: { cursor, nextUpdatedSince } })
}

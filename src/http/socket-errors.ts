import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem, problems } from '../errors.js'
import type { ProblemCode } from '../errors.js'
import type { Connections } from './connections.js'
import { toProblemBody } from './problem-reply.js'
import { chooseRequestId } from './request-id.js'

/** What Node's HTTP parser refuses before there is a request, by its error code; any other is malformed. */
const byCode: Readonly<Record<string, readonly [code: ProblemCode, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers together exceed 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}

/** What Node leaves to this side: requests that its parser refuses, and methods and headers that it does not know. */
export interface SocketErrors {
  readonly connections: Connections
  readonly publicUrl: string
}

/** Answers on the bare socket with problem+json, after all that was asked there before, and closes it. */
export function answerSocketError(
  error: Error & { code?: string },
  socket: Duplex,
  { connections, publicUrl }: SocketErrors,
): void {
  // Whoever was refused may still be sending: that is read and dropped, or the answer would be lost on its way.
  if (socket.writableEnded && error.code?.startsWith('HPE_') === true) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [code, detail] = byCode[error.code ?? ''] ?? [
    'malformed_request',
    'This is not a valid HTTP request.',
  ]
  connections.afterAnswers(socket, (answered) => {
    if (answered) socket.end()
    else endWithProblem(socket, new Problem(code, detail), publicUrl)
  })
}

/** What Node would answer by itself in its own words: CONNECT, and an Expect header. */
export function answerForNode(server: Server, { connections, publicUrl }: SocketErrors): void {
  server.on('connect', (_request, socket) => {
    // Node has taken its own listeners off, and an error that nobody listens for would end the process.
    socket.on('error', () => socket.destroy())
    socket.resume()
    const headers = { allow: 'GET, HEAD' }
    const problem = new Problem('method_not_allowed', 'CONNECT is not answered here.', { headers })
    connections.afterAnswers(socket, () => {
      endWithProblem(socket, problem, publicUrl)
    })
  })
  // Nobody's body is wanted, so the answer comes at once, and Node closes after it. Its own 100, where requests are
  // sent ahead, can come behind the head of the answer that it belongs before.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => {
      server.emit('request', request, response)
    })
}

function endWithProblem(socket: Duplex, problem: Problem, publicUrl: string): void {
  if (!socket.writable) return
  const requestId = chooseRequestId(undefined)
  const body = JSON.stringify(toProblemBody(problem, requestId, publicUrl))
  const head = [
    `HTTP/1.1 ${problems[problem.code].status} ${problems[problem.code].title}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

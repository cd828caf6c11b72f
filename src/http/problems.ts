import type { FastifyReply } from 'fastify'
import { Problem, problems } from '../errors.js'
import type { ProblemCode } from '../errors.js'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Connections } from './connections.js'
import { chooseRequestId } from './request-context.js'

/** The body of an answer that is not a success. RFC 9457, with the members `code`, `requestId` and `parameter`. */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ProblemCode
  readonly requestId: string
  readonly parameter?: string
}

/** What the HTTP server and Fastify refuse by themselves, by the status that they give it. */
const byStatus: Readonly<Record<number, readonly [code: ProblemCode, detail: string]>> = {
  400: ['malformed_request', 'The request is not valid HTTP, or its path has a broken percent escape.'],
  // A path that leads out of the documentation's folder.
  403: ['not_found', 'There is nothing at this path.'],
  404: ['not_found', 'There is nothing at this path.'],
  405: ['method_not_allowed', 'This path answers GET and HEAD.'],
  408: ['request_timeout', 'The request did not arrive in time.'],
  414: ['uri_too_long', 'The URL is too long.'],
  431: ['headers_too_large', 'The headers are too large.'],
}

/** Anything that was thrown, as a Problem: only what was written for callers reaches them. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const known = byStatus[readStatus(error)]
  if (known !== undefined) return new Problem(known[0], known[1], { cause: error })
  return new Problem('internal_error', 'Something failed here. Report the requestId if it goes on.', {
    cause: error,
  })
}

/** A Problem as the body of an answer; `type` is relative where the public address is not known. */
export function toProblemBody(problem: Problem, requestId: string, publicUrl: string): ProblemBody {
  const { status, title } = problems[problem.code]
  return {
    type: `${publicUrl}/docs/errors#${problem.code}`,
    title,
    status,
    detail: problem.detail,
    code: problem.code,
    requestId,
    ...(problem.parameter === undefined ? {} : { parameter: problem.parameter }),
  }
}

/** Answers with a Problem. */
export function sendProblem(reply: FastifyReply, problem: Problem, publicUrl: string): FastifyReply {
  const body = toProblemBody(problem, reply.request.id, publicUrl)
  return reply
    .code(body.status)
    .headers(problem.headers)
    .headers({ 'x-request-id': reply.request.id, 'cache-control': 'no-store' })
    .type('application/problem+json')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(body)
}

function readStatus(error: unknown): number {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0
}

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

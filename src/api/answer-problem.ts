import { ServerResponse } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problems } from '../problems.js'
import type { ProblemCode } from '../problems.js'
import { sendCompressed } from './send.js'
import type { Observe } from './observation.js'
import { chooseRequestId, toCommonHeaders } from './request-context.js'

/** The problems of errors that Node and Fastify throw, by the status that they give them. */
const byStatus: Readonly<Record<number, readonly [code: ProblemCode, detail: string]>> = {
  400: ['malformed_request', 'The path has a broken percent escape.'],
  // A path that leads out of the folder of the documentation.
  403: ['not_found', 'There is nothing at this path.'],
  404: ['not_found', 'There is nothing at this path.'],
  405: ['method_not_allowed', 'This path answers GET and HEAD.'],
  408: ['request_timeout', 'The request did not arrive in time.'],
  413: ['malformed_request', 'The body is larger than this path reads.'],
  414: ['uri_too_long', 'The URL is too long.'],
  415: ['malformed_request', 'The body must be application/json.'],
  431: ['headers_too_large', 'The headers are too large.'],
}

/** Reports anything that was thrown, and answers with its problem. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { observe, publicUrl }: { readonly observe: Observe; readonly publicUrl: string },
): FastifyReply {
  const problem = toHttpProblem(error)
  const { code, cause } = problem
  request.context.problem = problem
  observe({ kind: 'problem', requestId: request.id, code, cause })
  return sendProblem(reply, problem, publicUrl)
}

/** Only the text of a Problem reaches callers. An error of Fastify has a status. */
function toHttpProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0
  const [code, detail] = byStatus[status] ?? [
    'internal_error',
    'Something failed here. Report the requestId if it goes on.',
  ]
  return new Problem(code, detail, { cause: error })
}

function sendProblem(reply: FastifyReply, problem: Problem, publicUrl: string): FastifyReply {
  const body = toProblemBody(problem, reply.request.id, publicUrl)
  reply
    .code(body.status)
    .headers({ ...problem.headers, ...problemHeaders })
    .type('application/problem+json')
    // Without one, Fastify adds a character set, which this type does not have.
    .serializer(String)
  return sendCompressed(reply, JSON.stringify(body))
}

/** The headers of every problem, beside those of every answer. */
const problemHeaders = { 'cache-control': 'no-store' }

/** The body of a problem: RFC 9457, with members of its own. `type` is relative if the public address is not known. */
export function toProblemBody(problem: Problem, requestId: string, publicUrl: string) {
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

/** The problems of requests that Node's HTTP parser rejects, by its error code; any other is malformed. */
const byParserCode: Readonly<Record<string, readonly [code: ProblemCode, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers together exceed 16 KiB.'],
  HPE_INVALID_URL: ['malformed_request', 'The address has a character that must be a percent escape.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}

/** Connections that end after an error, and may still send: their bytes are read and dropped, or the answer could be lost. */
const ending = new WeakSet<Duplex>()

/** Answers a request that is not valid HTTP on the bare socket, and closes it. */
export function answerSocketError(
  error: Error & { readonly code?: string },
  socket: Duplex,
  publicUrl: string,
): void {
  if (ending.has(socket) && error.code?.startsWith('HPE_') === true) return
  const [code, detail] = byParserCode[error.code ?? ''] ?? [
    'malformed_request',
    'This is not a valid HTTP request. Look for a line break in the value of a header.',
  ]
  if (error.code === 'ECONNRESET') socket.destroy()
  else endWithProblem(socket, new Problem(code, detail), publicUrl)
}

/** Handles what Node would answer with a text of its own: CONNECT, and an Expect header. */
export function handleConnectAndExpect(server: Server, publicUrl: string): void {
  server.on('connect', (_request, socket) => {
    // Node has removed its own listeners, and an error without a listener would end the process.
    socket.on('error', () => socket.destroy())
    socket.resume()
    const headers = { allow: 'GET, HEAD' }
    const problem = new Problem('method_not_allowed', 'CONNECT is not answered here.', { headers })
    endWithProblem(socket, problem, publicUrl)
  })
  // No route reads a long body, so the answer comes at once, without 100 Continue. With pipelined requests, Node's own 100
  // can arrive after the head of the answer.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => {
      server.emit('request', request, response)
    })
}

/**
 * Writes a problem on a bare socket, and closes it, after the answers to the earlier requests of the connection: the caller
 * would take it for one of them. Where the last of them is to the very request that is wrong, it is the only one.
 */
function endWithProblem(socket: Duplex, problem: Problem, publicUrl: string): void {
  ending.add(socket)
  const earlier: unknown = Reflect.get(socket, '_httpMessage')
  if (earlier instanceof ServerResponse)
    earlier.once('close', () => {
      if ((earlier.req as IncomingMessage).complete) endWithProblem(socket, problem, publicUrl)
      else socket.end()
    })
  else if (socket.writable) socket.end(renderProblem(problem, publicUrl))
  else socket.destroy()
}

function renderProblem(problem: Problem, publicUrl: string): string {
  const requestId = chooseRequestId(undefined)
  const body = JSON.stringify(toProblemBody(problem, requestId, publicUrl))
  const head = [
    `HTTP/1.1 ${problems[problem.code].status} ${problems[problem.code].title}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...toCommonHeaders(requestId), ...problemHeaders, ...problem.headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

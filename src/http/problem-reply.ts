import type { FastifyReply } from 'fastify'
import { Problem, problems } from '../errors.js'
import type { ProblemCode } from '../errors.js'

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

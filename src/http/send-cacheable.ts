import type { FastifyReply, FastifyRequest } from 'fastify'
import { createEtag, isNotModified } from './etag.js'

interface Answer {
  readonly body: string
  /** What the entity tag covers: the records, and for a list whether more follow. */
  readonly covered: string
}

/** Answers with JSON and its entity tag, or with 304 where the caller has it already. */
export function sendCacheable(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const etag = createEtag(answer.covered)
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'Authorization' })
  if (isNotModified(request.headers, etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(answer.body)
}

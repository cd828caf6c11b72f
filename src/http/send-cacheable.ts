import type { FastifyReply, FastifyRequest } from 'fastify'
import { createEtag, isNotModified } from './etag.js'

interface Answer {
  readonly body: string
  /** Bytes at the end of the body that may change while the records, and whether more follow, stay the same. */
  readonly changing: number
}

/** Answers with JSON and its entity tag, or with 304 where the caller has it already. */
export function sendCacheable(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  // As bytes, because the tag and the socket would each turn the text into them.
  const bytes = Buffer.from(answer.body)
  const etag = createEtag(bytes.subarray(0, bytes.length - answer.changing))
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'Authorization' })
  if (isNotModified(request.headers, etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(bytes)
}

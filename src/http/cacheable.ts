import type { FastifyReply, FastifyRequest } from 'fastify'
import { hash } from 'node:crypto'
import fresh from 'fresh'
import type { TSchema } from '@sinclair/typebox'
import fastJson from 'fast-json-stringify'

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

/** A weak entity tag over bytes: two answers with the same one show the same records. */
export function createEtag(bytes: Uint8Array): string {
  return `W/"${hash('sha1', bytes, 'base64url')}"`
}

/** Whether the caller already has this answer. */
export function isNotModified(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  etag: string,
): boolean {
  // Without the caller's Cache-Control: nothing is stored here, so asking past a cache changes no answer.
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag })
}

/** A compiled serializer that writes the fields of a schema in their order, and lets no other out. */
export function compileSerializer(schema: TSchema): (value: unknown) => string {
  // A copy, because the compiler puts a schema's types into an order of its own, which the document would show.
  return fastJson(JSON.parse(JSON.stringify(schema)) as fastJson.Schema)
}

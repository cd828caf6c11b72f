import { hash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import fastJson from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { isCompressing, sendCompressed } from './compression.js'

/** The body of an answer. A short one is text, which Node sends together with the head; a long one is encoded once. */
type Body = string | Buffer

/** What is sent. */
export interface Answer {
  readonly body: Body
  /** The part of the body that only changes if the records change, or whether more follow; all of it where undefined. */
  readonly tagged?: Body
}

/** Sends JSON with its entity tag, or 304 if the caller already has it. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, tagged = body }: Answer,
): FastifyReply {
  const etag = createEtag(tagged)
  // Also on an answer that is not compressed: a cache must not give it to a caller of another encoding. In lower case,
  // because the plugin looks for it so.
  const names = isCompressing(reply) ? 'accept-encoding, Authorization' : 'Authorization'
  const vary = joinVary(reply.getHeader('vary'), names)
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary })
  if (isNotModified(request, etag)) return reply.code(304).send()
  return sendCompressed(reply.type('application/json; charset=utf-8'), body)
}

/** The value of `Vary` with one more header name. */
export function joinVary(value: number | string | readonly string[] | undefined, name: string): string {
  return value === undefined ? name : `${String(value)}, ${name}`
}

/** A weak entity tag: two answers with the same tag hold the same records. */
function createEtag(tagged: Body): string {
  return `W/"${hash('sha1', tagged, 'base64url')}"`
}

/** Whether the caller already has the answer with this entity tag. */
export function isNotModified({ headers }: FastifyRequest, etag: string): boolean {
  // Without the caller's Cache-Control: Vitrine stores no answer, so no-cache changes nothing.
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag })
}

/** Compiles a serializer that writes the fields of a schema in their order, and no other field. */
export function compileSerializer(schema: TSchema): (value: unknown) => string {
  // A copy, because the compiler reorders the types of a schema, which would change the OpenAPI document.
  return fastJson(JSON.parse(JSON.stringify(schema)) as fastJson.Schema)
}

import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCompressing, isNotModified, joinHeader, sendCompressed } from './send.js'

/** A body that is the same for every caller until the process ends. */
export type StaticBody = ReturnType<typeof createStaticBody>

/**
 * @param render is called once, before the body is sent for the first time.
 * @param type the media type with its charset; an archive is sent as it is.
 */
export function createStaticBody(render: () => Promise<string | Uint8Array>, type: string) {
  const read = createOnce(async () => {
    const plain = Buffer.from(await render())
    return { plain, version: toVersion(plain) }
  })
  return {
    readVersion: async (): Promise<string> => (await read()).version,
    send: async (
      request: FastifyRequest,
      reply: FastifyReply,
      cacheControl: string,
    ): Promise<FastifyReply> => {
      const { plain, version } = await read()
      const etag = `W/"${version}"`
      reply.headers({ etag, 'cache-control': cacheControl })
      if (isCompressing(reply)) reply.header('vary', joinHeader(reply.getHeader('vary'), 'accept-encoding'))
      if (isNotModified(request, etag)) return reply.code(304).send()
      return sendCompressed(reply.type(type), plain)
    },
  }
}

/** A part of a URL or of an entity tag that changes with a body. */
export function toVersion(body: Uint8Array): string {
  return hash('sha256', body, 'base64url').slice(0, 16)
}

/** A function that computes its value at the first call, and again after a failure. */
export function createOnce<T>(compute: () => T | Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () =>
    (known ??= Promise.resolve()
      .then(compute)
      .catch((error: unknown) => {
        known = undefined
        throw error
      }))
}

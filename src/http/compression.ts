import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** From this length, in bytes, an answer is compressed. */
const threshold = 1024

/** Lets `sendCompressed` compress, on the routes that are registered after it in the same scope. */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    // Instead of a hook, which would look at every answer: most are single records, and shorter.
    global: false,
    encodings: ['br', 'gzip'],
    threshold,
    // An ordinary page is compressed in one call and has its Content-Length: a stream costs more than the compression. A
    // great one would delay every other request, so it is compressed as a stream by other threads.
    syncThreshold: 1_048_576,
    // The levels from which more time makes a page of records only a little smaller.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
    zlibOptions: { level: 4 },
    // No route reads a body.
    globalDecompression: false,
  })
}

/** Whether an answer can depend on the encodings that the caller accepts: not where its route has not begun. */
export function isCompressing(reply: FastifyReply): boolean {
  return typeof Reflect.get(reply, 'compress') === 'function'
}

/** Sends a body with brotli or gzip, whichever the caller prefers, if it is long enough. */
export function sendCompressed(reply: FastifyReply, body: string | Buffer): FastifyReply {
  if (!isCompressing(reply) || Buffer.byteLength(body) < threshold) return reply.send(body)
  reply.compress(body)
  return reply
}

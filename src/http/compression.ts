import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { joinVary } from './cacheable.js'

/**
 * Compresses answers of 1 KiB and more with brotli or gzip, whichever the caller prefers, on the routes that are
 * registered after it in the same scope. The entity tag is weak and stays the same in every encoding.
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (_request, reply, done) => {
    // On every answer, also one that is not compressed: a cache must not give it to a caller of another encoding. In
    // lower case, because the plugin looks for it so.
    reply.header('vary', joinVary(reply.getHeader('vary'), 'accept-encoding'))
    done()
  })
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
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

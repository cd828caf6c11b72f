import { hash } from 'node:crypto'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What is sent. */
export interface Answer {
  readonly body: string
  /** The ASCII characters at its end that can change while the records, and whether more follow, stay the same. */
  readonly changing?: number
  /** What the entity tag begins with: what else it covers. */
  readonly tagPrefix?: string
}

/** Sends JSON with its entity tag, or 304 if the caller already has it. @returns the bytes of the JSON */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, changing = 0, tagPrefix = '' }: Answer,
): number {
  // Once: the entity tag and the socket would each encode the text.
  const bytes = encode(body)
  const etag = `W/"${tagPrefix}${hash('sha1', bytes.subarray(0, bytes.length - changing), 'base64url')}"`
  // Also on an answer that is not compressed: a cache must not give it to a caller of another encoding. In lower case,
  // because the plugin looks for it so.
  const names = isCompressing(reply) ? 'accept-encoding, Authorization' : 'Authorization'
  const vary = joinHeader(reply.getHeader('vary'), names)
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary })
  if (isNotModified(request, etag)) reply.code(304).send()
  else sendCompressed(reply.type('application/json; charset=utf-8'), bytes)
  return bytes.length
}

/** The UTF-8 bytes of a text, in one pass; `Buffer.from` counts them first, for a quarter of its time. */
function encode(text: string): Buffer {
  const room = Buffer.allocUnsafe(text.length * 3)
  return room.subarray(0, room.write(text))
}

/** Whether the socket did not take all bytes of an answer at once. */
export function isUnsent({ raw }: FastifyReply): boolean {
  return !raw.writableEnded || raw.writableLength > 0
}

/** The value of a header that is a list, with one more item. */
export function joinHeader(value: number | string | readonly string[] | undefined, item: string): string {
  return value === undefined ? item : `${String(value)}, ${item}`
}

/** Whether the caller already has the answer with this entity tag. */
export function isNotModified({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map(toBareTag) ?? []
  const own = toBareTag(etag)
  // Without the caller's Cache-Control: Vitrine stores no answer, so no-cache changes nothing.
  return known.some((one) => one === '*' || one === own)
}

/** What a proxy that compresses adds to an entity tag: `-gzip` of Apache and Caddy, `--gzip` of Jetty. */
const encodingSuffix = /-{1,2}(?:gzip|br|zstd)(?="$)/

/** A tag for the weak comparison of RFC 9110, section 8.8.3.2: our tags contain no comma. */
function toBareTag(tag: string): string {
  return tag.trim().replace(/^W\//, '').replace(encodingSuffix, '')
}

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
    // No body of a request is compressed.
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

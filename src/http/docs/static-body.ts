import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified, joinVary } from '../cacheable.js'

type Encoding = 'br' | 'gzip'

/** A body that is the same for every caller until the process ends. It is compressed once for each encoding. */
export interface StaticBody {
  /** A part of the URL or of the entity tag that changes with the body. */
  readonly readVersion: () => Promise<string>
  readonly send: (request: FastifyRequest, reply: FastifyReply, cacheControl: string) => Promise<FastifyReply>
}

/**
 * @param render is called once, before the body is sent for the first time.
 * @param type the media type with its charset.
 */
export function createStaticBody(render: () => Promise<string | Uint8Array>, type: string): StaticBody {
  const read = createOnce(async () => {
    const plain = Buffer.from(await render())
    return { plain, version: hash('sha256', plain, 'base64url').slice(0, 16) }
  })
  const encoded = new Map<Encoding, Promise<Buffer>>()
  const encode = (encoding: Encoding, plain: Buffer): Promise<Buffer> => {
    const known = encoded.get(encoding) ?? encoders[encoding](plain)
    encoded.set(encoding, known)
    return known
  }
  return {
    readVersion: async () => (await read()).version,
    send: async (request, reply, cacheControl) => {
      const { plain, version } = await read()
      const etag = `W/"${version}"`
      const vary = joinVary(reply.getHeader('vary'), 'Accept-Encoding')
      reply.headers({ etag, 'cache-control': cacheControl, vary })
      if (isNotModified(request, etag)) return reply.code(304).send()
      const accepted = type === 'application/gzip' ? undefined : request.headers['accept-encoding']
      const encoding = chooseEncoding(accepted)
      if (encoding === undefined) return reply.type(type).send(plain)
      return reply
        .type(type)
        .header('content-encoding', encoding)
        .send(await encode(encoding, plain))
    },
  }
}

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: promisify(gzip),
}

/** A function that computes its value at the first call. */
export function createOnce<T extends object>(compute: () => T): () => T {
  let value: T | undefined
  return () => (value ??= compute())
}

/** RFC 9110, section 12.5.3. Brotli is smaller, so it is used wherever it is accepted. */
function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  const names = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ''))
    .map(([name]) => name)
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding))
}

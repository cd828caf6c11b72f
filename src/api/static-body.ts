import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCompressing, isNotModified, joinHeader } from './send.js'

/** A body that is the same for every caller until the process ends. */
export interface StaticBody {
  /** A part of the URL or of the entity tag that changes with the body. */
  readonly readVersion: () => Promise<string>
  readonly send: (request: FastifyRequest, reply: FastifyReply, cacheControl: string) => Promise<FastifyReply>
}

/** In bytes, as for all answers. */
const compressedFrom = 1024

/** By other threads, once for each body. The first one is preferred. */
const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }
type Encoding = keyof typeof compressors

/**
 * @param render is called once, before the body is sent for the first time. Each compressed form is made once too: these
 *   bodies need no key, so a request for one must cost little.
 * @param type the media type with its charset.
 */
export function createStaticBody(render: () => Promise<string | Uint8Array>, type: string): StaticBody {
  const read = createOnce(async () => {
    const plain = Buffer.from(await render())
    return { plain, version: hash('sha256', plain, 'base64url').slice(0, 16) }
  })
  const compress = async (encoding: Encoding): Promise<Buffer> => compressors[encoding]((await read()).plain)
  const compressed = {
    br: createOnce(() => compress('br')),
    gzip: createOnce(() => compress('gzip')),
  }
  const choose = (request: FastifyRequest, plain: Buffer): Encoding | undefined =>
    plain.length < compressedFrom || type === 'application/gzip'
      ? undefined
      : chooseEncoding(request.headers['accept-encoding'])
  return {
    readVersion: async () => (await read()).version,
    send: async (request, reply, cacheControl) => {
      const { plain, version } = await read()
      const etag = `W/"${version}"`
      reply.headers({ etag, 'cache-control': cacheControl })
      if (isCompressing(reply)) reply.header('vary', joinHeader(reply.getHeader('vary'), 'accept-encoding'))
      if (isNotModified(request, etag)) return reply.code(304).send()
      const encoding = isCompressing(reply) ? choose(request, plain) : undefined
      if (encoding !== undefined) reply.header('content-encoding', encoding)
      return reply.type(type).send(encoding === undefined ? plain : await compressed[encoding]())
    },
  }
}

/** What the caller prefers, as in RFC 9110, section 12.5.3; undefined for the plain form. */
function chooseEncoding(accepted = ''): Encoding | undefined {
  const [br, zipped] = [readWeight(accepted, 'br'), readWeight(accepted, 'gzip')]
  if (br >= zipped) return br > 0 ? 'br' : undefined
  return 'gzip'
}

/**
 * The weight of a name in a header such as `Accept`, or that of `*`. A weight that is no number is 0.
 *
 * @param accepted RFC 9110, section 12.4.2.
 */
export function readWeight(accepted: string, name: string): number {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((item): [string, number] => {
        const [own = '', ...parameters] = item.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
        return [own, weight === undefined ? 1 : Number(weight) || 0]
      }),
  )
  return weights.get(name) ?? weights.get('*') ?? 0
}

/** A function that computes its value at the first call, and again after a failure. */
export function createOnce<T>(compute: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () =>
    (known ??= compute().catch((error: unknown) => {
      known = undefined
      throw error
    }))
}

import type { FastifyRequest } from 'fastify'
import type { TrustProxy } from '../values/addresses.js'
import type { StaticBody } from './static-body.js'

/** The origin by which a caller reaches this service; empty where that is not known. */
export type ReadAddress = (request: FastifyRequest) => string

/** A name or an address with its port. Nothing else, because samples of the documentation put it into quotes of a shell. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** What a proxy adds. */
const proxyHeaders = [
  'via',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * The origin of the service from the request itself, where `PUBLIC_URL` is not set: from the headers of a trusted proxy, or
 * from the Host header if the caller is connected directly. A wrong answer could lead a key to another host or to plain
 * HTTP, so it is unknown if the Host has another port than the listener, if the request is HTTP/1.0, or if it has a header of
 * a proxy that is not trusted.
 */
export function createReadAddress(publicUrl: string, trustProxy: TrustProxy): ReadAddress {
  if (publicUrl !== '') return () => ''
  const read = trustProxy === false ? readDirect : readForwarded
  return (request) => {
    const { scheme, host } = read(request) ?? { scheme: '', host: '' }
    return /^https?$/.test(scheme) && hostPattern.test(host) ? `${scheme}://${host.toLowerCase()}` : ''
  }
}

function readDirect({ raw }: FastifyRequest): { readonly scheme: string; readonly host: string } | undefined {
  const { host = '', ...headers } = raw.headers
  const [, port = '80'] = /:(\d+)$/.exec(host) ?? []
  const isDirect =
    Number(port) === raw.socket.localPort &&
    raw.httpVersion !== '1.0' &&
    proxyHeaders.every((name) => headers[name] === undefined)
  return isDirect ? { scheme: 'http', host } : undefined
}

function readForwarded(
  request: FastifyRequest,
): { readonly scheme: string; readonly host: string } | undefined {
  if (request.raw.headers['x-forwarded-proto'] === undefined) return undefined
  return { scheme: request.protocol, host: request.host }
}

/** Enough for the names of one service. Callers choose what they send as Host, so the number of bodies has a limit. */
const addressesMax = 4

/** The bodies of the first few addresses; every other one has that of an unknown address. */
export function createBodies(create: (address: string) => StaticBody): (address: string) => StaticBody {
  const known = new Map([['', create('')]])
  return (address) => {
    const shown = known.has(address) || known.size <= addressesMax ? address : ''
    const body = known.get(shown) ?? create(shown)
    known.set(shown, body)
    return body
  }
}

/** The OpenAPI document with the whole URL of its server, for tools that read it from a file. */
export function nameServer(document: object, address: string): object {
  if (address === '') return document
  const { servers } = document as { readonly servers: readonly { readonly url: string }[] }
  return { ...document, servers: servers.map((server) => ({ ...server, url: `${address}${server.url}` })) }
}

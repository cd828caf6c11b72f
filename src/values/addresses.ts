import { isIP } from 'node:net'

/** Fastify's `trustProxy`: all proxies, none, addresses, or a predicate for each hop. */
export type TrustProxy = boolean | string | ((address: string, hop: number) => boolean)

/** One server of the database. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** The parts of a `DATABASE_URL`. */
export interface DatabaseAddress {
  readonly user: string
  readonly password: string
  readonly name: string
  readonly hosts: readonly DatabaseHost[]
}

/** Whether a host is this machine, so that no other one can answer in its place. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

// Not WHATWG's URL, which cannot have a list of hosts.
const databaseUrl = /^mysql:\/\/([^:@/]+)(?::(.*))?@([^@/]+)\/([^/?#]+)$/
const databaseHost = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/

/** The parts of a `DATABASE_URL`; undefined for any other text. */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const match = databaseUrl.exec(text)
  if (match === null) return undefined
  const hosts = (match[3] ?? '').split(',').map(parseHost)
  const [user, password, name] = [match[1], match[2] ?? '', match[4]].map((part) => decodePart(part ?? ''))
  if (user === undefined || password === undefined || name === undefined) return undefined
  const validHosts = hosts.filter((host) => host !== undefined)
  return validHosts.length === hosts.length ? { user, password, name, hosts: validHosts } : undefined
}

function parseHost(text: string): DatabaseHost | undefined {
  const match = databaseHost.exec(text)
  const port = Number(match?.[2] ?? 3306)
  if (match?.[1] === undefined || port < 1 || port > 65_535) return undefined
  return { host: match[1].replace(/^\[|\]$/g, ''), port }
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `PUBLIC_URL` without a slash at its end; empty if not set, undefined if it is not an http or https URL. */
export function parsePublicUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return undefined
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** The origins of `CORS_ORIGINS` as browsers send them, or `*`; undefined if one is not an http or https origin. */
export function parseOrigins(text: string | undefined): readonly string[] | undefined {
  const origins = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (origins.includes('*')) return origins.length === 1 ? origins : undefined
  return origins.every(isOrigin) ? origins : undefined
}

/** Without a path, and in the one spelling that browsers use: they are compared character by character. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text && !text.includes('*')
}

/** `TRUST_PROXY` as Fastify's option; undefined if it is not valid. */
export function parseTrustProxy(text: string | undefined): TrustProxy | undefined {
  if (text === undefined || ['', 'off', 'false'].includes(text)) return false
  if (text === 'true') return true
  if (/^\d+$/.test(text)) return (_address, hop) => hop < Number(text)
  return text.split(',').every((part) => isProxyAddress(part.trim())) ? text : undefined
}

function isProxyAddress(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (prefix === undefined && ['loopback', 'linklocal', 'uniquelocal'].includes(address)) return true
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    bits !== -1 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
  )
}

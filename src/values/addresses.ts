import { isIP } from 'node:net'

/** Fastify's `trustProxy`: all proxies, none, addresses, or a predicate for each hop. */
export type TrustProxy = boolean | string | ((address: string, hop: number) => boolean)

/** The parts of a `DATABASE_URL`. */
export interface DatabaseAddress {
  readonly user: string
  readonly password: string
  readonly name: string
  /** The server of the database, or the proxy before several. */
  readonly host: string
  readonly port: number
  /** The path of a Unix socket, which is used in place of the host and the port. */
  readonly socket?: string
}

/** Whether a host is this machine, so that no other one can answer in its place. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

// Not WHATWG's URL, which escapes and lowers parts of it.
const databaseUrl =
  /^mysql:\/\/(?<user>[^:@/\s]+)(?::(?<password>.*))?@(?:\[(?<ip>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]@/,\s]+))(?::(?<port>\d{1,5}))?\/(?<name>[^/?#\s]+)(?:\?socket=(?<socket>\/[^?&#]*))?$/su

/** What can be wrong in a `DATABASE_URL`, each with what is found and what is allowed; the first that matches is the one. */
const addressFaults: readonly (readonly [wrong: RegExp, found: string, allowed: string])[] = [
  [/^['"`]|['"`]$/u, 'quotes around it', 'the address without quotes'],
  [/^(?!mysql:)[a-z][a-z\d+.:-]*:\/\//iu, 'another scheme', 'an address that begins with mysql://'],
  [/^(?!mysql:\/\/)/u, 'no scheme', 'an address that begins with mysql://'],
  [/\s/u, 'a space or a line break in it', 'a space written as %20'],
  [
    /%(?![\da-f]{2})/iu,
    'a % without two hexadecimal digits behind it',
    '%25 for each % in the user, the password or the database',
  ],
  [/^[^@]*$/u, 'no user', 'user:password@ before the host'],
  [/^mysql:\/\/[:@]/u, 'no user', 'a user before the password'],
  [
    /@[^@/]*,[^@]*$/u,
    'several hosts',
    'one address: a server, or the proxy, router or DNS name of many; see docs/deploy.md, "Replicas"',
  ],
  [/\/[^/@?]*\?[^@]*$/u, 'a query string', 'no query string but ?socket=/path: TLS is DATABASE_TLS'],
  [/#[^@]*$/u, 'a # behind the host', 'a # in the name of the database: write it as %23'],
  [/@[^@/]*\/?$/u, 'no database', '/database behind the host'],
  [/@\//u, 'no host', 'a host between @ and /'],
  [
    /@(?:\[[^\]]*\]|[^:@/]*):[^@/]*\/[^@]*$/u,
    'a port that is not a number from 1 to 65535',
    'a port from 1 to 65535, and an IPv6 address in [ ]',
  ],
]

const addressForm = 'mysql://user:password@host[:port]/database'

/** The parts of a `DATABASE_URL`; undefined for any other text. */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const parts = databaseUrl.exec(text)?.groups
  if (parts === undefined) return undefined
  const read = (name: string): string => decodeURIComponent(parts[name] ?? '')
  const port = Number(parts['port'] ?? 3306)
  try {
    const address = {
      user: read('user'),
      password: read('password'),
      name: read('name'),
      host: parts['ip'] ?? read('host'),
      port,
      ...(parts['socket'] && { socket: read('socket') }),
    }
    return port < 1 || port > 65_535 ? undefined : address
  } catch {
    // An escape that is not UTF-8.
    return undefined
  }
}

/** What is wrong in a text that is not a `DATABASE_URL`, named by its part: none of it is repeated. */
export function describeDatabaseUrl(text: string): { readonly found: string; readonly allowed: string } {
  if (text === '') return { found: 'nothing', allowed: addressForm }
  const [, found, allowed] = addressFaults.find(([wrong]) => wrong.test(text)) ?? []
  return { found: found ?? 'another form', allowed: allowed ?? addressForm }
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

import { readFileSync } from 'node:fs'
import { EnvironmentSchema } from './environment.js'
import type { Environment, Variables } from './environment.js'
import { ConfigError, describeUnusable } from './errors.js'
import type { ConfigIssue } from './errors.js'
import { readPemFiles } from './pem-files.js'
import type { Pems } from './pem-files.js'
import { findShapeIssues } from './shape.js'
import type { Shape } from './shape.js'
import {
  describeDatabaseUrl,
  parseDatabaseUrl,
  parseOrigins,
  parsePublicUrl,
  parseTrustProxy,
} from './values/addresses.js'

/** The environment, checked and typed; nothing else reads `process.env`. */
export type Config = ReturnType<typeof toConfig>

/**
 * Parses the configuration of an environment.
 *
 * @throws ConfigError with all issues of the environment.
 */
export function parseConfig(given: Variables): Config {
  const url = readDatabaseUrl(given)
  const variables = { ...given, DATABASE_URL: url.text }
  const { environment, issues } = checkVariables(variables)
  const addresses = parseAddresses(variables, issues)
  const pems = readPemFiles(variables, issues)
  if (environment === undefined || issues.length > 0)
    throw new ConfigError(issues.map((issue) => (issue.path === 'DATABASE_URL' ? url.issue : issue)))
  return toConfig(environment, addresses, pems)
}

/**
 * The text of `DATABASE_URL`, or of the file that `DATABASE_URL_FILE` names; empty where there is none.
 *
 * @returns also the issue of a text that cannot be used.
 */
export function readDatabaseUrl(variables: Variables): {
  readonly text: string
  readonly issue: ConfigIssue
} {
  const { DATABASE_URL: text = '', DATABASE_URL_FILE: file = '' } = variables
  if (file === '') return { text, issue: { path: 'DATABASE_URL', ...describeDatabaseUrl(text) } }
  const toIssueOf = (found: string, allowed: string): ConfigIssue => ({
    path: 'DATABASE_URL_FILE',
    found,
    allowed,
  })
  if (text !== '') return { text: '', issue: toIssueOf('DATABASE_URL beside it', 'one of the two') }
  try {
    const read = readFileSync(file, 'utf8').trim()
    const { found, allowed } = describeDatabaseUrl(read)
    return { text: read, issue: toIssueOf(`${JSON.stringify(file)}, which holds ${found}`, allowed) }
  } catch (error) {
    return { text: '', issue: toIssueOf(describeUnusable(file, error), 'a file that can be read') }
  }
}

/** Adds an issue for each variable that is not valid and has none yet; what is returned then must not be used. */
function parseAddresses(variables: Variables, issues: ConfigIssue[]) {
  const parse = <Value>(name: string, read: (text: string | undefined) => Value | undefined): Value => {
    const value = read(variables[name])
    const isReported = issues.some((issue) => issue.path === name)
    if (value === undefined && !isReported) issues.push(toIssue(name, variables))
    return value as Value
  }
  return {
    database: parse('DATABASE_URL', (text = '') => parseDatabaseUrl(text)),
    /** Origin and path prefix without a slash at the end; empty for relative links. */
    publicUrl: parse('PUBLIC_URL', parsePublicUrl),
    trustProxy: parse('TRUST_PROXY', parseTrustProxy),
    /** Empty if browsers on other origins may not call the API; `*` for all of them. */
    corsOrigins: parse('CORS_ORIGINS', parseOrigins),
  }
}

const shapes: Readonly<Record<string, Shape>> = EnvironmentSchema.properties

function checkVariables(variables: Variables): { environment?: Environment; issues: ConfigIssue[] } {
  const data = Object.fromEntries(
    Object.entries(shapes).flatMap(([name, { type, default: value }]) => {
      // An empty variable counts as not set: compose files and shells can set variables to nothing.
      const text = variables[name] || undefined
      const given = text !== undefined && type === 'integer' ? Number(text) : (text ?? value)
      return given === undefined ? [] : [[name, given]]
    }),
  )
  const issues = findShapeIssues(EnvironmentSchema, data).map(({ path }) => toIssue(path, variables))
  if (issues.length > 0) return { issues }
  const environment = data as Environment
  return { environment, issues: listCertificateIssues(environment) }
}

/** A certificate of the client without its key, or the reverse, and one that no TLS would send. */
function listCertificateIssues(environment: Environment): ConfigIssue[] {
  const { DATABASE_TLS: tls, DATABASE_TLS_CERT: cert, DATABASE_TLS_KEY: key } = environment
  if (cert === undefined && key === undefined) return []
  if (tls === 'off')
    return [
      { path: 'DATABASE_TLS', found: 'off', allowed: 'verify-ca or verify-identity with a certificate' },
    ]
  const allowed = 'the name of a PEM file: a certificate and its key belong together'
  if (cert === undefined) return [{ path: 'DATABASE_TLS_CERT', found: 'nothing', allowed }]
  return key === undefined ? [{ path: 'DATABASE_TLS_KEY', found: 'nothing', allowed }] : []
}

function toIssue(name: string, variables: Variables): ConfigIssue {
  return { path: name, found: showValue(variables[name]), allowed: shapes[name]?.description ?? '' }
}

/** A value that could contain a password is not printed. */
function showValue(value: string | undefined): string {
  if (value === undefined || value === '') return 'nothing'
  return /:\/\/.*@/.test(value) ? 'an address with an account in it' : JSON.stringify(value)
}

/**
 * For `localhost` Fastify opens two servers, and the connection limits would apply to one of them only. The ops listener
 * uses the same address.
 */
function toListenHost(host: string): string {
  return host.toLowerCase() === 'localhost' ? '127.0.0.1' : host
}

function toConfig(environment: Environment, addresses: ReturnType<typeof parseAddresses>, pems: Pems) {
  const { database, ...others } = addresses
  return {
    ...others,
    database: {
      ...database,
      tls: environment.DATABASE_TLS,
      /** PEM text of the trusted authorities; undefined for those of the system. */
      tlsCa: pems.DATABASE_TLS_CA,
      /** PEM texts of the certificate that the account must show, and of its key. */
      tlsCert: pems.DATABASE_TLS_CERT,
      tlsKey: pems.DATABASE_TLS_KEY,
      /** The number of statements that run at once. */
      poolSize: environment.DATABASE_POOL_SIZE,
      /** Older connections are replaced, so that the name of the host is resolved again. */
      connectionMaxAgeMs: environment.DATABASE_CONNECTION_MAX_AGE_SECONDS * 1000,
      queryTimeoutMs: environment.DATABASE_QUERY_TIMEOUT_MS,
      queueLimit: environment.DATABASE_QUEUE_LIMIT,
    },
    schemaCheckMs: environment.SCHEMA_CHECK_SECONDS * 1000,
    mappingFile: environment.MAPPING_FILE,
    listen: { host: toListenHost(environment.HOST), port: environment.PORT },
    ops: { host: toListenHost(environment.OPS_HOST), port: environment.OPS_PORT },
    keyCache: { max: environment.KEY_CACHE_MAX, ttlMs: environment.KEY_CACHE_TTL_SECONDS * 1000 },
    rateLimitPerMinute: environment.RATE_LIMIT_PER_MINUTE,
    failedAuthenticationsPerMinute: environment.REFUSED_KEYS_PER_MINUTE,
    compression: environment.COMPRESSION === 'on',
    syncOverlapSeconds: environment.SYNC_OVERLAP_SECONDS,
    audit: environment.AUDIT,
    mcp: environment.MCP,
    logLevel: environment.LOG_LEVEL,
    shutdownDelayMs: environment.SHUTDOWN_DELAY_SECONDS * 1000,
    shutdownGraceMs: environment.SHUTDOWN_GRACE_SECONDS * 1000,
  } as const
}

import envSchema from 'env-schema'
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { ConfigError } from './errors.js'
import type { Fault } from './errors.js'

const port = (value: number) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: value, description: 'a port, 0 to 65535' })
const whole = (minimum: number, maximum: number, value: number) =>
  Type.Integer({ minimum, maximum, default: value, description: `a whole number, ${minimum} to ${maximum}` })
const words = <const Word extends string>(all: readonly Word[], value: NoInfer<Word>) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...all], default: value, description: all.join(', ') })

/** Where the mapping is, unless the environment says otherwise. */
export const defaultMappingFile = 'config/mapping.yaml'

const EnvironmentSchema = Type.Object({
  DATABASE_URL: Type.String({
    minLength: 1,
    description: 'mysql://user:password@host[:port][,host2[:port]…]/database',
  }),
  DATABASE_TLS: words(['off', 'verify-ca', 'verify-identity'], 'off'),
  DATABASE_TLS_CA: Type.Optional(Type.String({ minLength: 1, description: 'the name of a PEM file' })),
  DATABASE_POOL_SIZE: whole(1, 1000, 10),
  DATABASE_QUERY_TIMEOUT_MS: whole(10, 600_000, 5000),
  DATABASE_QUEUE_LIMIT: whole(0, 100_000, 200),
  MAPPING_FILE: Type.String({
    minLength: 1,
    default: defaultMappingFile,
    description: 'the name of a YAML file',
  }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'an address to listen on' }),
  PORT: port(8080),
  OPS_HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'an address to listen on' }),
  OPS_PORT: port(9090),
  KEY_CACHE_MAX: whole(1, 10_000_000, 10_000),
  KEY_CACHE_TTL_SECONDS: whole(0, 86_400, 30),
  RATE_LIMIT_PER_MINUTE: whole(0, 10_000_000, 1200),
  SYNC_OVERLAP_SECONDS: whole(0, 86_400, 120),
  AUDIT: words(['enforce', 'warn'], 'enforce'),
  PUBLIC_URL: Type.Optional(Type.String({ minLength: 1, description: 'an http or https URL with no query' })),
  TRUST_PROXY: Type.String({
    default: 'off',
    description: "off, true, a number of hops, or addresses, as Fastify's trustProxy",
  }),
  LOG_LEVEL: words(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  SHUTDOWN_GRACE_SECONDS: whole(0, 3600, 10),
})

type Environment = Static<typeof EnvironmentSchema>

/** As Fastify's `trustProxy`: all, none, addresses, or a judgement of each hop. */
export type TrustProxy = boolean | string | ((address: string, hop: number) => boolean)

/** One server of the database. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** The environment, checked and typed; nothing else reads `process.env`. */
export interface Config {
  readonly database: {
    readonly user: string
    readonly password: string
    readonly name: string
    readonly hosts: readonly DatabaseHost[]
    readonly tls: Environment['DATABASE_TLS']
    readonly tlsCaFile: string | undefined
    readonly poolSize: number
    readonly queryTimeoutMs: number
    readonly queueLimit: number
  }
  readonly mappingFile: string
  readonly listen: { readonly host: string; readonly port: number }
  readonly ops: { readonly host: string; readonly port: number }
  readonly keyCache: { readonly max: number; readonly ttlMs: number }
  readonly rateLimitPerMinute: number
  readonly syncOverlapSeconds: number
  readonly audit: Environment['AUDIT']
  /** Origin and path prefix without a slash at the end; empty where answers stay relative. */
  readonly publicUrl: string
  readonly trustProxy: TrustProxy
  readonly logLevel: Environment['LOG_LEVEL']
  readonly shutdownGraceMs: number
}

/**
 * The configuration that an environment holds.
 *
 * @throws ConfigError with every fault of the environment at once.
 */
export function parseConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const { environment, faults } = checkVariables(variables)
  const database = parseDatabaseUrl(variables['DATABASE_URL'] ?? '')
  if (database === undefined && !faults.some((fault) => fault.path === 'DATABASE_URL')) {
    // The address holds a password, so it is not repeated.
    faults.push({ path: 'DATABASE_URL', found: 'another form', allowed: allowedFor('DATABASE_URL') })
  }
  const publicUrl = parsePublicUrl(variables['PUBLIC_URL'])
  if (publicUrl === undefined) faults.push(toFault('PUBLIC_URL', variables))
  if (environment === undefined || database === undefined || publicUrl === undefined || faults.length > 0) {
    throw new ConfigError(faults)
  }
  return toConfig(environment, database, publicUrl)
}

function checkVariables(variables: Readonly<Record<string, string | undefined>>): {
  environment?: Environment
  faults: Fault[]
} {
  // A variable that is set to nothing counts as not set: compose files and shells pass such on.
  const data = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  )
  try {
    return {
      environment: envSchema<Environment>({ schema: EnvironmentSchema, data, env: false }),
      faults: [],
    }
  } catch (error) {
    const names = new Set(listSchemaErrors(error).map(toVariableName))
    if (names.size === 0) throw error
    return { faults: [...names].map((name) => toFault(name, variables)) }
  }
}

interface SchemaError {
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
}

function listSchemaErrors(error: unknown): readonly SchemaError[] {
  return error instanceof Error && 'errors' in error ? (error.errors as readonly SchemaError[]) : []
}

function toVariableName(error: SchemaError): string {
  return error.instancePath === '' ? String(error.params['missingProperty']) : error.instancePath.slice(1)
}

function toFault(name: string, variables: Readonly<Record<string, string | undefined>>): Fault {
  const value = variables[name]
  return {
    path: name,
    found: value === undefined || value === '' ? 'nothing' : JSON.stringify(value),
    allowed: allowedFor(name),
  }
}

function allowedFor(name: string): string {
  const properties: Readonly<Record<string, { description?: string }>> = EnvironmentSchema.properties
  return properties[name]?.description ?? ''
}

function toConfig(environment: Environment, database: DatabaseAddress, publicUrl: string): Config {
  return {
    database: {
      ...database,
      tls: environment.DATABASE_TLS,
      tlsCaFile: environment.DATABASE_TLS_CA,
      poolSize: environment.DATABASE_POOL_SIZE,
      queryTimeoutMs: environment.DATABASE_QUERY_TIMEOUT_MS,
      queueLimit: environment.DATABASE_QUEUE_LIMIT,
    },
    mappingFile: environment.MAPPING_FILE,
    listen: { host: environment.HOST, port: environment.PORT },
    ops: { host: environment.OPS_HOST, port: environment.OPS_PORT },
    keyCache: { max: environment.KEY_CACHE_MAX, ttlMs: environment.KEY_CACHE_TTL_SECONDS * 1000 },
    rateLimitPerMinute: environment.RATE_LIMIT_PER_MINUTE,
    syncOverlapSeconds: environment.SYNC_OVERLAP_SECONDS,
    audit: environment.AUDIT,
    publicUrl,
    trustProxy: parseTrustProxy(environment.TRUST_PROXY),
    logLevel: environment.LOG_LEVEL,
    shutdownGraceMs: environment.SHUTDOWN_GRACE_SECONDS * 1000,
  }
}

interface DatabaseAddress {
  readonly user: string
  readonly password: string
  readonly name: string
  readonly hosts: readonly DatabaseHost[]
}

// Written out because WHATWG's URL takes no list of hosts.
const databaseUrl = /^mysql:\/\/([^:@/]+)(?::(.*))?@([^@/]+)\/([^/?#]+)$/
const databaseHost = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/

/** The parts of a `DATABASE_URL`; undefined for any other text. */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const match = databaseUrl.exec(text)
  if (match === null) return undefined
  const hosts = (match[3] ?? '').split(',').map(parseHost)
  const [user, password, name] = [match[1], match[2] ?? '', match[4]].map((part) => decodePart(part ?? ''))
  if (user === undefined || password === undefined || name === undefined) return undefined
  const known = hosts.filter((host) => host !== undefined)
  return known.length === hosts.length ? { user, password, name, hosts: known } : undefined
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

/** `PUBLIC_URL` without a slash at its end; empty when not set, undefined when it is no web address. */
export function parsePublicUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return undefined
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function parseTrustProxy(text: string): TrustProxy {
  if (text === 'off' || text === 'false') return false
  if (text === 'true') return true
  return /^\d+$/.test(text) ? (_address, hop) => hop < Number(text) : text
}

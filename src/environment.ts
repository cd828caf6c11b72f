import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { isWithin } from './client/text.js'

const port = (value: number) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: value, description: 'a port, 0 to 65535' })
const whole = (minimum: number, maximum: number, value: number) =>
  Type.Integer({ minimum, maximum, default: value, description: `a whole number, ${minimum} to ${maximum}` })
const words = <const Word extends string>(all: readonly Word[], value: NoInfer<Word>) => {
  const pattern = `^(?:${all.join('|')})$`
  return Type.Unsafe<Word>({ type: 'string', pattern, default: value, description: all.join(', ') })
}
const text = (description: string, value: string) => Type.String({ default: value, description })
const optional = (description: string) => Type.Optional(Type.String({ description }))
const pemFile = optional('the name of a PEM file')

/** The default of `MAPPING_FILE`. */
export const defaultMappingFile = 'config/mapping.yaml'

/** The highest limit of requests a minute, of a key or an address. */
export const perMinuteMax = 10_000_000

/** The variables of the environment, with the description of what each allows. */
export const EnvironmentSchema = Type.Object({
  DATABASE_URL: Type.String({ description: 'mysql://user:password@host[:port]/database' }),
  DATABASE_URL_FILE: optional('the name of a file that holds the DATABASE_URL, instead of it'),
  DATABASE_TLS: words(['off', 'verify-ca', 'verify-identity'], 'off'),
  DATABASE_TLS_CA: pemFile,
  DATABASE_TLS_CERT: pemFile,
  DATABASE_TLS_KEY: pemFile,
  DATABASE_POOL_SIZE: whole(1, 1000, 10),
  DATABASE_CONNECTION_MAX_AGE_SECONDS: whole(1, 86_400, 60),
  DATABASE_QUERY_TIMEOUT_MS: whole(10, 600_000, 5000),
  DATABASE_QUEUE_LIMIT: whole(0, 100_000, 1000),
  SCHEMA_CHECK_SECONDS: whole(1, 3600, 15),
  MAPPING_FILE: text('the name of a YAML file', defaultMappingFile),
  HOST: text('an address to listen on', '127.0.0.1'),
  PORT: port(8080),
  OPS_HOST: text('an address to listen on', '127.0.0.1'),
  OPS_PORT: port(9090),
  KEY_CACHE_MAX: whole(1, 10_000_000, 10_000),
  KEY_CACHE_TTL_SECONDS: whole(0, 86_400, 30),
  RATE_LIMIT_PER_MINUTE: whole(0, perMinuteMax, 1200),
  REFUSED_KEYS_PER_MINUTE: whole(0, perMinuteMax, 60),
  COMPRESSION: words(['off', 'on'], 'on'),
  CORS_ORIGINS: optional(
    'origins such as https://app.example.com, without a path, separated by commas, or *',
  ),
  SYNC_OVERLAP_SECONDS: whole(0, 86_400, 120),
  AUDIT: words(['enforce', 'warn'], 'enforce'),
  PUBLIC_URL: optional('an http or https URL with no query'),
  TRUST_PROXY: text("off, true, a number of hops, or addresses, as Fastify's trustProxy", 'off'),
  MCP: words(['off', 'on', 'personal'], 'off'),
  LOG_LEVEL: words(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  SHUTDOWN_DELAY_SECONDS: whole(0, 3600, 0),
  SHUTDOWN_GRACE_SECONDS: whole(0, 3600, 10),
})

/** The environment as the schema types it. */
export type Environment = Static<typeof EnvironmentSchema>

/** The variables of a process, by their names. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The variables of the service, then those of `pull` and `verify`. */
const known = [...Object.keys(EnvironmentSchema.properties), 'VITRINE_URL', 'VITRINE_KEY']

/**
 * A warning for each variable that is not read although its name looks so: one edit from a name that is read, a part of one,
 * one with another unit, or one that begins with `VITRINE_`. Kubernetes sets such names itself where a service has the name vitrine,
 * and `verify` is given the names of variables that hold keys.
 */
export function listUnreadNames(variables: Variables): readonly string[] {
  const names = Object.keys(variables).filter(
    (name) => !known.includes(name) && !/^VITRINE_.*KEY$/.test(name),
  )
  const isOfCluster = names.some((name) => /^VITRINE_.*SERVICE_HOST$/.test(name))
  return names.flatMap((name) => {
    const isOurs = name.startsWith('VITRINE_') && !isOfCluster
    const plain = name.toUpperCase().slice(isOurs ? 'VITRINE_'.length : 0)
    // Three letters are one edit from many names.
    const nearest =
      known.find((one) => one.length > 3 && isWithin(plain, one, 1)) ??
      known.find((one) => isPart(plain, one) || isPart(plain.replace(/_[^_]*$/, ''), one, 3))
    const hint = nearest === undefined ? '' : `did you mean ${nearest}? `
    if (!isOurs && hint === '') return []
    return [`${name} is set, but Vitrine does not read it: ${hint}docs/configure.md lists every variable`]
  })
}

/** Whether a name is the first or the last words of another one, and at least so many. */
function isPart(name: string, other: string, words = 2): boolean {
  return name.split('_').length >= words && (other.startsWith(`${name}_`) || other.endsWith(`_${name}`))
}

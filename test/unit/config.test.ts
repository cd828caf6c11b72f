import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../src/config.js'
import { describeDatabaseUrl, parseDatabaseUrl } from '../../src/values/addresses.js'
import { EnvironmentSchema, listUnreadNames } from '../../src/environment.js'
import { createCertificate } from '../support/certificate.js'
import { makeFolder } from '../support/folder.js'
import { listIssues } from '../support/issues.js'

/* Defaults and the allowed values of each variable are compared with docs/configure.md in docs/pages.test.ts. */

const refused = parse(readFileSync('test/unit/addresses.yaml', 'utf8')) as [text: string, found: string][]
const required = { DATABASE_URL: 'mysql://reader:secret@db/product' }
const issuesOf = (variables: Readonly<Record<string, string | undefined>>) =>
  listIssues(() => parseConfig({ ...required, ...variables }))

test('an environment sets everything that it names', () => {
  const text = `DATABASE_URL=mysql://u:p@a:3307/d DATABASE_TLS=verify-identity
    DATABASE_POOL_SIZE=3 DATABASE_CONNECTION_MAX_AGE_SECONDS=60 DATABASE_QUERY_TIMEOUT_MS=250
    DATABASE_QUEUE_LIMIT=0 SCHEMA_CHECK_SECONDS=60 MAPPING_FILE=m.yaml HOST=localhost PORT=0
    OPS_HOST=10.0.0.1 OPS_PORT=0 KEY_CACHE_MAX=5 KEY_CACHE_TTL_SECONDS=0 RATE_LIMIT_PER_MINUTE=0
    REFUSED_KEYS_PER_MINUTE=7 COMPRESSION=off CORS_ORIGINS=https://app.example.com,http://localhost:3000
    SYNC_OVERLAP_SECONDS=0 AUDIT=warn PUBLIC_URL=https://api.example.com/vitrine/ TRUST_PROXY=10.0.0.0/8
    LOG_LEVEL=debug SHUTDOWN_DELAY_SECONDS=5 MCP=personal SHUTDOWN_GRACE_SECONDS=0`
  const variables = text.split(/\s+/).map((one) => one.split('='))
  const config = parseConfig(Object.fromEntries(variables) as Record<string, string>)
  expect(config).toMatchObject({
    database: {
      ...{ user: 'u', password: 'p', name: 'd', tls: 'verify-identity' },
      ...{ poolSize: 3, connectionMaxAgeMs: 60_000, queryTimeoutMs: 250, queueLimit: 0 },
    },
    listen: { host: '127.0.0.1', port: 0 },
    ops: { host: '10.0.0.1', port: 0 },
    keyCache: { max: 5, ttlMs: 0 },
    ...{ schemaCheckMs: 60_000, mappingFile: 'm.yaml', rateLimitPerMinute: 0, compression: false },
    ...{ failedAuthenticationsPerMinute: 7, mcp: 'personal' },
    corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
    ...{ syncOverlapSeconds: 0, audit: 'warn', publicUrl: 'https://api.example.com/vitrine' },
    ...{ trustProxy: '10.0.0.0/8', logLevel: 'debug', shutdownDelayMs: 5000, shutdownGraceMs: 0 },
  })
})

test('a name that only looks like a variable is a warning, with the nearest one', () => {
  const hintsOf = (...names: readonly string[]) =>
    listUnreadNames(Object.fromEntries(names.map((name) => [name, 'x']))).map((text) =>
      [/^\S+/, /did you mean \S+(?=\?)/].map((part) => part.exec(text)?.[0]).join(' '),
    )
  const others = [
    'PATH',
    'TCP',
    'POSTGRES_URL',
    'DATABASE_HOST',
    'DATABASE_URL_RO',
    'VITRINE_OTHER_KEY',
    'VITRINE_URL',
  ]
  expect(hintsOf(...Object.keys(EnvironmentSchema.properties), ...others)).toEqual([])
  expect(hintsOf('DATABSE_URL', 'LOGLEVEL', 'VITRINE_PORT', 'VITRINE_X', 'database_url')).toEqual([
    'DATABSE_URL did you mean DATABASE_URL',
    'LOGLEVEL did you mean LOG_LEVEL',
    'VITRINE_PORT did you mean PORT',
    'VITRINE_X ',
    'database_url did you mean DATABASE_URL',
  ])
  expect(hintsOf('DATABASE_QUERY_TIMEOUT', 'POOL_SIZE', 'KEY_CACHE_TTL_MS')).toEqual([
    'DATABASE_QUERY_TIMEOUT did you mean DATABASE_QUERY_TIMEOUT_MS',
    'POOL_SIZE did you mean DATABASE_POOL_SIZE',
    'KEY_CACHE_TTL_MS did you mean KEY_CACHE_TTL_SECONDS',
  ])
  expect(hintsOf('VITRINE_SERVICE_HOST', 'VITRINE_PORT', 'VITRINE_PORT_8080_TCP')).toEqual([])
})

test('variables of others are not an issue, and one that is set to nothing is not set', () => {
  const unset = { PORT: '', AUDIT: '', PUBLIC_URL: '', DATABASE_TLS_CA: '', HOST: undefined }
  const variables = { PATH: '/bin', ...unset }
  expect(parseConfig({ ...required, ...variables })).toEqual(parseConfig(required))
})

test('no issue shows a password, wherever an address was put', () => {
  const password = 'hunter2secret'
  for (const address of [
    `mysql://reader:${password}@db`,
    `mysql://reader:${password}@db:99999/product`,
    `mysql://reader:${password}%zz@db/product`,
    `reader:${password}`,
    password,
  ]) {
    const read = (): unknown => parseConfig({ DATABASE_URL: address, PORT: 'x' })
    expect(listIssues(read).map(({ path }) => path)).toEqual(['PORT', 'DATABASE_URL'])
    expect(read).toThrow(
      expect.not.objectContaining({ stack: expect.stringContaining(password) as string }) as Error,
    )
    expect(JSON.stringify(listIssues(read))).not.toContain(password)
  }
  const issues = issuesOf({ PUBLIC_URL: `mysql://u:${password}@h/d`, LOG_LEVEL: `mysql://u:${password}@h/d` })
  expect(issues.map((issue) => issue.path).sort()).toEqual(['LOG_LEVEL', 'PUBLIC_URL'])
  expect(JSON.stringify(issues)).not.toContain(password)
})

describe('an address of the database', () => {
  const h = { host: 'h', port: 3306 }
  test.each([
    ['mysql://u:p@h/d', 'u', 'p', 'd', h],
    ['mysql://u@h/d', 'u', '', 'd', h],
    ['mysql://u%40x:p%3A%2F%40%25@h/d%2Fe', 'u@x', 'p:/@%', 'd/e', h],
    ['mysql://u:a:b@c/d@h/d', 'u', 'a:b@c/d', 'd', h],
    ['mysql://u:p@[2001:db8::1]:3307/d', 'u', 'p', 'd', { host: '2001:db8::1', port: 3307 }],
    ['mysql://u:p@h/d?socket=/run/my%20sql.sock', 'u', 'p', 'd', { ...h, socket: '/run/my sql.sock' }],
  ])('%s is taken apart', (text, user, password, name, host) => {
    expect(parseDatabaseUrl(text)).toEqual({ user, password, name, ...host })
  })

  test.each(refused)('%o is refused, and the part is named: %s', (text, found) => {
    expect(parseDatabaseUrl(text)).toBeUndefined()
    expect(describeDatabaseUrl(text).found).toBe(found)
  })
})

test('DATABASE_URL_FILE is an issue beside DATABASE_URL, if it is not there, or if it holds another text', () => {
  const file = join(makeFolder(), 'url')
  writeFileSync(file, 'hunter2secret')
  const foundOf = (variables: Readonly<Record<string, string>>) =>
    listIssues(() => parseConfig(variables)).map(({ path, found, allowed }) => [path, found, allowed])
  expect([
    ...foundOf({ ...required, DATABASE_URL_FILE: file }),
    ...foundOf({ DATABASE_URL_FILE: '/none' }),
    ...foundOf({ DATABASE_URL_FILE: file }),
  ]).toEqual([
    ['DATABASE_URL_FILE', 'DATABASE_URL beside it', 'one of the two'],
    ['DATABASE_URL_FILE', '"/none", which does not exist', 'a file that can be read'],
    [
      'DATABASE_URL_FILE',
      `${JSON.stringify(file)}, which holds no scheme`,
      'an address that begins with mysql://',
    ],
  ])
  writeFileSync(file, `\n${required.DATABASE_URL}\n`)
  const { database } = parseConfig({ DATABASE_URL_FILE: file })
  expect(database).toEqual(parseConfig(required).database)
})

test('a certificate of the client wants its key, and TLS', () => {
  const pathsOf = (variables: Readonly<Record<string, string>>): readonly string[] =>
    issuesOf({ DATABASE_TLS: 'verify-ca', ...variables }).map(({ path }) => path)
  const { file, key } = createCertificate('DNS:db')
  const both = { DATABASE_TLS_CERT: file, DATABASE_TLS_KEY: key }
  expect(pathsOf({ DATABASE_TLS_CERT: file })).toEqual(['DATABASE_TLS_KEY'])
  expect(pathsOf({ DATABASE_TLS_KEY: key })).toEqual(['DATABASE_TLS_CERT'])
  expect(pathsOf({ ...both, DATABASE_TLS: 'off' })).toEqual(['DATABASE_TLS'])
  expect(pathsOf(both)).toEqual([])
  expect(pathsOf({ ...both, DATABASE_TLS_KEY: createCertificate('DNS:a').key })).toEqual(['DATABASE_TLS_KEY'])
  const swapped = { DATABASE_TLS_CERT: key, DATABASE_TLS_KEY: file, DATABASE_TLS_CA: '/none' }
  expect(issuesOf({ DATABASE_TLS: 'verify-ca', ...swapped }).map(({ found }) => found)).toEqual([
    '"/none", which does not exist',
    expect.stringContaining('which holds none'),
    expect.stringContaining('which holds none'),
  ])
})

const members = { PUBLIC_URL: 'publicUrl', CORS_ORIGINS: 'corsOrigins', TRUST_PROXY: 'trustProxy' } as const
type Texts = Readonly<Record<keyof typeof members, readonly [text: string, setting?: unknown][]>>
const texts = parse(readFileSync('test/unit/settings.yaml', 'utf8')) as Texts

describe.each(Object.entries(members))('%s', (name, member) => {
  test.each(texts[name as keyof Texts])('of %o is %o', (text, setting) => {
    const variables = { ...required, [name]: text }
    if (setting === undefined) expect(issuesOf(variables)).toMatchObject([{ path: name }])
    else expect(parseConfig(variables)[member]).toEqual(setting)
  })
})

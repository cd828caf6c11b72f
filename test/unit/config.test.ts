import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import { ConfigError } from '../../src/errors.js'
import type { ConfigIssue } from '../../src/errors.js'
import { describeDatabaseUrl, parseDatabaseUrl, parsePublicUrl } from '../../src/values/addresses.js'
import { listIssues } from '../support/issues.js'

const required = { DATABASE_URL: 'mysql://reader:secret@db/product' }

function faultsOf(variables: Readonly<Record<string, string | undefined>>): readonly ConfigIssue[] {
  return listIssues(() => parseConfig(variables))
}

describe('an environment', () => {
  test('of the address alone has the defaults of the contract', () => {
    expect(parseConfig(required)).toEqual({
      database: {
        user: 'reader',
        password: 'secret',
        name: 'product',
        hosts: [{ host: 'db', port: 3306 }],
        tls: 'off',
        urlFile: undefined,
        tlsCaFile: undefined,
        tlsCertFile: undefined,
        tlsKeyFile: undefined,
        serverPublicKeyFile: undefined,
        poolSize: 10,
        connectionMaxAgeMs: 60_000,
        queryTimeoutMs: 5000,
        queueLimit: 1000,
      },
      schemaCheckMs: 15_000,
      mappingFile: 'config/mapping.yaml',
      listen: { host: '127.0.0.1', port: 8080 },
      ops: { host: '127.0.0.1', port: 9090 },
      keyCache: { max: 10_000, ttlMs: 30_000 },
      rateLimitPerMinute: 1200,
      failedAuthenticationsPerMinute: 60,
      compression: true,
      corsOrigins: [],
      mcp: 'off',
      syncOverlapSeconds: 120,
      audit: 'enforce',
      publicUrl: '',
      trustProxy: false,
      logLevel: 'info',
      shutdownDelayMs: 0,
      shutdownGraceMs: 10_000,
    })
  })

  test('sets everything that it names', () => {
    const config = parseConfig({
      DATABASE_URL: 'mysql://u:p@a:3307/d',
      DATABASE_TLS: 'verify-identity',
      DATABASE_TLS_CA: '/etc/ca.pem',
      DATABASE_TLS_CERT: '/etc/cert.pem',
      DATABASE_TLS_KEY: '/etc/key.pem',
      DATABASE_SERVER_PUBLIC_KEY: '/etc/key.pem',
      DATABASE_POOL_SIZE: '3',
      DATABASE_CONNECTION_MAX_AGE_SECONDS: '60',
      DATABASE_QUERY_TIMEOUT_MS: '250',
      DATABASE_QUEUE_LIMIT: '0',
      SCHEMA_CHECK_SECONDS: '60',
      MAPPING_FILE: 'm.yaml',
      HOST: 'localhost',
      PORT: '0',
      OPS_HOST: '10.0.0.1',
      OPS_PORT: '0',
      KEY_CACHE_MAX: '5',
      KEY_CACHE_TTL_SECONDS: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      REFUSED_KEYS_PER_MINUTE: '7',
      COMPRESSION: 'off',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
      SYNC_OVERLAP_SECONDS: '0',
      AUDIT: 'warn',
      PUBLIC_URL: 'https://api.example.com/vitrine/',
      TRUST_PROXY: '10.0.0.0/8',
      LOG_LEVEL: 'debug',
      SHUTDOWN_DELAY_SECONDS: '5',
      MCP: 'personal',
      SHUTDOWN_GRACE_SECONDS: '0',
    })
    expect(config).toEqual({
      database: {
        user: 'u',
        password: 'p',
        name: 'd',
        hosts: [{ host: 'a', port: 3307 }],
        tls: 'verify-identity',
        urlFile: undefined,
        tlsCaFile: '/etc/ca.pem',
        tlsCertFile: '/etc/cert.pem',
        tlsKeyFile: '/etc/key.pem',
        serverPublicKeyFile: '/etc/key.pem',
        poolSize: 3,
        connectionMaxAgeMs: 60_000,
        queryTimeoutMs: 250,
        queueLimit: 0,
      },
      schemaCheckMs: 60_000,
      mappingFile: 'm.yaml',
      listen: { host: '127.0.0.1', port: 0 },
      ops: { host: '10.0.0.1', port: 0 },
      keyCache: { max: 5, ttlMs: 0 },
      rateLimitPerMinute: 0,
      failedAuthenticationsPerMinute: 7,
      compression: false,
      corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
      mcp: 'personal',
      syncOverlapSeconds: 0,
      audit: 'warn',
      publicUrl: 'https://api.example.com/vitrine',
      trustProxy: '10.0.0.0/8',
      logLevel: 'debug',
      shutdownDelayMs: 5000,
      shutdownGraceMs: 0,
    })
  })

  test('may hold variables of others', () => {
    expect(faultsOf({ ...required, PATH: '/bin', HOME: '/root' })).toEqual([])
  })

  test('takes a variable that is set to nothing for one that is not set', () => {
    const variables = {
      ...required,
      PORT: '',
      AUDIT: '',
      PUBLIC_URL: '',
      DATABASE_TLS_CA: '',
      HOST: undefined,
    }
    expect(parseConfig(variables)).toEqual(parseConfig(required))
  })
})

describe('a faulty environment', () => {
  test('lists every issue at once: the name, what was found, what is allowed', () => {
    const faults = faultsOf({
      DATABASE_URL: 'postgres://u:p@h/d',
      DATABASE_TLS: 'on',
      DATABASE_POOL_SIZE: '0',
      DATABASE_QUERY_TIMEOUT_MS: '5s',
      PORT: '65536',
      KEY_CACHE_TTL_SECONDS: '-1',
      SYNC_OVERLAP_SECONDS: '1.5',
      AUDIT: 'off',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'api.example.com',
    })
    expect([...faults].sort((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: 'AUDIT', found: '"off"', allowed: 'enforce, warn' },
      { path: 'DATABASE_POOL_SIZE', found: '"0"', allowed: 'a whole number, 1 to 1000' },
      { path: 'DATABASE_QUERY_TIMEOUT_MS', found: '"5s"', allowed: 'a whole number, 10 to 600000' },
      { path: 'DATABASE_TLS', found: '"on"', allowed: 'off, verify-ca, verify-identity' },
      {
        path: 'DATABASE_URL',
        found: 'another scheme',
        allowed: 'mysql:// in front',
      },
      { path: 'KEY_CACHE_TTL_SECONDS', found: '"-1"', allowed: 'a whole number, 0 to 86400' },
      { path: 'LOG_LEVEL', found: '"loud"', allowed: 'fatal, error, warn, info, debug, trace, silent' },
      { path: 'PORT', found: '"65536"', allowed: 'a port, 0 to 65535' },
      { path: 'PUBLIC_URL', found: '"api.example.com"', allowed: 'an http or https URL with no query' },
      { path: 'SYNC_OVERLAP_SECONDS', found: '"1.5"', allowed: 'a whole number, 0 to 86400' },
    ])
  })

  test.each([{}, { DATABASE_URL: '' }])('says once that there is no address: %o', (variables) => {
    expect(faultsOf(variables)).toEqual([
      {
        path: 'DATABASE_URL',
        found: 'nothing',
        allowed: 'mysql://user:password@host[:port]/database',
      },
    ])
  })

  test('never shows the password', () => {
    const password = 'hunter2secret'
    for (const address of [
      `mysql://reader:${password}@db`,
      `postgres://reader:${password}@db/product`,
      `mysql://reader:${password}@db:99999/product`,
      `mysql://reader:${password}%zz@db/product`,
      `mysql://reader:${password}@/product`,
      `mysql://reader:${password}@db/product?ssl=1`,
      `reader:${password}`,
      password,
    ]) {
      const read = (): unknown => parseConfig({ DATABASE_URL: address, PORT: 'x' })
      expect(listIssues(read).map(({ path }) => path)).toEqual(['PORT', 'DATABASE_URL'])
      expect(JSON.stringify(listIssues(read))).not.toContain(password)
      try {
        read()
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError)
        expect(`${String(error)} ${(error as Error).stack ?? ''}`).not.toContain(password)
      }
    }
  })
})

describe('an address of the database', () => {
  test.each([
    ['mysql://u:p@h/d', 'u', 'p', 'd', [{ host: 'h', port: 3306 }]],
    ['mysql://u@h/d', 'u', '', 'd', [{ host: 'h', port: 3306 }]],
    ['mysql://u:@h:1/d', 'u', '', 'd', [{ host: 'h', port: 1 }]],
    ['mysql://u%40x:p%3A%2F%40%25@h/d%2Fe', 'u@x', 'p:/@%', 'd/e', [{ host: 'h', port: 3306 }]],
    ['mysql://u:a:b@c/d@h/d', 'u', 'a:b@c/d', 'd', [{ host: 'h', port: 3306 }]],
    ['mysql://u:p@[::1]/d', 'u', 'p', 'd', [{ host: '::1', port: 3306 }]],
    ['mysql://u:p@[2001:db8::1]:3307/d', 'u', 'p', 'd', [{ host: '2001:db8::1', port: 3307 }]],
    [
      'mysql://u:p@localhost/d?socket=/run/my%20sql.sock',
      'u',
      'p',
      'd',
      [{ host: 'localhost', port: 3306, socket: '/run/my sql.sock' }],
    ],
  ])('%s is taken apart', (text, user, password, name, hosts) => {
    expect(parseDatabaseUrl(text)).toEqual({ user, password, name, hosts })
  })

  test.each([
    ['', 'nothing'],
    ['mysql://', 'no user'],
    ['mysql://h/d', 'no user'],
    ['mysql://:p@h/d', 'no user'],
    ['mysql://u:p@h', 'no database'],
    ['mysql://u:p@h/', 'no database'],
    ['mysql://u:p@/d', 'no host'],
    ['mysql://u:p@h,/d', 'several hosts'],
    ['mysql://u:p@h:1,g/d', 'several hosts'],
    ['mysql://u:p@h:0/d', 'a port that is none'],
    ['mysql://u:p@h:65536/d', 'a port that is none'],
    ['mysql://u:p@h:x/d', 'a port that is none'],
    ['mysql://u:p@::1/d', 'a port that is none'],
    ['mysql://u:p@[::1/d', 'a port that is none'],
    ['mysql://u:p@h/d?ssl-mode=REQUIRED', 'a query string'],
    ['mysql://u:p@h/d?socket=s', 'a query string'],
    ['mysql://u:p@h/d#x', 'a # behind the host'],
    ['mysql://u:p@h/d/e', 'another form'],
    ['mysql://u:%zz@h/d', 'a % that begins no escape'],
    ['mysql://u:p%Q@h/d', 'a % that begins no escape'],
    ['mysql://u:%ff@h/d', 'another form'],
    ['mariadb://u:p@h/d', 'another scheme'],
    ['mysql2://u:p@h/d', 'another scheme'],
    ['jdbc:mysql://h/d', 'another scheme'],
    ['u:p@h/d', 'no scheme'],
    ['"mysql://u:p@h/d"', 'quotes around it'],
    ['mysql://u:p@h /d ', 'a space or a line break in it'],
  ])('%o is refused, and the part is named: %s', (text, found) => {
    expect(parseDatabaseUrl(text)).toBeUndefined()
    expect(describeDatabaseUrl(text).found).toBe(found)
  })
})

test('a certificate of the client wants its key, and TLS', () => {
  const pathsOf = (variables: Readonly<Record<string, string>>): readonly string[] =>
    faultsOf({ ...required, DATABASE_TLS: 'verify-ca', ...variables }).map(({ path }) => path)
  expect(pathsOf({ DATABASE_TLS_CERT: 'c.pem' })).toEqual(['DATABASE_TLS_KEY'])
  expect(pathsOf({ DATABASE_TLS_KEY: 'k.pem' })).toEqual(['DATABASE_TLS_CERT'])
  const both = { DATABASE_TLS_CERT: 'c.pem', DATABASE_TLS_KEY: 'k.pem' }
  expect(pathsOf({ ...both, DATABASE_TLS: 'off' })).toEqual(['DATABASE_TLS'])
  expect(pathsOf(both)).toEqual([])
})

describe('PUBLIC_URL', () => {
  test.each([
    [undefined, ''],
    ['', ''],
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['http://localhost:8080/a/b//', 'http://localhost:8080/a/b'],
    ['https://API.example.com:443/A', 'https://api.example.com/A'],
    ['https://user:secret@api.example.com/a', 'https://api.example.com/a'],
  ])('of %s is %o', (text, publicUrl) => {
    expect(parsePublicUrl(text)).toBe(publicUrl)
  })

  test.each([
    'api.example.com',
    '/a',
    'ftp://h',
    'javascript:alert(1)',
    'https://h/?a=1',
    'https://h/#a',
    'https://',
  ])('of %s is refused', (text) => {
    expect(parsePublicUrl(text)).toBeUndefined()
  })
})

test('an address with an account is never repeated, wherever it was put', () => {
  const faults = faultsOf({
    ...required,
    PUBLIC_URL: 'mysql://u:topsecret@h/d',
    LOG_LEVEL: 'mysql://u:topsecret@h/d',
  })
  expect(faults.map((fault) => fault.path).sort()).toEqual(['LOG_LEVEL', 'PUBLIC_URL'])
  expect(JSON.stringify(faults)).not.toContain('topsecret')
})

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import { withDatabase } from '../../src/tools/commands/with-database.js'
import { startLocalServer } from '../product/local-server.js'
import type { LocalServer } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { createCertificate } from '../support/certificate.js'
import type { Certificate } from '../support/certificate.js'
import { findSection, runCheck } from '../support/checking.js'
import { makeFolder } from '../support/folder.js'
import { findProgramOfRun } from '../support/local-programs.js'
import { keyTable } from '../support/open-key.js'
import { useThrowaway } from '../support/service.js'
import { ask } from '../support/ask.js'
import { startImpostor } from '../support/impostor.js'

/*
 * How the database user logs in, and what needs a server of its own: the identity of a server, by the name or the address in DATABASE_URL, whose certificate changes;
 * and names of tables that the server stores in lower case.
 */

const throwaway = useThrowaway()
const program = findProgramOfRun()

describe.skipIf(program === undefined)('DATABASE_TLS=verify-identity', () => {
  const janitor = { add: throwaway.undo }
  let server: LocalServer
  let certificate: Certificate
  beforeAll(async () => {
    certificate = createCertificate('DNS:localhost', program)
    // MySQL takes the second option only where it fills its data directory.
    const more = program!.isMariaDb ? ['--lower-case-table-names=1'] : []
    server = await startLocalServer(program!, janitor, { options: () => [...certificate.options, ...more] })
  })

  const reload = (): Promise<void> =>
    runStatements(server.adminUrl, [program!.isMariaDb ? 'FLUSH SSL' : 'ALTER INSTANCE RELOAD TLS'])

  /** The cipher of a session with a host, or the message of the error. */
  async function connect(
    host: string,
    tls: string,
    ca = certificate.file,
    more: Readonly<Record<string, string>> = {},
    url = new URL(`${server.adminUrl}mysql`),
  ): Promise<unknown> {
    url.hostname = host
    const config = parseConfig({ DATABASE_URL: url.href, DATABASE_TLS: tls, DATABASE_TLS_CA: ca, ...more })
    return withDatabase(config, async ({ runQuery }): Promise<unknown> => {
      const [row] = await runQuery({ sql: "show session status like 'Ssl_cipher'", values: [] })
      return row?.['Value']
    }).catch((error: unknown) => ((error as Error).cause as Error).message)
  }

  const results: Readonly<Record<string, unknown>> = {
    accepted: expect.stringMatching(/^TLS_/),
    refused: expect.stringContaining("does not match certificate's altnames"),
  }

  test.each([
    ['IP:127.0.0.1', '127.0.0.1', 'accepted'],
    ['IP:127.0.0.2', '127.0.0.1', 'refused'],
    ['DNS:localhost', 'localhost', 'accepted'],
    ['DNS:localhost', '127.0.0.1', 'refused'],
    ['DNS:localhost,IP:127.0.0.1', '127.0.0.1', 'accepted'],
  ])('compares a certificate for %s with the host %s, which is %s', async (subjectAltName, host, result) => {
    certificate.renew(subjectAltName)
    await reload()
    expect(await connect(host, 'verify-identity')).toEqual(results[result])
    expect(await connect(host, 'verify-ca')).toEqual(results['accepted'])
  })

  test('trusts each authority of its file, also behind one that MySQL generated, which ends with a zero byte', async () => {
    certificate.renew('DNS:localhost')
    await reload()
    const other = createCertificate('DNS:localhost', { ...program, commonName: 'another authority' })
    const both = `${other.file}.both`
    await writeFile(
      both,
      `${await readFile(other.file, 'utf8')}\0${await readFile(certificate.file, 'utf8')}`,
    )
    expect(await connect('localhost', 'verify-identity', both)).toEqual(results['accepted'])
  })

  test('lets an account in that needs a certificate, with one and its key', async () => {
    certificate.renew('DNS:localhost')
    await reload()
    await runStatements(server.adminUrl, [
      "CREATE USER needs_one@'%' IDENTIFIED BY 'secret' REQUIRE X509",
      "GRANT SELECT ON mysql.* TO needs_one@'%'",
    ])
    const url = new URL(`${server.adminUrl}mysql`)
    url.username = 'needs_one'
    url.password = 'secret'
    const withOne = { DATABASE_TLS_CERT: certificate.file, DATABASE_TLS_KEY: certificate.key }
    expect(await connect('localhost', 'verify-identity', certificate.file, withOne, url)).toEqual(
      results['accepted'],
    )
    expect(await connect('localhost', 'verify-identity', certificate.file, {}, url)).toMatch(/Access denied/)
  })

  test.runIf(program?.isMariaDb)('check follows foreign keys of tables in mixed case', async () => {
    const names = ['EventVenues', 'EventOrders']
    const times = 'Made DATETIME NOT NULL, Changed DATETIME NOT NULL'
    await runStatements(server.adminUrl, [
      'CREATE DATABASE mixed',
      ...names.map((name) => `CREATE TABLE mixed.${name} (Id INT PRIMARY KEY, Mail VARCHAR(80) NOT NULL)`),
      `CREATE TABLE mixed.EventAttendees (Id INT PRIMARY KEY, OrderId INT NOT NULL, AccountId INT NOT NULL, State VARCHAR(9) NOT NULL,
        ${times}, KEY (AccountId, Changed, Id), FOREIGN KEY (OrderId) REFERENCES mixed.EventOrders (Id))`,
      ...names.map((name) => `INSERT INTO mixed.${name} VALUES (1, 'a@example.com')`),
      "INSERT INTO mixed.EventAttendees VALUES (1, 1, 1, 'OK', '2026-03-01', '2026-03-01')",
    ])
    const mappingFile = join(makeFolder(), 'mapping.yaml')
    const fields = {
      ...{ id: 'Id', eventId: 'OrderId', status: 'State', name: 'State', checkedIn: { constant: false } },
      email: { from: 'EventVenues', on: 'OrderId', column: 'Mail' },
      ...{ createdAt: 'Made', updatedAt: 'Changed' },
    }
    const registrations = { table: 'EventAttendees', workspace: 'AccountId', archived: [], fields }
    const mapping = { apiKeys: keyTable, registrations, timezone: '+00:00', neverRead: [] }
    await writeFile(mappingFile, JSON.stringify(mapping))
    const report = await runCheck({ readUrl: `${server.adminUrl}mixed`, mappingFile })
    const { findings } = findSection(report, 'contradictions')
    expect(findings.map(({ problem }) => problem).join()).toContain(
      'EventAttendees.OrderId refers to eventorders, and is looked up in EventVenues',
    )
  })
})

/** `connected`, or the message of the error. */
async function logIn(variables: Readonly<Record<string, string>>): Promise<string> {
  return withDatabase(parseConfig(variables), async ({ runQuery }) => {
    await runQuery({ sql: 'select 1 as `one`', values: [] })
    return 'connected'
  }).catch((error: unknown) => {
    const { cause, message } = error as Error
    return (cause as Error | undefined)?.message ?? message
  })
}

test.each(['client_ed25519', 'parsec'])('an account of %s gets a sentence with a remedy', async (plugin) => {
  const { port, passwords } = await startImpostor(plugin)
  const DATABASE_URL = `mysql://reader:secret@127.0.0.1:${port}/product`
  expect(await logIn({ DATABASE_URL })).toMatch(
    /^the account logs in with .*: give the account a password of another one/,
  )
  expect(passwords).toEqual([])
})

describe('a server that asks for the password as clear text', () => {
  test('does not get it without TLS', async () => {
    const { port, passwords } = await startImpostor('mysql_clear_password')
    const message = await logIn({ DATABASE_URL: `mysql://reader:secret@127.0.0.1:${port}/product` })
    expect(message).toMatch(/clear text.*set DATABASE_TLS to verify-identity/)
    expect(passwords).toEqual([])
  })

  test('gets it over TLS that is verified', async () => {
    const { file, key } = createCertificate('IP:127.0.0.1')
    const other = createCertificate('IP:127.0.0.1', { commonName: 'another authority' })
    const pem = { cert: readFileSync(file, 'utf8'), key: readFileSync(key, 'utf8') }
    const { port, passwords } = await startImpostor('mysql_clear_password', pem)
    const DATABASE_URL = `mysql://reader:secret@127.0.0.1:${port}/product`
    await logIn({ DATABASE_URL, DATABASE_TLS: 'verify-identity', DATABASE_TLS_CA: other.file })
    expect(passwords).toEqual([])
    await logIn({ DATABASE_URL, DATABASE_TLS: 'verify-identity', DATABASE_TLS_CA: file })
    expect(passwords).toEqual(['secret'])
  })
})

test('a Unix socket takes the place of the host and the port', async (context) => {
  const database = await throwaway.createProduct('plain', { registrations: 10 })
  const [row] = await ask(database.adminUrl, 'SELECT @@socket AS path')
  const path = String(row?.['path'])
  if (!existsSync(path)) return context.skip()
  const url = new URL(database.readUrl)
  const toUrl = (socket: string): string =>
    `mysql://${url.username}:${url.password}@localhost${url.pathname}?socket=${encodeURIComponent(socket).replaceAll('%2F', '/')}`
  expect(await logIn({ DATABASE_URL: toUrl(path) })).toBe('connected')
  expect(await logIn({ DATABASE_URL: toUrl(`${path}.none`) })).toContain('ENOENT')
})

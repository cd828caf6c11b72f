import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
import { useThrowaway } from '../support/service.js'

/*
 * What needs a server of its own: the identity of a server, by the name or the address in DATABASE_URL, whose certificate changes;
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
      'CREATE TABLE mixed.ApiKeys (Hash CHAR(64) PRIMARY KEY, AccountId INT NOT NULL)',
      ...names.map((name) => `CREATE TABLE mixed.${name} (Id INT PRIMARY KEY, Mail VARCHAR(80) NOT NULL)`),
      `CREATE TABLE mixed.EventAttendees (Id INT PRIMARY KEY, OrderId INT NOT NULL, AccountId INT NOT NULL, State VARCHAR(9) NOT NULL,
        ${times}, KEY (AccountId, Changed, Id), FOREIGN KEY (OrderId) REFERENCES mixed.EventOrders (Id))`,
      ...names.map((name) => `INSERT INTO mixed.${name} VALUES (1, 'a@example.com')`),
      "INSERT INTO mixed.EventAttendees VALUES (1, 1, 1, 'OK', '2026-03-01', '2026-03-01')",
    ])
    const mappingFile = join(makeFolder(), 'mapping.yaml')
    const attendee = {
      id: 'Id',
      eventId: 'OrderId',
      status: 'State',
      name: 'State',
      checkedIn: { constant: false },
    }
    const mail = { from: 'EventVenues', on: 'OrderId', column: 'Mail' }
    const fields = { ...attendee, email: mail, createdAt: 'Made', updatedAt: 'Changed' }
    const apiKeys = {
      table: 'ApiKeys',
      hash: { column: 'Hash', algorithm: 'sha256', encoding: 'hex' },
      ...{ workspace: 'AccountId', scopes: { grant: ['registration.read'] } },
    }
    const registrations = { table: 'EventAttendees', workspace: 'AccountId', archived: [], fields }
    await writeFile(
      mappingFile,
      JSON.stringify({ apiKeys, registrations, timezone: '+00:00', neverRead: [] }),
    )
    const report = await runCheck({ readUrl: `${server.adminUrl}mixed`, mappingFile })
    const { findings } = findSection(report, 'contradictions')
    expect(findings.map(({ problem }) => problem).join()).toContain(
      'EventAttendees.OrderId refers to eventorders, and is looked up in EventVenues',
    )
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/service/load-configuration.js'
import { parseConfig } from '../../src/config.js'
import { startJanitor } from '../product/janitor.js'
import { startLocalServer } from '../product/local-server.js'
import type { LocalServer } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { createCertificate } from '../support/certificate.js'
import type { Certificate } from '../support/certificate.js'
import { localPrograms } from '../support/local-programs.js'

/*
 * The identity of a server, by the name or the address in DATABASE_URL. It wants servers of its own, whose certificates
 * it changes.
 */

describe.each(Object.entries(localPrograms))('verify-identity with %s', (name, program) => {
  if (program === undefined) {
    process.stderr.write(`Skipped: TLS of ${name}, which this machine has not; see .ci/mysql.sh\n`)
    test.skip('no server could be started', () => undefined)
    return
  }
  const janitor = startJanitor()
  let server: LocalServer
  let certificate: Certificate
  beforeAll(async () => {
    certificate = createCertificate(program, janitor, 'DNS:localhost')
    server = await startLocalServer(program, janitor, certificate.options)
  })
  afterAll(() => janitor.finish())

  /** The cipher of a session with a host, or the message of the error. */
  async function connect(host: string, tls: string): Promise<unknown> {
    const url = new URL(`${server.adminUrl}mysql`)
    url.hostname = host
    const database = await openDatabase(
      parseConfig({ DATABASE_URL: url.href, DATABASE_TLS: tls, DATABASE_TLS_CA: certificate.file }),
    )
    try {
      const [row] = await database.runQuery({ sql: "show session status like 'Ssl_cipher'", values: [] })
      return row?.['Value']
    } catch (error) {
      return ((error as Error).cause as Error).message
    } finally {
      await database.close()
    }
  }

  const results: Readonly<Record<string, unknown>> = {
    accepted: expect.stringMatching(/^TLS_/),
    refused: expect.stringContaining("does not match certificate's altnames"),
  }

  test.each([
    ['IP:127.0.0.1', '127.0.0.1', 'accepted'],
    ['IP:127.0.0.1', 'localhost', 'refused'],
    ['IP:127.0.0.2', '127.0.0.1', 'refused'],
    ['DNS:localhost', 'localhost', 'accepted'],
    ['DNS:localhost', '127.0.0.1', 'refused'],
    ['DNS:other.example', 'localhost', 'refused'],
    ['DNS:other.example', '127.0.0.1', 'refused'],
    ['DNS:localhost,IP:127.0.0.1', '127.0.0.1', 'accepted'],
  ])('a certificate for %s and the host %s: %s', async (subjectAltName, host, result) => {
    certificate.renew(subjectAltName)
    await runStatements(server.adminUrl, [program.isMariaDb ? 'FLUSH SSL' : 'ALTER INSTANCE RELOAD TLS'])
    expect(await connect(host, 'verify-identity')).toEqual(results[result])
    expect(await connect(host, 'verify-ca')).toEqual(results['accepted'])
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/service/load-configuration.js'
import { parseConfig } from '../../src/config.js'
import { startLocalServer } from '../product/local-server.js'
import type { LocalServer } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { createCertificate } from '../support/certificate.js'
import type { Certificate } from '../support/certificate.js'
import { findProgramOfRun } from '../support/local-programs.js'
import { useThrowaway } from '../support/service.js'

/*
 * The identity of a server, by the name or the address in DATABASE_URL. It needs a server of its own, whose certificate
 * it changes.
 */

const throwaway = useThrowaway()
const program = findProgramOfRun()

describe.skipIf(program === undefined)('DATABASE_TLS=verify-identity', () => {
  const janitor = { add: throwaway.undo }
  let server: LocalServer
  let certificate: Certificate
  beforeAll(async () => {
    certificate = createCertificate(program!, janitor, 'DNS:localhost')
    server = await startLocalServer(program!, janitor, certificate.options)
  })

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
  ])('compares a certificate for %s with the host %s, which is %s', async (subjectAltName, host, result) => {
    certificate.renew(subjectAltName)
    await runStatements(server.adminUrl, [program!.isMariaDb ? 'FLUSH SSL' : 'ALTER INSTANCE RELOAD TLS'])
    expect(await connect(host, 'verify-identity')).toEqual(results[result])
    expect(await connect(host, 'verify-ca')).toEqual(results['accepted'])
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import { withDatabase } from '../../src/tools/commands/with-database.js'
import { ask } from '../support/ask.js'
import { createCertificate } from '../support/certificate.js'
import { startImpostor } from '../support/impostor.js'
import { useThrowaway } from '../support/service.js'

/* How the database user logs in. */

const throwaway = useThrowaway()
/** `connected`, or the message of the error. */
async function connect(variables: Readonly<Record<string, string>>): Promise<string> {
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
  expect(await connect({ DATABASE_URL })).toMatch(
    /^the account logs in with .*: give the account a password of another one/,
  )
  expect(passwords).toEqual([])
})

describe('a server that asks for the password as clear text', () => {
  test('does not get it without TLS', async () => {
    const { port, passwords } = await startImpostor('mysql_clear_password')
    const message = await connect({ DATABASE_URL: `mysql://reader:secret@127.0.0.1:${port}/product` })
    expect(message).toMatch(/clear text.*set DATABASE_TLS to verify-identity/)
    expect(passwords).toEqual([])
  })

  test('gets it over TLS that is verified', async () => {
    const { file, key } = createCertificate('IP:127.0.0.1')
    const other = createCertificate('IP:127.0.0.1', { commonName: 'another authority' })
    const pem = { cert: readFileSync(file, 'utf8'), key: readFileSync(key, 'utf8') }
    const { port, passwords } = await startImpostor('mysql_clear_password', pem)
    const DATABASE_URL = `mysql://reader:secret@127.0.0.1:${port}/product`
    await connect({ DATABASE_URL, DATABASE_TLS: 'verify-identity', DATABASE_TLS_CA: other.file })
    expect(passwords).toEqual([])
    await connect({ DATABASE_URL, DATABASE_TLS: 'verify-identity', DATABASE_TLS_CA: file })
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
  expect(await connect({ DATABASE_URL: toUrl(path) })).toBe('connected')
  expect(await connect({ DATABASE_URL: toUrl(`${path}.none`) })).toContain('ENOENT')
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keys, runStatements, withAccount } from '../product/index.js'
import { ask } from '../support/ask.js'
import { createClient } from '../support/client.js'
import { makeFolder } from '../support/folder.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

test('a rotated password is read from its file, and no request fails meanwhile', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 10 })
  const { username: user, password } = new URL(product.readUrl)
  const file = join(makeFolder(), 'url')
  writeFileSync(file, `${product.readUrl}\n`)
  const env = { DATABASE_URL: '', DATABASE_URL_FILE: file, DATABASE_CONNECTION_MAX_AGE_SECONDS: '1' }
  const service = await startService(product, { env })
  const client = createClient(service, keys.both)
  const listSessions = async (): Promise<readonly unknown[]> => {
    const sql = `SELECT id FROM information_schema.processlist WHERE user = '${user}'`
    return (await ask(product.adminUrl, sql)).map((row): unknown => row['id'])
  }
  const statuses = new Set<number>()
  const isReplaced = async (before: readonly unknown[]): Promise<boolean> => {
    statuses.add((await client.get('registrations')).status)
    const now = await listSessions()
    return now.length > 0 && !now.some((id) => before.includes(id))
  }
  for (const next of ['second', 'third']) {
    await runStatements(product.adminUrl, [`ALTER USER '${user}'@'%' IDENTIFIED BY '${next}'`])
    writeFileSync(file, withAccount(product.readUrl, { user, password: next }))
    const before = await listSessions()
    await expect.poll(() => isReplaced(before), { timeout: 20_000 }).toBe(true)
  }
  expect(statuses).toEqual(new Set([200]))
  expect((await service.ops.inject('/readyz')).statusCode).toBe(200)
  expect(service.logLines()).toContainEqual(
    expect.objectContaining({ user, msg: 'the database is read with another account or password' }),
  )
  for (const secret of [password, 'second', 'third', file]) expect(service.logs()).not.toContain(secret)
})

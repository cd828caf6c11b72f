import { afterEach, expect, inject, test, vi } from 'vitest'
import { startVitrine } from '../product/start-vitrine.js'
import { startThrowaway } from '../product/throwaway.js'
import { afterFile } from '../support/after-file.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
afterEach(() => vi.unstubAllEnvs())

const schema = `
CREATE TABLE api_keys (hash BINARY(32) PRIMARY KEY, ends DATETIME NULL);
CREATE TABLE bills (
  id INT PRIMARY KEY, state VARCHAR(9) NOT NULL DEFAULT 'PAID', total DECIMAL(9, 2) NOT NULL DEFAULT 1, made DATETIME(3) NOT NULL, changed TIMESTAMP(3) NOT NULL,
  KEY page (changed, id))`

test.each([
  ['Asia/Riyadh', 'America/New_York'],
  ['America/New_York', '+03:00'],
])('a Date is stored as that instant, with TZ=%s and the zone %s of the mapping', async (zone, timezone) => {
  vi.stubEnv('TZ', zone)
  const mapping = {
    timezone,
    apiKeys: {
      table: 'api_keys',
      hash: { column: 'hash', algorithm: 'sha256', encoding: 'binary' },
      workspace: { constant: '1' },
      scopes: { grant: ['invoices.read'] },
      expiresAt: 'ends',
    },
    invoices: {
      table: 'bills',
      workspace: { constant: '1' },
      archived: [],
      eventId: null,
      fields: {
        ...{ id: 'id', number: 'id', status: 'state', total: 'total', currency: { constant: 'EUR' } },
        ...{ issueDate: 'made', dueDate: null, createdAt: 'made', updatedAt: 'changed' },
      },
    },
    neverRead: [],
  }
  // In winter and in summer.
  const instants = ['2026-01-15T02:30:00.123Z', '2026-07-15T22:30:00.456Z']
  const bills = instants.map((text, id) => ({
    id,
    // Of a list of objects, one of which has no such member.
    total: id === 0 ? undefined : '1.00',
    made: new Date(text),
    changed: new Date(text),
  }))
  const product = await throwaway.createProduct({ schema: { text: schema }, rows: { bills }, mapping })
  const vitrine = await startVitrine({ databaseUrl: product.readUrl, mapping: product.mappingFile })
  afterFile(() => vitrine.stop())
  const read = async (endsInMs: number) => {
    const columns = { ends: new Date(Date.now() + endsInMs) }
    const key = await product.mintKey({ scopes: ['invoices.read'], columns })
    return fetch(`${vitrine.url}/api/public/v1/invoices`, { headers: { authorization: `Bearer ${key}` } })
  }
  const answer = await read(600_000)
  const { data } = (await answer.json()) as { data: readonly unknown[] }
  const total = '1.00'
  expect(data).toMatchObject(instants.map((text) => ({ total, createdAt: text, updatedAt: text })))
  expect((await read(-600_000)).status).toBe(401)
  const zoneless: unknown = new Date()
  await expect(product.query('SELECT ?', [zoneless as string])).rejects.toThrow(/^query takes no Date/)
})

test('another engine than the one that is asked for is refused in one sentence, which says what was found', async () => {
  const { isMariaDb, adminUrl } = inject('server')
  vi.stubEnv('TEST_DATABASE_URL', adminUrl)
  const other = startThrowaway({ engine: isMariaDb ? 'mysql' : 'mariadb' })
  await expect(other).rejects.toThrow(
    /^startThrowaway: engine is \w+, but version\(\) is \d\S+: \w+ [\d.]+ on \S+, because TEST_DATABASE_URL is set$/,
  )
  const { origin, stop } = await startThrowaway({ engine: isMariaDb ? 'mariadb' : 'mysql' })
  const { host } = new URL(adminUrl)
  const found = new RegExp(
    `^${isMariaDb ? 'MariaDB' : 'MySQL'} \\d[\\d.]+ on ${host}, because TEST_DATABASE_URL is set$`,
  )
  expect(origin).toMatch(found)
  await stop()
  vi.stubEnv('TEST_DATABASE_ORIGIN', 'the server of a global set-up')
  expect((await startThrowaway()).origin).toBe('the server of a global set-up')
})

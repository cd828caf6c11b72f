import { beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../support/client.js'
import { runStatements } from '../product/server.js'
import type { ProductDatabase } from '../product/index.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/*
 * The product's team alters its tables while Vitrine serves. Whatever the change, an answer is right or a 503, and the
 * service recovers by itself once the schema fits again.
 */

const throwaway = useThrowaway()
let database: ProductDatabase
let service: TestService
let client: ReturnType<typeof createClient>

beforeEach(async () => {
  database = await throwaway.createProduct('plain', { registrations: 60 })
  // Rare enough that only what a request itself finds can tell of a change in time.
  service = await startService(database, { env: { SCHEMA_CHECK_SECONDS: '3600' } })
  client = createClient(service)
})

const alter = (...changes: readonly string[]): Promise<void> =>
  runStatements(database.adminUrl, [
    "SET SESSION sql_mode = ''",
    ...changes.map((change) => `ALTER TABLE event_registrations ${change}`),
  ])
const statusOf = async (path: string, query = {}): Promise<number> => (await client.get(path, query)).status
const readReady = async () => {
  const { statusCode, body } = await service.ops.inject('/readyz')
  return { statusCode, ...(JSON.parse(body) as { readonly reasons: readonly string[] }) }
}
const linesWith = (text: string) =>
  service.logLines().filter(({ msg }) => typeof msg === 'string' && msg.includes(text))

test('a collation that becomes looser while serving lets nothing be found or filtered by in another case, of no workspace', async () => {
  const { body } = await client.get('registrations', { limit: 2 })
  const [{ id, eventId }, { id: foreign }] = body.data as [Record<string, string>, Record<string, string>]
  const loose = 'CHAR(26) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL'
  await alter(...['id', 'event_id', 'workspace_id'].map((name) => `MODIFY ${name} ${loose}`))
  await runStatements(database.adminUrl, [
    `UPDATE event_registrations SET workspace_id = LOWER(workspace_id) WHERE id = '${foreign!}'`,
  ])
  expect(await statusOf(`registrations/${id!}`)).toBe(200)
  for (const hidden of [id!.toLowerCase(), foreign!])
    expect(await statusOf(`registrations/${hidden}`)).not.toBe(200)
  const list = await client.get('registrations', { limit: 100 })
  expect(JSON.stringify(list.body)).toContain(id)
  expect(JSON.stringify(list.body)).not.toContain(foreign)
  expect((await client.get('registrations', { eventId: eventId! })).body.data.length).toBeGreaterThan(0)
  // A 503 has no data at all.
  const lower = await client.get('registrations', { eventId: eventId!.toLowerCase() })
  expect(JSON.stringify(lower.body)).not.toContain(eventId)
})

describe('a change that the mapping does not fit', () => {
  test.each([
    ['a time that becomes a day', 'MODIFY updated_at DATE NOT NULL'],
    ['a workspace that becomes a number', 'MODIFY workspace_id INT NOT NULL'],
    ['a renamed column', 'RENAME COLUMN attendee_name TO guest_name'],
    ['a renamed table', 'RENAME TO event_registrations_old'],
  ])('never empties a list or fails it with 500: %s', async (_what, change) => {
    const { body } = await client.get('registrations', { limit: 1 })
    const id = String(body.data[0]!['id'])
    await alter(change)
    for (const path of ['registrations', `registrations/${id}`, 'registrations', `registrations/${id}`])
      expect(await statusOf(path)).toBe(503)
    expect(await statusOf('registrations', { eventId: 'E1' })).toBe(503)
    expect(await statusOf('invoices')).toBe(200)
  })

  test('turns /readyz red, says in one line what is wrong, and ends by itself', async () => {
    expect(await readReady()).toMatchObject({ statusCode: 200, reasons: [] })
    await alter('RENAME COLUMN attendee_name TO guest_name')
    expect(await statusOf('registrations')).toBe(503)
    await expect.poll(async () => (await readReady()).statusCode).toBe(503)
    const red = await readReady()
    expect(red.reasons.join('\n')).toContain(
      'registrations.fields.name: found event_registrations.attendee_name',
    )
    const metrics = (await service.ops.inject('/metrics')).body
    expect(metrics).toContain('vitrine_schema_issues{section="registrations"} 1')
    expect(metrics).toContain('vitrine_schema_issues{section="invoices"} 0')
    expect(metrics).toContain('vitrine_unready_reasons{reason="schema"} 1')
    for (let at = 0; at < 5; at += 1) expect(await statusOf('registrations')).toBe(503)
    expect(linesWith('the schema does not fit the mapping')).toHaveLength(1)
    expect(service.logs()).not.toContain('    at ')
    await alter('RENAME COLUMN guest_name TO attendee_name')
    await expect.poll(() => statusOf('registrations'), { timeout: 30_000 }).toBe(200)
    await expect.poll(readReady, { timeout: 30_000 }).toMatchObject({ statusCode: 200, reasons: [] })
    expect(linesWith('the schema fits the mapping again')).toHaveLength(1)
  })

  test.each(['list', 'record'])('of the unique index is a 503 before a %s shows two rows', async (route) => {
    const { body } = await client.get('registrations', { limit: 1 })
    const id = String(body.data[0]!['id'])
    const copy = `INSERT INTO event_registrations SELECT * FROM event_registrations WHERE id = '${id}'`
    await alter('DROP PRIMARY KEY')
    await runStatements(database.adminUrl, [copy])
    expect(await statusOf(route === 'list' ? 'registrations' : `registrations/${id}`)).toBe(503)
    expect((await readReady()).reasons.join('\n')).toContain(
      'registrations.fields.id: found event_registrations.id, which no index makes unique',
    )
    await runStatements(database.adminUrl, [
      `DELETE FROM event_registrations WHERE id = '${id}' LIMIT 1`,
      'ALTER TABLE event_registrations ADD PRIMARY KEY (id)',
    ])
    await expect.poll(() => statusOf('registrations'), { timeout: 30_000 }).toBe(200)
  })

  test('of the key table is a 503 for keys that are not cached, and a reason of its own', async () => {
    await runStatements(database.adminUrl, ['RENAME TABLE workspace_api_keys TO keys_old'])
    expect(await statusOf('registrations')).toBe(503)
    await expect.poll(async () => (await readReady()).reasons.join('\n')).toContain('apiKeys')
    await runStatements(database.adminUrl, ['RENAME TABLE keys_old TO workspace_api_keys'])
    await expect.poll(() => statusOf('registrations'), { timeout: 30_000 }).toBe(200)
  })
})

describe('a change that the mapping still fits', () => {
  test('is logged where it takes the index of lists away', async () => {
    service = await startService(database, { env: { SCHEMA_CHECK_SECONDS: '1' } })
    client = createClient(service)
    const metric = async (): Promise<string> => (await service.ops.inject('/metrics')).body
    expect(await metric()).toContain('vitrine_paging_index{collection="registrations"} 1')
    await alter('DROP INDEX ix_reg_sync')
    await expect.poll(metric).toContain('vitrine_paging_index{collection="registrations"} 0')
    expect(linesWith('an index was dropped')).toMatchObject([
      { table: 'event_registrations', index: 'ix_reg_sync' },
    ])
    expect(await statusOf('registrations')).toBe(200)
  })
})

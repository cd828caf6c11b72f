import { beforeEach, describe, expect, test } from 'vitest'
import { ask } from '../support/ask.js'
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

const looseId = 'CHAR(26) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL'

describe('a collation that becomes looser while serving', () => {
  test('lets no record be found and no event be filtered by in another case', async () => {
    const { body } = await client.get('registrations', { limit: 1 })
    const [id, eventId] = ['id', 'eventId'].map((name) => String(body.data[0]![name])) as [string, string]
    await alter(`MODIFY id ${looseId}, MODIFY event_id ${looseId}`)
    expect(await statusOf(`registrations/${id}`)).toBe(200)
    expect(await statusOf(`registrations/${id.toLowerCase()}`)).not.toBe(200)
    expect((await client.get('registrations', { eventId })).body.data.length).toBeGreaterThan(0)
    // A 503 has no data at all.
    const lower = await client.get('registrations', { eventId: eventId.toLowerCase() })
    expect(JSON.stringify(lower.body)).not.toContain(eventId)
  })

  test('shows no record of a workspace whose id differs by case alone', async () => {
    const { body } = await client.get('registrations', { limit: 1 })
    const id = String(body.data[0]!['id'])
    await alter(`MODIFY workspace_id ${looseId}`)
    const [row] = await ask(
      database.adminUrl,
      `SELECT workspace_id AS workspace FROM event_registrations WHERE id = '${id}'`,
    )
    const other = String(row!['workspace']).toLowerCase()
    expect(other).not.toBe(row!['workspace'])
    await runStatements(database.adminUrl, [
      `UPDATE event_registrations SET workspace_id = '${other}' WHERE id = '${id}'`,
    ])
    expect(await statusOf(`registrations/${id}`)).not.toBe(200)
    const list = await client.get('registrations', { limit: 100 })
    expect(JSON.stringify(list.body)).not.toContain(id)
  })
})

describe('a change that the mapping does not fit', () => {
  test.each([
    ['an id of the event that becomes a number', 'MODIFY event_id INT NOT NULL'],
    ['a time that becomes a day', 'MODIFY updated_at DATE NOT NULL'],
    ['a status that becomes a float', 'MODIFY reg_status DOUBLE NOT NULL'],
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

  test('never leaves a list empty whose fields are looked up, after an empty page was confirmed', async () => {
    const email = { from: 'event_registrations', on: 'id', column: 'attendee_email' }
    service = await startService(database, {
      env: { SCHEMA_CHECK_SECONDS: '3600' },
      change: ({ registrations: { fields, ...section }, ...mapping }) => ({
        ...mapping,
        registrations: { ...section, fields: { ...fields, email } },
      }),
    })
    client = createClient(service)
    await runStatements(database.adminUrl, ['UPDATE event_registrations SET archived_at = updated_at'])
    expect([await statusOf('registrations'), await statusOf('registrations')]).toEqual([200, 200])
    await alter('MODIFY workspace_id INT NOT NULL')
    expect(await statusOf('registrations')).toBe(503)
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
  test.each([
    ['a new column', 'ADD COLUMN note VARCHAR(20) NULL'],
    ['a new index', 'ADD INDEX ix_new (workspace_id, reg_status, updated_at, id)'],
    ['a lost index', 'DROP INDEX ix_reg_event'],
  ])('is served on without an error: %s', async (_what, change) => {
    const before = (await client.get('registrations', { limit: 100 })).body.data
    await alter(change)
    expect((await client.get('registrations', { limit: 100 })).body.data).toEqual(before)
    expect(await readReady()).toMatchObject({ statusCode: 200, reasons: [] })
    expect((await client.get('registrations', { limit: 100 })).body.data).toEqual(before)
  })

  test('takes a new character set into use at the first id that is not found', async () => {
    const { body } = await client.get('registrations', { limit: 1 })
    // As wide and as exact as before: only the name of the collation tells.
    await alter('MODIFY id CHAR(26) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL')
    const change = `UPDATE event_registrations SET id = 'ä-new' WHERE id = '${String(body.data[0]!['id'])}'`
    await runStatements(database.adminUrl, [change])
    const path = `registrations/${encodeURIComponent('ä-new')}`
    expect([await statusOf(path), await statusOf(path)]).toEqual([200, 200])
  })

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

import type { Connection, RowDataPacket } from 'mysql2/promise'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { runStatements } from '../product/index.js'
import type { TestDatabase } from '../product/test-database.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { plainYaml } from '../support/plain-mapping.js'
import { listBlocks } from '../support/readme.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * The event of docs/deploy.md, on a server whose scheduler runs. The overlap is 3 seconds, and the user has the grants that
 * `vitrine grants` prints.
 */

const throwaway = useThrowaway()
const { adminUrl, isMariaDb } = inject('server')
const overlapSeconds = 3
let scheduler = 'ON'
let database: TestDatabase
let client: Client
/** Sessions of the product. */
let [holder, writer, reader] = [] as unknown as [Connection, Connection, Connection]

const read = async (sql: string): Promise<Readonly<Record<string, string>>> => {
  const [rows] = await reader.query<RowDataPacket[]>(sql)
  return rows[0] as Readonly<Record<string, string>>
}
const insert = (id: string): string =>
  `INSERT INTO event_registrations (id, workspace_id, event_id, reg_status, attendee_name, attendee_email, badge_qr_token, created_at, updated_at)
   VALUES ('${id}', 'W', 'E', 'CONFIRMED', 'Ada', 'ada@example.com', '${id}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`
const update =
  "UPDATE event_registrations SET attendee_name = 'Late', updated_at = UTC_TIMESTAMP(3) WHERE id = 'a'"

beforeAll(async () => {
  const blocks = listBlocks('sql', 'docs/deploy.md').filter((block) => block.includes('vitrine_heartbeat'))
  const [table = '', event = ''] = blocks
  const own = isMariaDb ? event.replace('performance_schema', 'information_schema') : event
  database = await throwaway.createProduct({
    schema: [new URL('../product/plain.sql', import.meta.url), { text: table }],
    mapping: {
      text: `heartbeat: { table: vitrine_heartbeat, column: ts, oldestOpen: oldest_open }\n${plainYaml}`,
    },
  })
  const options = { uri: database.adminUrl, dateStrings: true, timezone: 'Z' }
  holder = await mysql.createConnection(options)
  writer = await mysql.createConnection(options)
  reader = await mysql.createConnection(options)
  scheduler = (await read('SELECT @@event_scheduler AS state'))['state']!
  await reader.query('SET GLOBAL event_scheduler = ON')
  await runStatements(database.adminUrl, [insert('a'), insert('b'), own])
  await vi.waitUntil(
    async () => Number((await read('SELECT count(*) AS n FROM vitrine_heartbeat'))['n']) === 1,
    { timeout: 10_000 },
  )
  const service = await startService(database, {
    env: { AUDIT: 'enforce', SYNC_OVERLAP_SECONDS: String(overlapSeconds) },
  })
  client = createClient(
    service,
    await database.mintKey({ workspace: 'W', scopes: ['registration.read'], columns: { label: 'x' } }),
  )
})
afterAll(async () => {
  await runStatements(adminUrl, [`SET GLOBAL event_scheduler = ${scheduler}`])
  for (const session of [holder, writer, reader]) session.destroy()
})

const list = async (query: Record<string, string | number> = {}) => {
  const { body, text, status } = await client.get('registrations', query)
  expect(status, text).toBe(200)
  return body
}
const toMs = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`)

describe.each([
  ['a row', ['START TRANSACTION', "SELECT id FROM event_registrations WHERE id = 'a' FOR UPDATE"], 'COMMIT'],
  ['a table', ['LOCK TABLES event_registrations READ'], 'UNLOCK TABLES'],
])('a statement that waits for a lock of %s', (_, locks, unlock) => {
  test('and is committed later than the overlap is in the next sync', async () => {
    for (const statement of locks) await holder.query(statement)
    const late = writer.query(update)
    const begun = Date.now()
    // Until a sync with the overlap alone would begin after the change.
    await expect.poll(() => Date.now() - begun).toBeGreaterThan(2 * overlapSeconds * 1000)
    const { meta, data } = await list({ limit: 1 })
    const last = await list({ cursor: meta.cursor! })
    expect([data[0]!['name'], last.data[0]!['name']]).toEqual(['Ada', 'Ada'])
    // Less the 10 seconds for clocks.
    expect(Date.parse(last.meta.nextUpdatedSince)).toBeLessThan(begun - 8000)
    await holder.query(unlock)
    await late
    const next = await list({ updatedSince: last.meta.nextUpdatedSince })
    const changed = next.data.find(({ id }) => id === 'a')!
    expect(changed['name']).toBe('Late')
    expect(Date.parse(String(changed['updatedAt']))).toBeLessThan(begun + 1000)
    await runStatements(database.adminUrl, ["UPDATE event_registrations SET attendee_name = 'Ada'"])
  })
})

test('a transaction that only reads does not count, and without an open one the heartbeat itself does', async () => {
  await holder.query('START TRANSACTION WITH CONSISTENT SNAPSHOT')
  await holder.query('SELECT count(*) FROM event_registrations')
  const { begun } = await read('SELECT UTC_TIMESTAMP(6) AS begun')
  const isBeyond = async (): Promise<boolean> => {
    const { oldest = '' } = await read('SELECT oldest_open AS oldest FROM vitrine_heartbeat')
    return toMs(oldest) > toMs(begun!)
  }
  await expect.poll(isBeyond).toBe(true)
  await holder.query('COMMIT')
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseListQuery } from '../../src/collections/list-query.js'
import { findWorkspaceColumn } from '../../src/collections/resolved-table.js'
import type { ResolvedTable } from '../../src/collections/resolved-table.js'
import { renderPage, renderRecords } from '../../src/collections/statements.js'
import { readSchema } from '../../src/database/schema.js'
import { renderProbe } from '../../src/database/schema-sql.js'
import type { Statement } from '../../src/database/statement.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import { listMappedColumns, listMappedTables } from '../../src/mapping/mapped-columns.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import type { CollectionName } from '../support/expected.js'
import { openMeasuredConnection } from '../support/measured-connection.js'
import type { MeasuredConnection } from '../support/measured-connection.js'
import { startService, useThrowaway } from '../support/service.js'
import { bindIdentifier } from '../../src/collections/identifier-fields.js'
import { findEventColumn } from '../../src/collections/event-filter.js'

/* How many rows the storage engine hands over for a statement, by the server's own counters. */

const throwaway = useThrowaway()
const limit = 5
const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``

describe.each(['plain', 'awkward'] as const)('the %s product', (name) => {
  let database: ProductDatabase
  let connection: MeasuredConnection
  let client: Client
  let workspaceId: string
  const tables: Partial<Record<CollectionName, ResolvedTable>> = {}
  beforeAll(async () => {
    database = await throwaway.createProduct(name, { registrations: 5000 })
    workspaceId = database.product.workspaceId(0)
    client = createClient(await startService(database))
    connection = await openMeasuredConnection(database.adminUrl)
    const mapping = await loadMapping(database.mappingFile)
    const schema = await readSchema(connection.runQuery, listMappedTables(mapping))
    const resolved = resolveMapping(mapping, schema)
    for (const collection of collections) tables[collection] = resolved[collection]!.table
  })
  afterAll(() => connection.end())

  const measure = async (statement: Statement) => {
    const { entries, scanned, keys, rows } = await connection.measure((run) => run(statement))
    return { steps: entries + scanned, keys, rows }
  }
  const parse = (collection: CollectionName, search: string) =>
    parseListQuery(search, { collection, workspaceId, statuses: undefined })

  /** A cursor that stands deep in the table, with the filters of the search. */
  const walkTo = async (collection: CollectionName, search: string): Promise<string> => {
    const filters = Object.fromEntries(new URLSearchParams(search))
    const count = (await client.crawl(collection, { ...filters, limit: 100 })).length
    let query: Record<string, string> = filters
    for (let rest = Math.max(1, Math.floor(count / 2)); rest > 0; rest -= 100) {
      const { body } = await client.get(collection, { ...query, limit: Math.min(rest, 100) })
      query = { cursor: body.meta.cursor! }
    }
    return query['cursor']!
  }

  /**
   * Entries that lie between where a page begins and its last row, in the order of the list: what it shows, and
   * what its filters skip. Within one event only, where an index holds the event together.
   */
  const countEntries = async (
    collection: CollectionName,
    search: string,
    last: Readonly<Record<string, unknown>> | undefined,
  ): Promise<number> => {
    const table = tables[collection]!
    const { filters, crawl } = parse(collection, search)
    const [time, id] = [quote(table.updatedAt.column.name), quote(table.id.column.name)]
    const conditions = [`${quote(findWorkspaceColumn(table)!.name)} = ?`]
    const values: unknown[] = [workspaceId]
    const add = (text: string, ...more: readonly unknown[]): void => {
      conditions.push(text)
      values.push(...more)
    }
    if (filters.eventId !== undefined && collection === 'registrations') {
      const event = findEventColumn(table)
      if (event !== undefined) add(`${quote(event.column.name)} = ?`, bindIdentifier(event, filters.eventId))
    }
    if (crawl !== undefined) {
      const { updatedAt, id: behind } = crawl.position
      add(`(${time}, ${id}) > (?, ?)`, updatedAt, bindIdentifier(table.id, behind!))
    } else if (filters.updatedSince !== undefined) add(`${time} >= '2026-01-20 00:00:00'`)
    if (last !== undefined)
      add(`(${time} is null or (${time}, ${id}) <= (?, ?))`, last['updatedAt'], last['id'])
    const text = `select count(*) as entries from ${quote(table.name)} where ${conditions.join(' and ')}`
    const [row] = await connection.runQuery({ sql: text, values: values as string[] })
    return Number(row!['entries'])
  }

  test('whether the columns can be read is found without a row of any table', async () => {
    const mapping = await loadMapping(database.mappingFile)
    const { steps, keys, rows } = await measure(renderProbe(listMappedColumns(mapping)))
    // The row of the statement itself, and for each table the end of an empty one.
    expect([steps, keys, rows.length]).toEqual([1 + listMappedTables(mapping).length, 0, 1])
  })

  describe.each(collections)('%s', (collection) => {
    const ofEvent = (): string => `eventId=${database.product.eventId(1)}`
    const ofStatus = (): string =>
      `status=${encodeURIComponent(String(listExpected(database, collection)[0]!.view['status']))}`

    test.each([
      ['no filter', () => ''],
      ['an instant', () => 'updatedSince=2026-01-20T00:00:00Z'],
      ['an event', ofEvent],
      ['a status', ofStatus],
      ['an event and a status', () => `${ofEvent()}&${ofStatus()}`],
    ])('with %s, a page reads limit + 1 entries and those that its filters skip', async (kind, toFilters) => {
      for (const place of ['first', 'deep']) {
        const filters = toFilters()
        const search = place === 'first' ? filters : `cursor=${await walkTo(collection, filters)}`
        const query = parse(collection, `limit=${limit}&${search}`)
        const read = await measure(renderPage({ table: tables[collection]!, workspaceId, query }))
        expect(read.rows.length).toBeGreaterThan(0)
        const last = read.rows.length > limit ? read.rows.at(-1) : undefined
        const entries = await countEntries(collection, search, last)
        // A table of links is asked for each entry, which MariaDB counts twice.
        const linked = kind.includes('event') && name === 'awkward' && collection === 'invoices'
        expect(read.steps, place).toBeLessThanOrEqual(linked ? 2 * entries : entries)
        expect(read.keys, place).toBeLessThanOrEqual(linked ? 2 * entries + 2 : 2)
      }
    })

    test('one record is one look-up', async () => {
      const id = String(listExpected(database, collection)[40]!.view['id'])
      const read = await measure(renderRecords(tables[collection]!, workspaceId, [id]))
      expect([read.rows.length, read.keys, read.steps]).toEqual([1, 1, 0])
    })

    test('a list still answers when the index that it names has vanished', async () => {
      const own = await throwaway.createProduct(name, { registrations: 300 })
      const client = createClient(await startService(own))
      const before = await client.crawl(collection, { limit: 20 })
      const { name: table, indexes } = tables[collection]!
      const index = name === 'awkward' ? 'by_tenant' : indexes.find((one) => one.name.endsWith('_sync'))!.name
      await runStatements(own.adminUrl, [`ALTER TABLE ${quote(table)} DROP KEY ${index}`])
      expect(await client.crawl(collection, { limit: 20 })).toEqual(before)
    })
  })
})

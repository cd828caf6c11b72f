import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadMapping, openDatabase } from '../../src/mapping/load-configuration.js'
import { parseConfig } from '../../src/config.js'
import { readSchema } from '../../src/database/schema.js'
import { renderTypes } from '../../src/database/schema-sql.js'
import type { Statement } from '../../src/database/statement.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { listMappedColumns, listMappedTables } from '../../src/mapping/mapped-columns.js'
import { findWorkspaceColumn } from '../../src/collections/resolved-table.js'
import type { ResolvedTable } from '../../src/collections/resolved-table.js'
import { planRecord, renderRecord } from '../../src/collections/record.js'
import { bindIdentifier } from '../../src/collections/filters.js'
import { planPage } from '../../src/collections/page.js'
import { parseListQuery } from '../../src/collections/list-query.js'
import type { ProductDatabase } from '../product/index.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import type { CollectionName } from '../support/expected.js'
import { countReads } from '../support/measured-connection.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * How many rows the storage engine hands over for a statement, by the server's own Handler_read counters; they
 * do not depend on how fast the machine is.
 */

const throwaway = useThrowaway()
const limit = 5

/** Rows that the engine read for a statement: entries stepped through, and look-ups by key. */
interface RowsRead {
  readonly steps: number
  readonly lookups: number
  readonly rows: readonly RowDataPacket[]
}

async function measure(connection: mysql.Connection, { sql, values }: Statement): Promise<RowsRead> {
  const { rows, counts } = await countReads(connection, async () => {
    const [found] = await connection.execute<RowDataPacket[]>(sql, values as (string | Buffer | null)[])
    return found
  })
  const sum = (...names: readonly string[]): number =>
    names.reduce((total, name) => total + (counts.get(`Handler_read_${name}`) ?? 0), 0)
  return {
    steps: sum('next', 'prev', 'rnd', 'rnd_next', 'first', 'last'),
    lookups: sum('key'),
    rows,
  }
}

describe.each(['plain', 'awkward'] as const)('the %s product', (name) => {
  let database: ProductDatabase
  let connection: mysql.Connection
  let client: Client
  const sources = new Map<string, ResolvedTable>()
  let types: Statement
  let tables: number
  beforeAll(async () => {
    database = await throwaway.createProduct(name, { registrations: 5000 })
    client = createClient(await startService(database))
    connection = await mysql.createConnection({
      uri: database.adminUrl,
      charset: 'utf8mb4',
      timezone: 'Z',
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
    })
    await connection.query("SET SESSION time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'")
    const opened = await openDatabase(parseConfig({ DATABASE_URL: database.readUrl }))
    const mapping = await loadMapping(database.mappingFile)
    const { registrations, invoices } = resolveMapping(
      mapping,
      await readSchema(opened.runQuery, listMappedTables(mapping)),
    )
    if (registrations !== undefined) sources.set('registrations', registrations.table)
    if (invoices !== undefined) sources.set('invoices', invoices.table)
    types = renderTypes(listMappedColumns(mapping))
    tables = listMappedTables(mapping).length
    await opened.close()
  })
  afterAll(() => connection.end())

  const statementOf = (collection: CollectionName, search: string): Statement => {
    const workspaceId = database.product.workspaceId(0)
    const query = parseListQuery(`limit=${limit}&${search}`, { collection, workspaceId, statuses: undefined })
    return planPage(sources.get(collection)!, workspaceId, query).statement
  }

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
    last: RowDataPacket | undefined,
  ): Promise<number> => {
    const source = sources.get(collection)!
    const workspaceId = database.product.workspaceId(0)
    const scope = { collection, workspaceId }
    const query = parseListQuery(search, { ...scope, statuses: undefined })
    const [time, id] = [source.updatedAt.column.name, source.id.column.name].map((column) => `\`${column}\``)
    const position = query.crawl?.position
    const conditions: [string, unknown[]][] = [
      [`\`${findWorkspaceColumn(source)!.name}\` = ?`, [workspaceId]],
    ]
    if (
      query.filters.eventId !== undefined &&
      source.eventId !== undefined &&
      'column' in source.eventId &&
      collection === 'registrations'
    ) {
      conditions.push([
        `\`${source.eventId.column.name}\` = ?`,
        [bindIdentifier(source.eventId, query.filters.eventId)],
      ])
    }
    if (position !== undefined)
      conditions.push([
        `(${time}, ${id}) > (?, ?)`,
        [position.updatedAt, bindIdentifier(source.id, position.id!)],
      ])
    else if (query.filters.updatedSince !== undefined)
      conditions.push([`${time} >= '2026-01-20 00:00:00'`, []])
    if (last !== undefined)
      conditions.push([`(${time} is null or (${time}, ${id}) <= (?, ?))`, [last['updatedAt'], last['id']]])
    const sql = `select count(*) as entries from \`${source.name}\` where ${conditions.map(([text]) => text).join(' and ')}`
    const [rows] = await connection.execute<RowDataPacket[]>(
      sql,
      conditions.flatMap(([, values]) => values) as string[],
    )
    return Number(rows[0]!['entries'])
  }

  test('the types of the columns are found without a row of any table', async () => {
    const { steps, lookups, rows } = await measure(connection, types)
    // The row of the statement itself, and for each table the end of an empty one.
    expect([steps, lookups, rows.length]).toEqual([1 + tables, 0, 1])
  })

  describe.each(collections)('%s', (collection) => {
    const statusOf = (): string =>
      encodeURIComponent(String(listExpected(database, collection)[0]!.view['status']))
    const searches: Readonly<Record<string, () => string>> = {
      'no filter': () => '',
      'an instant': () => 'updatedSince=2026-01-20T00:00:00Z',
      'an event': () => `eventId=${database.product.eventId(1)}`,
      'a status': () => `status=${statusOf()}`,
      'an event and a status': () => `eventId=${database.product.eventId(1)}&status=${statusOf()}`,
    }

    describe.each(Object.keys(searches))('with %s', (kind) => {
      test.each(['first', 'deep'] as const)(
        'the %s page reads limit + 1 entries and those that its filters skip',
        async (place) => {
          const filters = searches[kind]!()
          const search = place === 'first' ? filters : `cursor=${await walkTo(collection, filters)}`
          const read = await measure(connection, statementOf(collection, search))
          expect(read.rows.length).toBeGreaterThan(0)
          const last = read.rows.length > limit ? read.rows.at(-1) : undefined
          const entries = await countEntries(collection, search, last)
          // A table of links is asked for each entry, which MariaDB counts twice.
          const linked = kind.includes('event') && name === 'awkward' && collection === 'invoices'
          expect(read.steps).toBeLessThanOrEqual(linked ? 2 * entries : entries)
          expect(read.lookups).toBeLessThanOrEqual(linked ? 2 * entries + 2 : 2)
        },
      )
    })

    test('one record is one look-up', async () => {
      const id = String(listExpected(database, collection)[40]!.view['id'])
      const plan = planRecord(sources.get(collection)!, database.product.workspaceId(0), id)
      const read = await measure(connection, renderRecord(plan!))
      expect([read.rows.length, read.lookups, read.steps]).toEqual([1, 1, 0])
    })

    test('a list still answers when the index that it names has vanished', async () => {
      const own = await throwaway.createProduct(name, { registrations: 300 })
      const client = createClient(await startService(own))
      const before = await client.crawl(collection, { limit: 20 })
      const admin = await mysql.createConnection({ uri: own.adminUrl })
      const table = {
        plain: { registrations: 'event_registrations', invoices: 'invoices' },
        awkward: { registrations: '`attendees?`', invoices: 'bills' },
      }[name][collection]
      const index = {
        plain: { registrations: 'ix_reg_sync', invoices: 'ix_inv_sync' },
        awkward: { registrations: 'by_tenant', invoices: 'by_tenant' },
      }[name][collection]
      await admin.query(`ALTER TABLE ${table} DROP KEY ${index}`)
      await admin.end()
      expect(await client.crawl(collection, { limit: 20 })).toEqual(before)
    })
  })
})

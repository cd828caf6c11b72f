import { readFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { readSchema } from '../../src/database/schema.js'
import { readPage } from '../../src/api/list.js'
import { listMappedTables } from '../../src/mapping/mapped-columns.js'
import { readMapping } from '../../src/mapping/load-configuration.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import type { CrawlState } from '../../src/collections/cursor.js'
import { parseListQuery } from '../../src/collections/list-query.js'
import type { RunStatement } from '../../src/database/statement.js'
import type { BoundCollection } from '../../src/collections/collection.js'
import type { ResolvedTable } from '../../src/collections/resolved-table.js'
import { splitStatements } from '../product/index.js'
import { openMeasuredConnection } from './measured-connection.js'
import type { MeasuredConnection, RowsRead } from './measured-connection.js'
import { keyTable } from './open-key.js'
import { createOwnDatabase } from './own-database.js'
import { createTestCaller } from './scheduler-world.js'
import { useThrowaway } from './service.js'

/** The limit of each page, the rows that it reads, and the ends of ranges that a server reads beside them. */
export const limit = 5
export const [page, tail] = [limit + 1, 2]

interface Wanted {
  readonly table: ResolvedTable
  readonly workspaceId: string
  readonly search?: string
  /** Where a deep page begins: behind this row. */
  readonly behind?: CrawlState['position']
}

/** A database with lookup-tables.sql and the tables of another file, for the tests of one file, whose pages are measured. */
export function useMeasuredPages(sqlFile: string) {
  const throwaway = useThrowaway()
  let connection: MeasuredConnection
  beforeAll(async () => {
    const files = ['test/support/lookup-tables.sql', sqlFile]
    const statements = files.flatMap((file) => splitStatements(readFileSync(file, 'utf8')))
    connection = await openMeasuredConnection(await createOwnDatabase(throwaway, statements))
  })
  afterAll(() => connection.end())
  const resolveSection = async (
    collection: 'registrations' | 'invoices',
    section: Readonly<Record<string, unknown>>,
  ): Promise<ResolvedTable> => {
    const file = { timezone: '+00:00', apiKeys: keyTable, [collection]: { archived: [], ...section } }
    const mapping = readMapping(JSON.stringify({ ...file, neverRead: ['*.nothing'] }))
    const schema = await readSchema(connection.runQuery, listMappedTables(mapping))
    return resolveMapping(mapping, schema)[collection]!.table
  }
  /** A table of tickets; `changes` replace or add fields, `section` other options. */
  const resolve = (
    table: 'tickets' | 'entries',
    workspace: unknown,
    changes: Readonly<Record<string, unknown>>,
    section: Readonly<Record<string, unknown>> = {},
  ): Promise<ResolvedTable> => {
    const fields = {
      ...{ id: 'id', eventId: 'event_id', checkedIn: { constant: false }, createdAt: 'touched' },
      status: { when: [{ column: 'is_cancelled', equals: 1, then: 'CANCELLED' }], otherwise: 'VALID' },
      name: { from: 'people_3', on: 'state_id', column: 'name' },
      email: { from: 'mails_3', on: 'state_id', key: 'code', column: 'mail' },
      updatedAt: { column: 'touched', neverChanges: true },
      ...changes,
    }
    return resolveSection('registrations', { table, workspace, ...section, fields })
  }
  /** What a whole page reads, with everything that is read before its own statement. */
  const measure = ({ table, workspaceId, search = '', behind }: Wanted): Promise<RowsRead> => {
    const rules = { collection: 'registrations' as const, workspaceId, statuses: undefined }
    const query = parseListQuery(`limit=${limit}&${search}`, rules)
    const startedAt = { seconds: 0, micros: 0 }
    const crawl = behind === undefined ? undefined : { position: behind, startedAt, filters: query.filters }
    const context = { caller: createTestCaller() }
    return connection.measure((runQuery) =>
      readPage(
        // The counted connection makes rows and no records, which nothing here reads.
        runQuery as RunStatement,
        { collection: { table } as BoundCollection, workspaceId, query: { ...query, crawl }, context },
      ),
    )
  }
  return { connection: () => connection, resolve, resolveSection, measure }
}

/** The ids of the rows that a page read. */
export const toIds = ({ rows }: RowsRead): readonly number[] => rows.map(({ id }) => Number(id))

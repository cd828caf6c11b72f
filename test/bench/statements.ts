import { planPage } from '../../src/collections/page.js'
import { planRecord, renderRecord } from '../../src/collections/record.js'
import type { ResolvedTable } from '../../src/collections/resolved-table.js'
import type { Statement } from '../../src/database/statement.js'
import { resolveProduct } from '../support/plain-mapping.js'

/** A statement of the plain handler. A value that is the name of a part of a request stands for that part. */
type PlainStatement = Pick<Statement, 'sql' | 'values'>

/** The statements of Vitrine for the list behind a cursor and the record, as the plain handler can send them. */
export function renderStatements(): Readonly<Record<'list' | 'record', PlainStatement>> {
  const table = withoutZeroDates(resolveProduct('plain').registrations.table)
  const filters = { updatedSince: undefined, eventId: undefined, status: undefined }
  const position = { updatedAt: 'since', id: 'after' }
  const crawl = { filters, startedAt: { seconds: 0, micros: 0 }, position }
  const record = planRecord(table, 'workspace', 'id')
  if (record === undefined) throw new Error('The plain product has a text as id')
  return {
    list: planPage(table, 'workspace', { limit: 25, filters, crawl }, 'direct').statement,
    record: renderRecord(record),
  }
}

/** As the comparison with the schema finds it. */
function withoutZeroDates(table: ResolvedTable): ResolvedTable {
  const archived = table.archived.map((test) => ({ ...test, column: { ...test.column, isZeroFree: true } }))
  return { ...table, archived }
}

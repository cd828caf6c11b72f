import { isAccessDenied, isSchemaError, isTimeLimit, isViewInvalid } from '../../database/errors.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { findColumn, readDescription } from '../description.js'
import { matches } from './names.js'
import { listReferences } from './references.js'
import { renderSample } from './sample-sql.js'
import { describeTable } from './table-facts.js'
import type { TableFacts } from './table-facts.js'
import { toCell } from './values.js'
import { toSnake } from './words.js'

/** The facts of a database that decide a mapping. */
export interface Facts {
  readonly server: {
    readonly name: string
    readonly version: string
    readonly zone: string
    readonly now: string
  }
  readonly tables: ReadonlyMap<string, TableFacts>
  readonly statements: number
}

/** The most tables that are read; others are only named. */
const tablesMax = 300

const serverSql = `select database() as name, version() as version, cast(utc_timestamp() as char) as now,
  replace(@@global.time_zone, 'SYSTEM', concat('SYSTEM ', @@system_time_zone)) as zone`

/**
 * Reads the facts of the current database: five statements for its catalogue, and one for each table. Of a large table the newest
 * and the oldest rows are read, by the primary key.
 */
export async function readFacts(runQuery: RunQuery): Promise<Facts> {
  const description = await readDescription(runQuery)
  const references = listReferences(description)
  const [row] = await runQuery({ sql: serverSql, values: [] })
  const cell = (name: string): string => toCell(row?.[name]) ?? ''
  const server = { name: cell('name'), version: cell('version'), zone: cell('zone'), now: cell('now') }
  let statements = 5
  const tables = new Map<string, TableFacts>()
  for (const table of description.values()) {
    const own = references.get(table) ?? []
    const asked = own.filter(({ column, parent, key, isDeclared }) => {
      const isSame = findColumn(parent, key)?.collation === column.collation
      return !isDeclared && !table.isView && isSame
    })
    const isRead = tables.size < tablesMax && !matches('machinery', toSnake(table.name))
    const rows = isRead ? await readRows(runQuery, renderSample(table, asked)) : undefined
    if (isRead) statements += 1
    tables.set(table.name, describeTable({ table, references: own, asked, rows, now: server.now }))
  }
  return { server, tables, statements }
}

/** No rows where the statement takes too long, is denied, or reads what is gone. */
async function readRows(runQuery: RunQuery, sql: string): Promise<readonly Row[] | undefined> {
  try {
    return await runQuery({ sql, values: [] })
  } catch (error) {
    if ([isTimeLimit, isSchemaError, isAccessDenied, isViewInvalid].some((is) => is(error))) return undefined
    throw error
  }
}

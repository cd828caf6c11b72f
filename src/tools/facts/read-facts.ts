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
  /** `name`, `version`, `zone` and `now`. */
  readonly server: Readonly<Record<string, string>>
  readonly tables: ReadonlyMap<string, TableFacts>
}

/** The most tables that are read; others are only named. */
const tablesMax = 300

const serverSql = `select database() as name, version() as version, cast(utc_timestamp() as char) as now,
  replace(@@global.time_zone, 'SYSTEM', concat('SYSTEM ', @@system_time_zone)) as zone`

/**
 * Reads the facts of the current database: five statements for its catalog, and one for each table. Of a large table the newest
 * and the oldest rows are read, by the primary key.
 *
 * @param spelled as of `readDescription`.
 */
export async function readFacts(runQuery: RunQuery, spelled?: readonly string[]): Promise<Facts> {
  const description = await readDescription(runQuery, spelled)
  const allReferences = listReferences(description)
  const [row = {}] = await runQuery({ sql: serverSql, values: [] })
  const server = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toCell(cell) ?? '']))
  const parents = new Set([...allReferences.values()].flatMap((all) => all.map(({ parent }) => parent)))
  const tables = new Map<string, TableFacts>()
  for (const table of description.values()) {
    const references = allReferences.get(table) ?? []
    const asked = references.filter(({ column, parent, key, isDeclared }) => {
      const isIndexed = findColumn(parent, key)?.collation === column.collation
      return isIndexed && !isDeclared && !table.isView
    })
    // Sessions can be those of a workshop.
    const isMachinery = matches('machinery', toSnake(table.name)) && !parents.has(table)
    const isRead = tables.size < tablesMax && !isMachinery
    const rows = isRead ? await readRows(runQuery, renderSample(table, asked)) : undefined
    tables.set(table.name, describeTable({ table, references, asked, rows, now: server['now'] ?? '' }))
  }
  return { server, tables }
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

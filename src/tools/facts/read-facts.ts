import { isAccessDenied, isSchemaError, isTimeLimit, isViewInvalid } from '../../database/errors.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { readDescription } from '../description.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import { findColumns, findKey, isMoment } from './columns.js'
import { matches, weighNoun } from './names.js'
import { listReferences, toTarget } from './references.js'
import type { Reference, References } from './references.js'
import { isHidden, renderJsonKeys, renderSample, renderShares, sampleMax } from './sample-sql.js'
import { describeKeyValues, findKeyValue } from './settings.js'
import { chooseShown, isPersonal } from './shown.js'
import { describeTimes } from './times.js'
import { count, describeValues, toCell } from './values.js'
import type { Cells, ValueFacts } from './values.js'
import { toNoun, toSnake } from './words.js'

/** What the rows of a table show of a column. */
export interface ColumnFacts extends ValueFacts {
  readonly filled: number
  readonly distinct: number
  /** Empty texts, or zero dates. */
  readonly empty: number
  readonly emails: number
  /** The digits of the shortest and the longest integer. */
  readonly digits: readonly [least: number, most: number] | undefined
}

/** What the rows of a table show: no text of a person is in it. */
export interface TableFacts {
  readonly table: DescribedTable
  readonly references: readonly Reference[]
  /** The rows that were read; undefined for a table that was not read. */
  readonly rows: number | undefined
  /** Whether there are more rows than were read. */
  readonly isSample: boolean
  readonly columns: ReadonlyMap<string, ColumnFacts>
  /** Of a table of keys and values. */
  readonly settings: readonly string[]
}

/** The facts of a database that decide a mapping. */
export interface Facts {
  /** The cells `name`, `version`, `zone` and `now`. */
  readonly server: Row
  readonly description: Description
  readonly references: References
  readonly tables: ReadonlyMap<DescribedTable, TableFacts>
  readonly statements: number
}

/** The most tables that are read; others are only named. */
export const tablesMax = 300

/** Runs a statement; no rows where it takes too long, is denied, or reads what is gone. */
type Read = (sql: string) => Promise<readonly Row[] | undefined>

/**
 * Reads the facts of the current database: five statements for its catalogue, and at most three for each table. Of a large
 * table the newest and the oldest rows are read, by the primary key.
 */
export async function readFacts(runQuery: RunQuery): Promise<Facts> {
  let statements = 4
  const read: Read = async (sql) => {
    statements += 1
    try {
      return await runQuery({ sql, values: [] })
    } catch (error) {
      if ([isTimeLimit, isSchemaError, isAccessDenied, isViewInvalid].some((is) => is(error)))
        return undefined
      throw error
    }
  }
  const description = await readDescription(runQuery)
  const references = listReferences(description)
  const server = (await read(serverSql))?.[0] ?? {}
  const tables = new Map<DescribedTable, TableFacts>()
  for (const table of [...description.values()].slice(0, tablesMax))
    tables.set(table, await readTable(read, table, references.get(table) ?? [], toCell(server['now']) ?? ''))
  return { server, description, references, tables, statements }
}

const serverSql = `select database() as name, version() as version, cast(utc_timestamp() as char) as now,
  replace(@@global.time_zone, 'SYSTEM', concat('SYSTEM ', @@system_time_zone)) as zone`

async function readTable(
  read: Read,
  table: DescribedTable,
  references: readonly Reference[],
  now: string,
): Promise<TableFacts> {
  const none = { table, references, isSample: false, columns: new Map<string, ColumnFacts>(), settings: [] }
  const sample = matches('machinery', toSnake(table.name)) ? undefined : await read(renderSample(table))
  if (sample === undefined || sample.length === 0) return { ...none, rows: sample?.length }
  const cells = new Map(
    table.columns.map((column, i) => [column, sample.map((row) => toCell(row[`c${i}`]))] as const),
  )
  const of = (column: DescribedColumn | undefined): Cells => (column && cells.get(column)) ?? []
  const filled = (column: DescribedColumn): number => of(column).filter((cell) => cell !== undefined).length
  const shares = await readShares(
    read,
    table,
    references.filter(({ column }) => filled(column) > 0),
  )
  const json = await readJson(
    read,
    table,
    table.columns.filter((column) => {
      const objects = of(column).filter((cell) => /^[{[]/.test(cell ?? '')).length
      return filled(column) > 0 && (column.kind === 'json' || objects > filled(column) / 2)
    }),
  )
  const shown = new Map(table.columns.map((column) => [column, findShown(table, column, references)]))
  const created = findColumns(table, 'createdAt').find(({ column }) => isMoment(column))?.column
  const values = describeValues(table, shown, of, of(findKey(table)))
  const columns = table.columns.map((column): readonly [string, ColumnFacts] => {
    const own = values.get(column) ?? { codes: [], hidden: 0, texts: [] }
    const isShown = shown.get(column) === 'time'
    const times = describeTimes(of(column), column.kind, {
      created: created === column ? [] : of(created),
      now,
      isShown,
    })
    const texts = [shares.get(column), json.get(column), ...times, ...own.texts].flatMap((text) => text ?? [])
    return [column.name, { ...countCells(table, column, of(column)), ...own, texts }]
  })
  const pair = findKeyValue(table, references)
  const settings = pair === undefined ? [] : describeKeyValues(of(pair.key), of(pair.value))
  const isSample = sample.length >= sampleMax
  return { ...none, rows: sample.length, isSample, columns: new Map(columns), settings }
}

/** What is shown of a column. Of a key of another table only the codes of a small one. */
function findShown(table: DescribedTable, column: DescribedColumn, references: readonly Reference[]) {
  const shown = chooseShown(table, column)
  const parent = references.find((one) => one.column === column)?.parent
  if (table.primary.includes(column.name) && shown !== 'uuid') return undefined
  return parent !== undefined && weighNoun('label', toNoun(parent.name)) === 0 ? undefined : shown
}

function countCells(
  table: DescribedTable,
  column: DescribedColumn,
  cells: Cells,
): Omit<ColumnFacts, keyof ValueFacts> {
  const all = cells.filter((cell) => cell !== undefined)
  const isNumber =
    column.kind === 'integer' && !table.primary.includes(column.name) && !isPersonal(table, column)
  const lengths = isNumber ? all.map(({ length }) => length) : []
  return {
    filled: all.length,
    distinct: isHidden(column) ? 0 : new Set(all).size,
    empty: all.filter((cell) => (column.kind === 'text' ? cell === '' : cell.startsWith('0000-'))).length,
    emails: column.kind === 'text' ? all.filter((cell) => /.@.+\../.test(cell)).length : 0,
    digits: lengths.length === 0 ? undefined : [Math.min(...lengths), Math.max(...lengths)],
  }
}

/** The names in JSON objects that many of them have. */
async function readJson(
  read: Read,
  table: DescribedTable,
  columns: readonly DescribedColumn[],
): Promise<ReadonlyMap<DescribedColumn, string>> {
  const rows = columns.length === 0 ? [] : ((await read(renderJsonKeys(table, columns))) ?? [])
  return new Map(
    columns.map((column, i) => {
      const objects = rows.flatMap((row) => toCell(row[`k${i}`]) ?? [])
      const names = count(objects.flatMap((text) => JSON.parse(text) as readonly string[]))
      const usual = names
        .filter(({ code, rows: n }) => /^[a-z_]\w{0,29}$/i.test(code) && n >= Math.max(2, objects.length / 5))
        .slice(0, 12)
      return [column, `JSON${usual.length === 0 ? '' : ` {${usual.map(({ code }) => code).join(',')}}`}`]
    }),
  )
}

/** How many of the newest values of a reference by name are keys there. */
async function readShares(
  read: Read,
  table: DescribedTable,
  references: readonly Reference[],
): Promise<ReadonlyMap<DescribedColumn, string>> {
  const asked = references.filter(({ column, parent, key, isDeclared }) => {
    const other = parent.columns.find(({ name }) => name === key)
    return !isDeclared && !table.isView && other?.collation === column.collation
  })
  const [row] = asked.length === 0 ? [] : ((await read(renderShares(table, asked))) ?? [])
  return new Map(
    asked.map((reference, i) => {
      const [found = 0, all = 0] = (toCell(row?.[`r${i}`]) ?? '').split('/').map(Number)
      return [
        reference.column,
        `~${toTarget(reference)}${all === 0 ? '' : `(${Math.round((100 * found) / all)}%)`}`,
      ]
    }),
  )
}

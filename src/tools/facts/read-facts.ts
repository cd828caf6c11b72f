import { isAccessDenied, isSchemaError, isTimeLimit } from '../../database/errors.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { readDescription } from '../description.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import { findColumns, isMoment } from './columns.js'
import { matches, weighNoun } from './names.js'
import { listReferences } from './references.js'
import type { Reference, References } from './references.js'
import { countedMax, isLarge, renderCell, renderCounts, renderJsonKeys, renderShares } from './sample-sql.js'
import { describeKeyValues, findKeyValue, renderKeyValues } from './settings.js'
import { chooseShown, isPersonal } from './shown.js'
import { describeTimes } from './times.js'
import { count, readValues, renderValues, toCell } from './values.js'
import type { ShownColumn, ValueFacts } from './values.js'
import { toNoun, toSnake } from './words.js'

/** What the rows of a table show of a column. */
export interface ColumnFacts extends ValueFacts {
  readonly filled: number
  readonly distinct: number
  /** Empty texts, or zero dates. */
  readonly empty: number
  readonly emails: number
  /** The digits of the smallest and the largest integer. */
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

/** Runs a statement; undefined where it takes too long, or is denied. */
type Read = (sql: string) => Promise<readonly Row[] | undefined>

/**
 * Reads the facts of the current database: five statements for its catalogue, and at most five for each table. Of a large
 * table the newest and the oldest rows are read, by the primary key.
 */
export async function readFacts(runQuery: RunQuery): Promise<Facts> {
  let statements = 4
  const read: Read = async (sql) => {
    statements += 1
    try {
      return await runQuery({ sql, values: [] })
    } catch (error) {
      if (isTimeLimit(error) || isSchemaError(error) || isAccessDenied(error)) return undefined
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
  const facts = {
    table,
    references,
    rows: undefined,
    isSample: false,
    columns: new Map<string, ColumnFacts>(),
    settings: [],
  }
  if (matches('machinery', toSnake(table.name))) return facts
  const all = listShown(table, references)
  const ranged = new Set(table.columns.filter((column) => isRanged(table, column, all)))
  const created = findColumns(table, 'createdAt').find(({ column }) => isMoment(column))?.column
  const counts = (await read(renderCounts(table, ranged, created)))?.[0]
  if (counts === undefined) return facts
  const rows = Number(counts['n'])
  if (rows === 0) return { ...facts, rows }
  const isFilled = ({ column }: { readonly column: DescribedColumn }): boolean =>
    Number(counts[`n${table.columns.indexOf(column)}`]) > 0
  const values = await readShown(read, table, all.filter(isFilled))
  const shares = await readShares(read, table, references.filter(isFilled))
  const json = await readJson(read, table, counts)
  const columns = table.columns.map((column, i): readonly [string, ColumnFacts] => {
    const own = values.get(column) ?? { codes: [], hidden: 0, texts: [] }
    const times = describeTimes(counts, i, { column, created, now, isShown: ranged.has(column) })
    const texts = [shares.get(column), json.get(column), ...times, ...own.texts].flatMap((text) => text || [])
    return [column.name, { ...readCounts(counts, i, column), ...own, texts }]
  })
  const isSample = isLarge(table) || rows >= 2 * countedMax
  return {
    ...facts,
    rows,
    isSample,
    columns: new Map(columns),
    settings: await readSettings(read, table, references),
  }
}

async function readShown(
  read: Read,
  table: DescribedTable,
  shown: readonly ShownColumn[],
): Promise<ReadonlyMap<DescribedColumn, ValueFacts>> {
  const rows = shown.length === 0 ? [] : ((await read(renderValues(table, shown))) ?? [])
  return new Map(
    readValues(shown, rows).flatMap((facts, i) => (shown[i] === undefined ? [] : [[shown[i].column, facts]])),
  )
}

async function readSettings(
  read: Read,
  table: DescribedTable,
  references: readonly Reference[],
): Promise<readonly string[]> {
  const pair = findKeyValue(table, references)
  return pair === undefined ? [] : describeKeyValues((await read(renderKeyValues(table, pair))) ?? [])
}

/** The columns whose values are read. Of a key of another table only the codes of a small one. */
function listShown(table: DescribedTable, references: readonly Reference[]): readonly ShownColumn[] {
  return table.columns.flatMap((column): readonly ShownColumn[] => {
    const shown = chooseShown(table, column)
    const parent = references.find((one) => one.column === column)?.parent
    if (shown === undefined || (table.primary.includes(column.name) && shown !== 'uuid')) return []
    return parent !== undefined && weighNoun('label', toNoun(parent.name)) === 0 ? [] : [{ column, shown }]
  })
}

function isRanged(table: DescribedTable, column: DescribedColumn, shown: readonly ShownColumn[]): boolean {
  if (shown.some((one) => one.column === column && one.shown === 'time')) return true
  return column.kind === 'integer' && !table.primary.includes(column.name) && !isPersonal(table, column)
}

function readCounts(row: Row, i: number, column: DescribedColumn): Omit<ColumnFacts, keyof ValueFacts> {
  const at = (name: string): number => Number(row[`${name}${i}`] ?? 0)
  const [low, high] = [toCell(row[`lo${i}`]), toCell(row[`hi${i}`])]
  const isRange = column.kind === 'integer' && low !== undefined && high !== undefined
  const digits = isRange ? ([low.length, high.length] as const) : undefined
  // Of such a column only whether it is there was counted.
  const distinct = renderCell(column).startsWith('if(') ? 0 : at('d')
  return { filled: at('n'), distinct, empty: at('z'), emails: at('e'), digits }
}

/** The names in JSON objects that many of them have. */
async function readJson(
  read: Read,
  table: DescribedTable,
  counts: Row,
): Promise<ReadonlyMap<DescribedColumn, string>> {
  const columns = table.columns.filter(({ kind }, i) => {
    const [filled = 0, found = 0] = ['n', 'j'].map((name) => Number(counts[`${name}${i}`] ?? 0))
    return filled > 0 && (kind === 'json' || found > filled / 2)
  })
  const rows = columns.length === 0 ? [] : ((await read(renderJsonKeys(table, columns))) ?? [])
  return new Map(
    columns.map((column, i) => {
      const objects = rows.flatMap((row) => toCell(row[`k${i}`]) ?? [])
      const names = count(objects.flatMap((text) => JSON.parse(text) as readonly string[]))
      const usual = names.filter(
        ({ code, rows: n }) => /^[a-z_]\w{0,29}$/i.test(code) && n >= Math.max(2, objects.length / 5),
      )
      return [
        column,
        `JSON${
          usual.length === 0
            ? ''
            : ` {${usual
                .slice(0, 12)
                .map(({ code }) => code)
                .join(',')}}`
        }`,
      ]
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
    asked.map(({ column, parent, key }, i) => {
      const [found = 0, all = 0] = (toCell(row?.[`r${i}`]) ?? '').split('/').map(Number)
      return [column, `~${parent.name}.${key}${all === 0 ? '' : `(${Math.round((100 * found) / all)}%)`}`]
    }),
  )
}

import mysql from 'mysql2/promise'
import { readScript, toPortable } from './sql-script.js'
import { columnValues, isColumnValue, readSource } from './text-source.js'
import type { ColumnValue, NamedText, SqlSource, TableRows, TextSource } from './text-source.js'
import { toServerText } from './error-text.js'
import type { Rows } from './product.js'

/**
 * Runs the scripts of an option, one statement after the other, in one session.
 *
 * @param isRepeated whether they ran before: statements that make or change tables are left out.
 * @throws Error that names the statement
 */
export async function runScripts(
  connection: mysql.Connection,
  sources: SqlSource,
  { option, isRepeated = false }: { readonly option: string; readonly isRepeated?: boolean },
): Promise<void> {
  const list: readonly TextSource[] = Array.isArray(sources) ? sources : [sources as TextSource]
  for (const source of list) await runScript(connection, await readSource(source, option), isRepeated)
}

async function runScript(
  connection: mysql.Connection,
  { name, text }: NamedText,
  isRepeated: boolean,
): Promise<void> {
  const fail = (where: string, error: unknown, sql = ''): never => {
    const shown = sql === '' ? '' : `\n  ${sql.slice(0, 300).replaceAll('\n', '\n  ')}`
    // Without the cause, whose whole statement vitest prints behind it.
    throw new Error(`${name}, ${where}${toServerText(error)}${shown}`)
  }
  const read = (): ReturnType<typeof readScript> => {
    try {
      return readScript(text)
    } catch (error) {
      return fail('', error)
    }
  }
  for (const { sql, line } of read()) {
    const portable = toPortable(sql, isRepeated)
    if (portable === undefined) continue
    await connection.query(portable).catch((error: unknown) => fail(`line ${line}: `, error, portable))
  }
}

/** Inserts rows, one statement for rows with the same columns. @throws Error that names the table */
export async function insertRows(
  connection: mysql.Connection,
  tables: TableRows,
  zone: string | undefined,
): Promise<void> {
  for (const [table, records] of Object.entries(tables)) {
    const render = await createRenderer(connection, table, zone)
    const toCell = (column: string, value: unknown): string =>
      value === undefined ? 'DEFAULT' : render(column, value)
    for (const group of groupByColumns(records)) {
      const columns = Object.keys(group[0] ?? {})
      const into = `INSERT INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')}) VALUES `
      const values = group.map(
        (record) => `(${columns.map((column) => toCell(column, record[column])).join(', ')})`,
      )
      await connection.query(into + values.join(', ')).catch((error: unknown) => {
        throw new Error(`rows, table ${table}: ${toServerText(error)}`)
      })
    }
  }
}

/** In their order, so that AUTO_INCREMENT counts as the caller does. */
function groupByColumns<Record extends object>(records: readonly Record[]): readonly (readonly Record[])[] {
  const groups: Record[][] = []
  let last = ''
  for (const record of records) {
    const columns = JSON.stringify(Object.keys(record))
    if (columns === last && groups.length > 0) groups.at(-1)?.push(record)
    else groups.push([record])
    last = columns
  }
  return groups
}

/**
 * What writes values of a table as SQL. A Date is that instant: in UTC, which is the zone of the session, for a TIMESTAMP,
 * and in the zone of the mapping for any other column.
 */
export async function createRenderer(
  connection: mysql.Connection,
  table: string,
  zone = '+00:00',
): Promise<(column: string, value: unknown) => string> {
  const sql = `SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = database() AND table_name = ? AND data_type = 'timestamp'`
  const [rows] = await connection.query<mysql.RowDataPacket[]>(sql, [table])
  const timestamps = rows.map(({ name }) => String(name).toLowerCase())
  return (column, value) => {
    if (!isColumnValue(value))
      throw new TypeError(`the column ${column} of the table ${table} must be ${columnValues}`)
    if (!(value instanceof Date)) return renderValue(value)
    const isTimestamp = timestamps.includes(column.toLowerCase())
    return mysql.escape(toLocalText(value, isTimestamp ? '+00:00' : zone))
  }
}

/** `2026-03-01 12:00:00.123` in a zone: an offset, or a name. */
function toLocalText(date: Date, zone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
  const offset = Number(`${sign ?? ''}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
  if (sign !== undefined)
    return new Date(date.getTime() + offset).toISOString().slice(0, 23).replace('T', ' ')
  // Swedish writes times as SQL does; offsets are of whole seconds.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return `${format.format(date)}${date.toISOString().slice(19, 23)}`
}

/** A value as SQL writes it. */
function renderValue(value: Exclude<ColumnValue, Date>): string {
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`
  return mysql.escape(value)
}

/** A name as SQL writes it, dots and question marks included. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/**
 * A session of an administrator for the work of one call; its times are UTC, and its `sql_mode` is the one of the server,
 * but with zero dates, which a product can have from an older server.
 */
export async function withConnection<Result>(
  url: string,
  use: (connection: mysql.Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await mysql.createConnection({
    uri: url,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
  })
  try {
    const mode = "REPLACE(REPLACE(@@sql_mode, 'NO_ZERO_IN_DATE', ''), 'NO_ZERO_DATE', '')"
    await connection.query(`SET SESSION time_zone = '+00:00', sql_mode = ${mode}`)
    return await use(connection)
  } finally {
    await connection.end()
  }
}

const rowsPerStatement = 500

/** Writes rows, zero dates and all, in statements of a bounded size. */
export async function seed(adminUrl: string, tables: readonly Rows[]): Promise<void> {
  await withConnection(adminUrl, async (connection) => {
    // A product of older days has what a strict mode refuses.
    await connection.query("SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION'")
    await connection.query('START TRANSACTION')
    for (const { table, columns, values } of tables) {
      const into = `INSERT INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')}) VALUES `
      for (let at = 0; at < values.length; at += rowsPerStatement) {
        const rows = values.slice(at, at + rowsPerStatement)
        // Not as a placeholder: a table's name may hold a question mark itself.
        await connection.query(into + mysql.escape(rows.map((row) => [...row])))
      }
    }
    await connection.query('COMMIT')
  })
}

import mysql from 'mysql2/promise'
import type { TestDatabase } from '../product/test-database.js'
import type { Throwaway } from '../product/index.js'
import type { LedgerRow } from './ledger.js'

/** How the product stores the time of a change. */
export interface TimeForm {
  readonly name: string
  /** Digits of a second: whole seconds make ties of everything that is written at once. */
  readonly digits: number
  /** What the column means: minutes that it is ahead of UTC. */
  readonly offsetMinutes: number
}

/** The forms that are tortured. */
export const timeForms: readonly TimeForm[] = [
  { name: 'milliseconds', digits: 3, offsetMinutes: 0 },
  { name: 'whole seconds', digits: 0, offsetMinutes: 0 },
  { name: 'microseconds ahead of UTC', digits: 6, offsetMinutes: 180 },
]

/** The only workspace. */
const workspace = 'W1'

/** How many records there are in the beginning. */
const rowCount = 400

/** A product of one table, whose records differ by their name alone: the model proves the other fields. */
export async function createTable(
  throwaway: Throwaway,
  { digits, offsetMinutes }: TimeForm,
): Promise<TestDatabase> {
  const rows = Array.from(
    { length: rowCount },
    (_, at) =>
      `(${at}, 'first', ${at % 9 === 0 ? 1 : 0}, '2026-01-05 06:00:00' + INTERVAL ${at >> 2} SECOND, '${workspace}')`,
  )
  return throwaway.createProduct({
    schema: {
      text: `
        CREATE TABLE api_keys (hash CHAR(64) PRIMARY KEY, scopes VARCHAR(40) NOT NULL, workspace VARCHAR(9) NOT NULL);
        CREATE TABLE people (
          id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, archived TINYINT NOT NULL, updated DATETIME(${digits}) NOT NULL,
          workspace VARCHAR(9) NOT NULL, made DATETIME NOT NULL DEFAULT '2026-01-01', KEY sync (workspace, updated, id))`,
    },
    rows: { text: `INSERT INTO people (id, name, archived, updated, workspace) VALUES ${rows.join()}` },
    mapping: {
      timezone: offsetMinutes === 0 ? '+00:00' : '+03:00',
      apiKeys: {
        table: 'api_keys',
        hash: { column: 'hash', algorithm: 'sha256', encoding: 'hex' },
        workspace: 'workspace',
        scopes: { column: 'scopes', format: 'space' },
      },
      registrations: {
        table: 'people',
        workspace: 'workspace',
        archived: { column: 'archived', equals: 1 },
        fields: {
          ...{ id: 'id', eventId: 'workspace', status: 'name', name: 'name', email: 'name' },
          ...{ checkedIn: { constant: false }, createdAt: 'made', updatedAt: 'updated' },
        },
      },
      neverRead: [],
    },
  })
}

/** A key for everything in the table. */
export function mintKey(database: TestDatabase): Promise<string> {
  return database.mintKey({ workspace, scopes: ['registration.read'] })
}

/** What an administrator's connection needs so that times stay text. */
export async function openConnection(adminUrl: string): Promise<mysql.Connection> {
  const connection = await mysql.createConnection({ uri: adminUrl, timezone: 'Z', dateStrings: true })
  await connection.query("SET SESSION time_zone = '+00:00'")
  return connection
}

/** The instant of now in the column's own terms, moved back by some microseconds. */
export function nowSql({ digits, offsetMinutes }: TimeForm, ageMicros: number): string {
  const micros = offsetMinutes * 60_000_000 - ageMicros
  return `CAST(UTC_TIMESTAMP(6) + INTERVAL ${micros} MICROSECOND AS DATETIME(${digits}))`
}

/** The statement that writes a row, whether it is there or not. */
export function writeSql(row: LedgerRow, name: string, archived: boolean, stamp: string): string {
  const sets = `name = '${name}', archived = ${archived ? 1 : 0}, updated = '${stamp}'`
  return `INSERT INTO people SET id = ${row.id}, workspace = '${workspace}', ${sets} ON DUPLICATE KEY UPDATE ${sets}`
}

/** The statement that gives a row the time of now. */
export function touchSql(form: TimeForm, row: LedgerRow): string {
  return `UPDATE people SET updated = ${nowSql(form, 0)} WHERE id = ${row.id}`
}

/** The version of a record: equal for equal records, and ordered by time. */
export function toVersion({ updatedAt, name }: Readonly<Record<string, unknown>>): string {
  return `${String(updatedAt)} ${String(name)}`
}

/** Records of the list: versions by id. */
export type Visible = ReadonlyMap<string, string>

/** What the list must show now. */
export async function readVisible(
  connection: mysql.Connection,
  { offsetMinutes }: TimeForm,
): Promise<Visible> {
  const [rows] = await connection.query<mysql.RowDataPacket[]>(
    `SELECT id, name, CONCAT(LEFT(DATE_FORMAT(updated - INTERVAL ${offsetMinutes} MINUTE, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')
       AS updatedAt FROM people WHERE archived = 0`,
  )
  return new Map(rows.map((row) => [String(row['id']), toVersion(row)]))
}

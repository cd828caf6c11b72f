import type { CollectionName, Invoice, Registration } from '../client/index.js'
import type { AnyRecord } from './copy.js'
import type { SqliteValue } from './sqlite-module.js'

/** A field of a record as a column of its table. */
export interface Column {
  readonly name: string
  readonly definition: string
  readonly read: (record: AnyRecord) => SqliteValue
}

/** TEXT for whatever is text, amounts too: SQLite would make a number of them. */
const registrationTypes = {
  id: 'TEXT NOT NULL PRIMARY KEY',
  eventId: 'TEXT NOT NULL',
  status: 'TEXT NOT NULL',
  name: 'TEXT NOT NULL',
  email: 'TEXT NOT NULL',
  checkedIn: 'INTEGER NOT NULL',
  checkedInAt: 'TEXT',
  createdAt: 'TEXT NOT NULL',
  updatedAt: 'TEXT NOT NULL',
} as const satisfies Record<keyof Registration, string>

const invoiceTypes = {
  id: 'TEXT NOT NULL PRIMARY KEY',
  number: 'TEXT NOT NULL',
  status: 'TEXT NOT NULL',
  total: 'TEXT NOT NULL',
  currency: 'TEXT NOT NULL',
  issueDate: 'TEXT NOT NULL',
  dueDate: 'TEXT',
  createdAt: 'TEXT NOT NULL',
  updatedAt: 'TEXT NOT NULL',
} as const satisfies Record<keyof Invoice, string>

/** The columns of a collection, in the order of the contract. */
export function listColumns(collection: CollectionName): readonly Column[] {
  const types = collection === 'registrations' ? registrationTypes : invoiceTypes
  return Object.entries(types).map(([name, definition]) => ({
    name,
    definition,
    read: (record) => toSqliteValue((record as unknown as Readonly<Record<string, unknown>>)[name]),
  }))
}

/** The statement that makes a table of these columns where there is none. */
export function renderTable(table: string, columns: readonly Column[]): string {
  const definitions = columns.map(({ name, definition }) => `"${name}" ${definition}`)
  return `CREATE TABLE IF NOT EXISTS ${table} (${definitions.join(', ')}) STRICT`
}

/** A record that lacks a field has it as NULL, which the table refuses where the contract has a value. */
function toSqliteValue(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

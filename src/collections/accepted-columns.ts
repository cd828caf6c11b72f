import type { Column, ColumnKind } from '../database/column.js'
import type { IdentifierKind } from '../values/identifier.js'
import type { FoundColumn, IdentifierColumn } from './resolved-table.js'

/* The columns that serve each kind of option, in terms of the server's types. */

/** The columns that serve an option. */
export interface AcceptedColumn {
  readonly kinds: readonly ColumnKind[]
  /** The same in words, with the options that accept other columns. */
  readonly form: string
}

/** Replaces a column that was not found: nothing reads it, because a section with issues is not served. */
export const missingColumn: Column = {
  name: '',
  kind: 'unreadable',
  type: '',
  nullable: true,
  unsigned: false,
  length: 0,
  fractionDigits: 0,
  characterSet: null,
  collation: null,
  zerofill: false,
}

/** What an identifier can be; an ENUM or SET, which is ordered by number, only where no order matters. */
export const identifiers: AcceptedColumn = {
  kinds: ['text', 'integer', 'binary'],
  form: 'CHAR, VARCHAR, an integer type or BINARY(16) for a UUID',
}
/** What a code can be. */
export const codes: AcceptedColumn = {
  kinds: ['text', 'integer'],
  form: 'CHAR, VARCHAR, TEXT, ENUM or an integer type',
}
/** What a row of another table can be found by. */
export const keys: AcceptedColumn = {
  kinds: ['text', 'integer', 'binary'],
  form: 'text, an integer type or BINARY',
}
/** What a point in time can be. */
export const times: AcceptedColumn = {
  kinds: ['datetime', 'timestamp'],
  form: 'DATETIME or TIMESTAMP; for an integer since 1970, { column, epoch: s }, or ms or us',
}
/** What a point in time or a day can be. */
export const days: AcceptedColumn = { kinds: [...times.kinds, 'date'], form: `DATE, ${times.form}` }
/** What a count since 1970 can be. */
export const epochs: AcceptedColumn = {
  kinds: ['integer'],
  form: 'an integer type; for another one, the column name without epoch',
}
/** What a value of a test can be compared with. */
export const comparable: AcceptedColumn = {
  kinds: ['text', 'integer', 'bit'],
  form: 'text, an integer type or BIT; another type can be tested by is: set or is: unset',
}
/** What can be set or not. */
export const anyColumn: AcceptedColumn = {
  kinds: [...days.kinds, ...comparable.kinds, 'decimal', 'float', 'json', 'binary', 'unreadable'],
  form: 'any',
}

/** Whether a row can be found by a column of another one. */
export function isComparable(key: Column, on: Column): boolean {
  if (on.name === '') return true
  if (key.kind !== on.kind) return false
  return key.kind !== 'binary' || key.length === on.length
}

/** A column of identifiers. @param isShown whether callers see them, a ZEROFILL integer with its zeros */
export function toIdentifierColumn(
  found: FoundColumn,
  as?: 'uuid' | 'uuid-swapped',
  isShown = true,
): IdentifierColumn {
  const { column } = found
  return column.zerofill && isShown
    ? { ...found, column: { ...column, showsZeros: true }, identifier: 'zerofill' }
    : { ...found, identifier: toIdentifierKind(column, as) }
}

function toIdentifierKind(column: Column, as?: 'uuid' | 'uuid-swapped'): IdentifierKind {
  if (column.kind === 'integer') return column.unsigned ? 'unsigned' : 'signed'
  if (column.kind === 'binary') return as ?? 'uuid'
  if (column.characterSet === null) return textTypes[column.type.toLowerCase()] ?? 'text'
  return column.characterSet === 'ascii' ? 'ascii' : 'text'
}

/** Text without a character set. */
const textTypes: Readonly<Record<string, IdentifierKind>> = {
  uuid: 'uuid-text',
  inet4: 'inet4',
  inet6: 'inet6',
}

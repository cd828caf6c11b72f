import type { Column, ColumnKind } from '../database/column.js'
import { toColumn } from '../database/schema.js'
import type { IdentifierKind } from '../values/identifiers.js'
import type { FoundColumn, IdentifierColumn } from './resolved-table.js'

/** The columns that serve an option, in terms of the server's types. */
export interface AcceptedColumn {
  readonly kinds: readonly ColumnKind[]
  /** The same in words, with the options that accept other columns. */
  readonly form: string
}

const times = 'DATETIME or TIMESTAMP; for an integer since 1970, { column, epoch: s }, or ms or us'

/** What can be an identifier, a code, the key of a lookup, a time, a day, a count since 1970, what a test compares, or tests at all. */
export const accepted = {
  identifier: {
    kinds: ['text', 'integer', 'binary'],
    form: 'CHAR, VARCHAR, an integer type or BINARY(16) for a UUID',
  },
  code: { kinds: ['text', 'integer'], form: 'CHAR, VARCHAR, TEXT, ENUM or an integer type' },
  key: { kinds: ['text', 'integer', 'binary'], form: 'text, an integer type or BINARY' },
  time: { kinds: ['datetime', 'timestamp'], form: times },
  day: { kinds: ['datetime', 'timestamp', 'date'], form: `DATE, ${times}` },
  epoch: { kinds: ['integer'], form: 'an integer type; for another one, the column name without epoch' },
  compared: {
    kinds: ['text', 'integer', 'bit'],
    form: 'text, an integer type or BIT; another type can be tested by is: set or is: unset',
  },
  tested: {
    kinds: [
      ...['text', 'integer', 'bit', 'binary', 'datetime', 'timestamp', 'date'],
      ...['decimal', 'float', 'json', 'unreadable'],
    ],
    form: 'any',
  },
} as const satisfies Readonly<Record<string, AcceptedColumn>>

/** Replaces a column that was not found: nothing reads it, because a section with issues is not served. */
export const missingColumn = toColumn({ name: '', length: 0, fractionDigits: 0 })

/** Whether a row can be found by a column of another one. */
export function isComparable(key: Column, on: Column): boolean {
  if (key.name === '' || on.name === '') return true
  return key.kind === on.kind && (key.kind !== 'binary' || key.length === on.length)
}

/** A column of identifiers. @param showsZeros whether callers see the zeros of a ZEROFILL integer; undefined for what is not shown */
export function toIdentifierColumn(
  { column, ...found }: FoundColumn,
  as: 'uuid' | 'uuid-swapped' | undefined,
  showsZeros: boolean | undefined,
): IdentifierColumn {
  const isPadded = column.zerofill && showsZeros === true
  const shown = column.zerofill && showsZeros !== undefined ? { ...column, showsZeros } : column
  return {
    ...found,
    kind: 'column',
    column: shown,
    identifier: isPadded ? 'zerofill' : toIdentifierKind(column, as),
  }
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

import type { Column, ColumnKind } from '../database/column.js'

const words: Readonly<Record<ColumnKind, string>> = {
  text: 'CHAR, VARCHAR, TEXT or ENUM',
  integer: 'an integer type',
  binary: 'BINARY(16)',
  decimal: 'DECIMAL',
  bit: 'BIT',
  date: 'DATE',
  datetime: 'DATETIME',
  timestamp: 'TIMESTAMP',
  json: 'JSON',
  float: 'FLOAT or DOUBLE',
  unreadable: 'no type',
}

/** The kinds of column that an option accepts, in words, and the option that would accept a column of another kind. */
export function describeMismatch(column: Column, kinds: readonly ColumnKind[]): string {
  const allowed = kinds.map((kind) => words[kind]).join(', ')
  const hint = findHint(column, kinds)
  return hint === undefined ? allowed : `${allowed}; ${hint}`
}

/** What accepts a column of some kind instead of the kinds that an option accepts. */
interface Hint {
  readonly isWanted: (kinds: readonly ColumnKind[]) => boolean
  readonly found: readonly ColumnKind[]
  readonly toText: (column: Column) => string
}

const isOnly =
  (kind: ColumnKind) =>
  (kinds: readonly ColumnKind[]): boolean =>
    kinds.length === 1 && kinds[0] === kind

const hints: readonly Hint[] = [
  {
    isWanted: (kinds) => kinds.includes('datetime') && kinds.length <= 3,
    found: ['integer'],
    toText: ({ name }) => `for an integer since 1970, { column: ${name}, epoch: s }, or ms or us`,
  },
  {
    isWanted: isOnly('integer'),
    found: ['date', 'datetime', 'timestamp', 'decimal'],
    toText: ({ kind }) => `for ${words[kind]}, the column name without an option`,
  },
  {
    isWanted: (kinds) => kinds.includes('decimal') && kinds.length <= 2,
    found: ['float'],
    toText: ({ name }) => `for a rounded amount, { column: ${name}, float: 2 }, with the number of decimals`,
  },
  {
    isWanted: (kinds) => kinds.includes('decimal') && kinds.length <= 2,
    found: ['text'],
    toText: ({ name }) => `for decimal text, { column: ${name}, text: decimal }`,
  },
  {
    isWanted: isOnly('float'),
    found: ['decimal', 'integer'],
    toText: ({ kind }) => `for ${words[kind]}, the column name without float`,
  },
  {
    isWanted: isOnly('text'),
    found: ['integer'],
    toText: () => 'for a reference to another table, { from: TABLE, on: COLUMN, column: COLUMN }',
  },
]

function findHint(column: Column, kinds: readonly ColumnKind[]): string | undefined {
  return hints.find(({ isWanted, found }) => isWanted(kinds) && found.includes(column.kind))?.toText(column)
}

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

function findHint({ kind, name }: Column, kinds: readonly ColumnKind[]): string | undefined {
  const wantsTime = kinds.includes('datetime')
  const wantsMoney = kinds.includes('decimal')
  if (wantsTime && kind === 'integer')
    return `for an integer since 1970, { column: ${name}, epoch: s }, or ms or us`
  if (kinds.length === 1 && kinds[0] === 'integer' && isTime(kind))
    return `for ${words[kind]}, the column name without epoch`
  if (wantsMoney && kind === 'float')
    return `for a rounded amount, { column: ${name}, float: 2 }, with the number of decimals`
  if (kinds.length === 1 && kinds[0] === 'float' && (kind === 'decimal' || kind === 'integer'))
    return `for ${words[kind]}, the column name without float`
  if (kinds.length === 1 && kinds[0] === 'text' && kind === 'integer')
    return 'for a reference to another table, { from: TABLE, on: COLUMN, column: COLUMN }'
  return undefined
}

function isTime(kind: ColumnKind): boolean {
  return kind === 'date' || kind === 'datetime' || kind === 'timestamp'
}

import { countDigits } from './column.js'
import type { Column, ColumnKind } from './column.js'
import { ResultError } from './errors.js'
import type { ColumnDefinitions, ResultColumn, Row, Statement } from './statement.js'

/*
 * Whether an answer of the server is the result of its statement. Readers rely on it: a cell that is missing reads like NULL,
 * and one of another type or character set like another value.
 */

const toKinds = (kind: ColumnKind, ...types: readonly number[]) => types.map((type) => [type, kind] as const)
/** The kinds of the protocol's types. Bytes have those of text, as NULL has, and types that are left out are unreadable. */
const kindOf: ReadonlyMap<number, ColumnKind> = new Map([
  ...toKinds('integer', 1, 2, 3, 8, 9, 13),
  ...toKinds('decimal', 0, 246),
  ...toKinds('float', 4, 5),
  ...toKinds('timestamp', 7),
  ...toKinds('date', 10),
  ...toKinds('datetime', 12),
  ...toKinds('bit', 16),
  ...toKinds('json', 245),
  ...toKinds('text', 6, 15, 247, 248, 249, 250, 251, 252, 253, 254),
])
/** Flags of a definition. */
const [unsignedFlag, binaryFlag] = [32, 128]
/** The collation of what is not a text. */
const bytesId = 63

/** Whether a collation is of utf8mb4, among those that results have: the default ones of the character sets of both servers. */
function isUtf8mb4(id: number): boolean {
  return id === 45 || id === 46 || (id >= 224 && id < 248) || id > 254
}

/**
 * The rows of an answer.
 *
 * @throws ResultError where it is not the result of the statement.
 */
export function requireRows(
  found: unknown,
  definitions: ColumnDefinitions | undefined,
  { sql, columns }: Pick<Statement, 'sql' | 'columns'>,
): readonly Row[] {
  if (!Array.isArray(found) || definitions === undefined) {
    // Of all statements, only these return no rows.
    if (/^(?:set|call)\s/i.test(sql)) return []
    throw new ResultError('answer', 'the server answered with OK in place of rows')
  }
  if (columns !== undefined && columns.length !== definitions.length)
    throw new ResultError('answer', `a result has ${definitions.length} columns, not ${columns.length}`)
  definitions.forEach((definition, at) => {
    requireText(definition)
    const expected = columns?.[at]
    if (expected !== undefined) requireColumn(definition, expected)
  })
  return found as readonly Row[]
}

type Definition = ColumnDefinitions[number]

function requireText({ name, characterSet = bytesId }: Definition): void {
  if (characterSet === bytesId || isUtf8mb4(characterSet)) return
  throw new ResultError('answer', `${name} of a result has the collation ${characterSet}, not one of utf8mb4`)
}

function requireColumn(definition: Definition, { name, column }: ResultColumn): void {
  if (definition.name !== name)
    throw new ResultError('answer', `a result has the column ${definition.name} in place of ${name}`)
  if (column !== undefined && !hasType(definition, column))
    throw new ResultError('types', `${name} of a result has another type than ${column.name}, ${column.type}`)
}

/**
 * Whether a definition has the type of a column, as far as reading and comparing depend on it, and as far as it is the same in a
 * derived table, a UNION and an expression that gives NULL.
 */
function hasType({ columnType = 0, characterSet, decimals, flags }: Definition, column: Column): boolean {
  const { kind, unsigned, collation } = column
  const has = (flag: number): boolean => (Number(flags) & flag) !== 0
  const found = kindOf.get(columnType) ?? 'unreadable'
  switch (kind) {
    case 'integer':
      // MySQL calls an expression of BIT or YEAR in a view INT UNSIGNED.
      return ['integer', 'bit'].includes(found) && has(unsignedFlag) === unsigned
    case 'decimal':
    case 'datetime':
    case 'timestamp':
      return found === kind && decimals === countDigits(column)
    case 'text':
      // Of a collation only this shows. A UUID has none.
      if (collation !== null && has(binaryFlag) !== collation.endsWith('_bin')) return false
      return found === kind && characterSet !== bytesId
    case 'binary':
      return found === 'text' && characterSet === bytesId
    case 'float':
    case 'bit':
    case 'date':
    case 'json':
      return found === kind
    case 'unreadable':
      return true
  }
}

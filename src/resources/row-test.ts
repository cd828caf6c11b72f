import { listEnumLabels } from '../database/column.js'
import type { Column, ColumnKind } from '../database/column.js'
import { toStoredIdentifier } from '../values/identifier.js'
import type { ColumnResolver } from './field.js'
import type { RowTest } from './resolved-table.js'
import type { RowTestMapping, TestValue } from './section-options.js'

/**
 * A test with its column; a value that the column cannot hold is an issue.
 *
 * @param resolver of the table that has the column.
 */
export function findRowTest(resolver: ColumnResolver, option: RowTestMapping, path: string): RowTest {
  const { lookup } = resolver
  const { is, isNegated } = toCondition(option)
  // A row that a lookup does not find has no key.
  const name = option.column ?? lookup?.key.name
  if (name === undefined) throw new Error('A test without a column is one of a lookup')
  if (typeof is === 'string') return { column: resolver.find(name, anyKind, path), lookup, is }
  const column = resolver.find(name, ['text', 'integer', 'bit'], path)
  for (const value of is)
    if (column.name !== '' && !fits(column, value)) resolver.reportValue(toStored(value), column, path)
  return { column, lookup, is: is.map((value) => toLabel(column, toStored(value))), isNegated }
}

/** A condition in words. */
export function describeTest({ column, is, isNegated }: RowTest): string {
  if (is === 'set') return `${column.name} is set`
  if (is === 'unset') return `${column.name} is NULL`
  const values = is.map((value) => JSON.stringify(value)).join(' or ')
  return `${column.name} is ${isNegated === true ? 'not ' : ''}${values}`
}

/** What a test asks of its column: to be set or not, or to have one of some values, or none of them. */
interface Condition {
  readonly is: 'set' | 'unset' | readonly TestValue[]
  readonly isNegated: boolean
}

function toCondition(option: RowTestMapping): Condition {
  if ('is' in option) return { is: option.is, isNegated: false }
  if ('in' in option) return { is: option.in, isNegated: false }
  if ('notIn' in option) return { is: option.notIn, isNegated: true }
  if ('equals' in option) return { is: option.equals === null ? 'unset' : [option.equals], isNegated: false }
  return { is: option.notEquals === null ? 'set' : [option.notEquals], isNegated: true }
}

/**
 * Both servers compare other text with a number as 0, and records would be shown that are none. A text that an ASCII column
 * cannot hold is an error of the statement.
 */
function fits(column: Column, value: TestValue): boolean {
  if (column.kind === 'text')
    return typeof value === 'string' && isEnumLabel(column, value) && isInCharacterSet(column, value)
  return /^-?\d+$/.test(toStored(value))
}

function isInCharacterSet({ characterSet }: Column, value: string): boolean {
  return characterSet !== 'ascii' || toStoredIdentifier(value, 'ascii') !== undefined
}

/** False for a text that is not a label of an ENUM: it would match nothing. */
function isEnumLabel(column: Column, value: string): boolean {
  return listEnumLabels(column).length === 0 || findLabel(column, value) !== undefined
}

/** A label of an ENUM as the column spells it, because values are compared byte for byte. */
function toLabel(column: Column, value: string): string {
  return findLabel(column, value) ?? value
}

function findLabel(column: Column, value: string): string | undefined {
  return listEnumLabels(column).find((label) => label.toLowerCase() === value.toLowerCase())
}

const anyKind: readonly ColumnKind[] = [
  'text',
  'integer',
  'bit',
  'date',
  'datetime',
  'timestamp',
  'decimal',
  'float',
  'json',
  'binary',
  'unreadable',
]

function toStored(value: TestValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return String(value)
}

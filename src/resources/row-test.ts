import type { Column, ColumnKind } from '../database/column.js'
import { toStoredIdentifier } from '../values/identifier.js'
import type { ConfigIssue } from '../errors.js'
import type { ArchivedMapping, RowTestMapping } from './options.js'
import type { RowTest } from './resolved-table.js'

/** Where an issue is reported. */
interface ReportInput {
  readonly table: string
  /** The section's path in the mapping file. */
  readonly section: string
  /** Issues are added here. */
  readonly issues: ConfigIssue[]
}

interface TestInput extends ReportInput {
  readonly find: (name: string, kinds: readonly ColumnKind[], path: string) => Column
}

type ArchivedTestMapping = Extract<ArchivedMapping, { column: string }>
type TestValue = string | number | boolean

/** A condition with its column; a value that the column cannot hold is an issue. */
export function findRowTest(input: TestInput, option: RowTestMapping, path: string): RowTest {
  if ('is' in option) return { column: input.find(option.column, anyKind, path), is: 'set' }
  if ('equals' in option && option.equals === null)
    return { column: input.find(option.column, anyKind, path), is: 'unset' }
  const values = 'in' in option ? option.in : [option.equals ?? '']
  return findEqual(input, { name: option.column, values, path })
}

/** A condition that makes a record archived. */
export function findArchived(input: TestInput, { column, is }: ArchivedTestMapping, path: string): RowTest {
  if (is === 'set') return { column: input.find(column, anyKind, path), is: 'set' }
  return findEqual(input, { name: column, values: [is.equals], path })
}

function findEqual(
  input: TestInput,
  { name, values, path }: { name: string; values: readonly TestValue[]; path: string },
): RowTest {
  const column = input.find(name, ['text', 'integer', 'bit'], path)
  for (const value of values)
    if (column.name !== '' && !fits(column, value)) reportValue(input, path, column, value)
  return { column, is: values.map((value) => toLabel(column, toStored(value))) }
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
function isEnumLabel({ type }: Column, value: string): boolean {
  return !isEnum(type) || findLabel(type, value) !== undefined
}

/** A label of an ENUM as the column spells it, because values are compared byte for byte. */
function toLabel({ type }: Column, value: string): string {
  return isEnum(type) ? (findLabel(type, value) ?? value) : value
}

function isEnum(type: string): boolean {
  return /^enum\(/i.test(type)
}

function findLabel(type: string, value: string): string | undefined {
  const labels = [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, label = '']) => label.replaceAll("''", "'"))
  return labels.find((label) => label.toLowerCase() === value.toLowerCase())
}

/** Reports a value of the mapping that the column cannot hold. */
export function reportValue(
  { table, section, issues }: ReportInput,
  path: string,
  column: Column,
  value: TestValue,
): void {
  issues.push({
    path: `${section}.${path}`,
    found: `${JSON.stringify(toStored(value))} for ${table}.${column.name} of type ${column.type}`,
    allowed: 'a value that the column can hold; text in quotes',
  })
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
]

function toStored(value: TestValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return String(value)
}

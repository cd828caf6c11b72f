import { listEnumLabels } from '../database/column.js'
import type { Column } from '../database/column.js'
import { Sql, equals, join, sql, toOperand } from '../database/sql.js'
import { toStoredIdentifier } from '../values/identifier.js'
import type { AcceptedColumn, ColumnResolver } from './field.js'
import type { ResolvedTable, RowTest } from './resolved-table.js'
import type { RowTestMapping, TestValue } from './section-options.js'

/*
 * A test of the mapping file: its option, found in the schema, and its condition. A zero date counts as NULL, and NULL equals
 * no value.
 */

/**
 * A test with its column; a value that the column cannot hold is an issue.
 *
 * @param resolver of the table that has the column.
 */
export function findRowTest(resolver: ColumnResolver, option: RowTestMapping, path: string): RowTest {
  const { lookup } = resolver
  const { is, isNegated } = toCondition(option)
  const find = (accepted: AcceptedColumn): Column => {
    if (option.column !== undefined) return resolver.find(option.column, accepted, path)
    // A row that a lookup does not find has no key.
    if (lookup === undefined) throw new Error('A test without a column is one of a lookup')
    return lookup.key
  }
  if (typeof is === 'string') return { column: find(anyColumn), lookup, is }
  const column = find(compared)
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

function toCondition({ equals, notEquals, in: some, notIn, is }: RowTestMapping): Condition {
  if (is !== undefined) return { is, isNegated: false }
  if (equals === null || notEquals === null)
    return { is: equals === null ? 'unset' : 'set', isNegated: false }
  const values = some ?? notIn ?? [equals ?? notEquals].filter((value) => value !== undefined)
  return { is: values, isNegated: (notIn ?? notEquals) !== undefined }
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

const compared: AcceptedColumn = {
  kinds: ['text', 'integer', 'bit'],
  form: 'text, an integer type or BIT; another type can be tested by is: set or is: unset',
}
const anyColumn: AcceptedColumn = {
  kinds: [
    ...compared.kinds,
    ...(['date', 'datetime', 'timestamp', 'decimal', 'float', 'json', 'binary', 'unreadable'] as const),
  ],
  form: 'any',
}

function toStored(value: TestValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return String(value)
}

/** The test that holds where another does not. */
export function negate(test: RowTest): RowTest {
  if (test.is === 'set') return { ...test, is: 'unset' }
  return test.is === 'unset' ? { ...test, is: 'set' } : { ...test, isNegated: test.isNegated !== true }
}

/** The tests that a record passes: those of `where`, and that none of `archived` holds. */
export function listVisibilityTests({ where, archived }: ResolvedTable): readonly RowTest[] {
  return [...where, ...archived.map(negate)]
}

/** Whether a test is one comparison for an index. */
export function isIndexable({ column, lookup, is, isNegated }: RowTest): boolean {
  if (lookup !== undefined || is === 'set') return false
  if (is === 'unset') return !column.nullable || findZero(column) === undefined
  return is.length === 1 && isNegated !== true
}

/** A test in the condition of a row, which an index serves. */
export function testCondition(test: RowTest, quoted: Sql): Sql {
  return test.is === 'unset' && !test.column.nullable ? isNull(test.column, quoted) : testCell(test, quoted)
}

/**
 * In the condition of a row: IS NULL of a column that is NOT NULL finds zero dates, but not of a TIMESTAMP on MySQL. A column
 * with both is asked for NULL.
 */
export function isNull(column: Column, quoted: Sql): Sql {
  const zero = column.kind === 'timestamp' && !column.nullable ? zeroOf(column) : undefined
  return zero === undefined ? sql`${quoted} is null` : sql`${quoted} = ${zero}`
}

/** A test of a column that is already named. */
export function testCell({ column, is, isNegated }: RowTest, quoted: Sql): Sql {
  const zero = findZero(column)
  if (is === 'set')
    return zero === undefined
      ? sql`${quoted} is not null`
      : sql`(${quoted} is not null and ${quoted} <> ${zero})`
  if (is === 'unset')
    return zero === undefined ? sql`${quoted} is null` : sql`(${quoted} is null or ${quoted} = ${zero})`
  const [first, ...others] = is.map((value) =>
    column.kind === 'text' ? equals(column, quoted, value) : sql`${quoted} = ${toOperand(column, value)}`,
  )
  const one = first ?? sql`1 = 0`
  const any =
    others.length === 0
      ? one
      : sql`(${join(
          [one, ...others].map((test) => sql`(${test})`),
          ' or ',
        )})`
  return isNegated === true ? sql`not ifnull((${any}), 0)` : any
}

/** The zero date of a column of times where it counts as NULL; undefined for other columns. */
export function findZero(column: Column): Sql | undefined {
  return column.mayBeZero === true || !column.nullable ? zeroOf(column) : undefined
}

/** How a column of times writes a zero date. */
export function zeroOf({ kind }: Column): Sql | undefined {
  if (kind === 'date') return new Sql("'0000-00-00'")
  return kind === 'datetime' || kind === 'timestamp' ? new Sql("'0000-00-00 00:00:00'") : undefined
}

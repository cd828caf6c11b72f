import { listEnumLabels } from '../database/column.js'
import type { Column } from '../database/column.js'
import { Sql, equals, join, sql, toOperand } from '../database/sql.js'
import { toStoredIdentifier } from '../values/identifiers.js'
import type { RowTestMapping, TestValue } from './options.js'
import type { NameColumn, RowTest, Selected } from './found-column.js'

/*
 * A test of the mapping file: what it asks of a column, and its condition. A zero date counts as NULL, and NULL equals no
 * value.
 */

/** A condition in words. */
export function describeTest({ lookup, column, is, isNegated }: RowTest): string {
  const name = lookup === undefined ? column.name : `${lookup.table}.${column.name}`
  if (is === null) return `${name} is ${isNegated ? 'set' : 'NULL'}`
  const values = is.map((value) => JSON.stringify(value))
  if (!isNegated) return `${name} is ${values.join(' or ')}`
  return `${name} is ${values.length > 1 ? 'neither' : 'not'} ${values.join(' nor ')}`
}

/** What a test of the mapping file asks of its column: to be NULL or not, to have one of some values, or none of them. */
export function toCondition({ equals, notEquals, in: some, notIn, is }: RowTestMapping): {
  readonly is: readonly TestValue[] | null
  readonly isNegated: boolean
} {
  if (typeof is === 'string') return { is: null, isNegated: is === 'set' }
  const isNegated = (notIn ?? notEquals) !== undefined
  const single = isNegated ? notEquals : equals === undefined ? is?.equals : equals
  return {
    is: single === null ? null : (some ?? notIn ?? [single].filter((value) => value !== undefined)),
    isNegated,
  }
}

/**
 * A value as the column spells it, such as the label of an ENUM, because values are compared byte for byte; undefined where the
 * column cannot hold it. Both servers compare other text with a number as 0, and records would be shown that are none. A text that
 * an ASCII column cannot hold is an error of the statement.
 */
export function spell(column: Column, value: TestValue): string | undefined {
  if (column.kind !== 'text') return /^-?\d+$/.test(toText(value)) ? toText(value) : undefined
  if (typeof value !== 'string') return undefined
  if (column.characterSet === 'ascii' && toStoredIdentifier(value, 'ascii') === undefined) return undefined
  const labels = listEnumLabels(column)
  if (labels.length === 0) return value
  // A text that is not a label of an ENUM would match nothing.
  const same = labels.filter((label) => label.toLowerCase() === value.toLowerCase())
  return same.length === 1 ? same[0] : same.find((label) => label === value)
}

/** A value as text. */
export function toText(value: TestValue): string {
  return String(typeof value === 'boolean' ? Number(value) : value)
}

/** The opposite of a test. */
export function negate(test: RowTest): RowTest {
  return { ...test, isNegated: !test.isNegated }
}

/** Whether a test is one comparison for an index. */
export function isIndexable({ column, lookup, is, isNegated }: RowTest): boolean {
  if (lookup !== undefined || isNegated) return false
  return is === null ? !column.nullable || findZero(column) === undefined : is.length === 1
}

/** A test in the condition of a row, which an index serves. */
export function testCondition(test: RowTest, quoted: Sql): Sql {
  const isUnset = test.is === null && !test.isNegated && !test.column.nullable
  return isUnset ? isNull(test.column, quoted) : testCell(test, quoted)
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
  if (is === null) {
    const zero = findZero(column)
    if (zero === undefined) return isNegated ? sql`${quoted} is not null` : sql`${quoted} is null`
    return isNegated
      ? sql`(${quoted} is not null and ${quoted} <> ${zero})`
      : sql`(${quoted} is null or ${quoted} = ${zero})`
  }
  const [first = sql`1 = 0`, ...others] = is.map((value) =>
    column.kind === 'text' ? equals(column, quoted, value) : sql`${quoted} = ${toOperand(column, value)}`,
  )
  const any = others.length === 0 ? first : sql`((${join([first, ...others], ') or (')}))`
  return isNegated ? sql`not ifnull((${any}), 0)` : any
}

/** The zero date of a column of times where it counts as NULL; undefined for other columns. */
function findZero(column: Column): Sql | undefined {
  return column.mayBeZero === true || !column.nullable ? zeroOf(column) : undefined
}

/** How a column of times writes a zero date. */
export function zeroOf({ kind }: Column): Sql | undefined {
  if (kind === 'date') return new Sql("'0000-00-00'")
  return kind === 'datetime' || kind === 'timestamp' ? new Sql("'0000-00-00 00:00:00'") : undefined
}

/** Words that tests choose. */
export interface Cases {
  /** Each with its word; the first that holds counts. */
  readonly cases: readonly { readonly test: RowTest; readonly then: string }[]
  /** The word where no case holds; undefined where such a row is invalid. */
  readonly otherwise: string | undefined
}

/** The word of the first case that holds. */
export function selectCases({ cases, otherwise }: Cases, toCondition: (test: RowTest) => Sql): Sql {
  const all = cases.map(({ test, then }) => sql`when ${toCondition(test)} then ${then}`)
  return sql`case ${join(all, ' ')}${otherwise === undefined ? sql`` : sql` else ${otherwise}`} end`
}

/** The same for a reader. */
export function projectCases(all: Cases): Selected {
  const select = (name: NameColumn): Sql => selectCases(all, (test) => testCell(test, name(test)))
  return { kind: 'value', columns: all.cases.map(({ test }) => test), select }
}

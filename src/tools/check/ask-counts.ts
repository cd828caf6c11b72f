import { isEnumerated } from '../../database/column.js'
import type { Column } from '../../database/column.js'
import { all, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { Statement } from '../../database/statement.js'
import type { ResolvedKeyTable } from '../../mapping/key-table.js'
import { listLookups } from '../../collections/lookup.js'
import { listUnarchived } from '../../collections/rows.js'
import { findZero, testCell } from '../../collections/row-test.js'
import { createError, createWarning } from '../report/report.js'
import { listEventColumns, listRecordColumns } from '../../collections/resolved-table.js'
import type { Lookup, ResolvedTable } from '../../collections/resolved-table.js'
import type { Question } from './questions.js'

interface Counted {
  readonly object: string
  /** What is counted, in words. */
  readonly what: string
  /** Its row has the number as `count`. */
  readonly statement: Statement
  readonly describe: (count: number) => string
  readonly fix: string
  readonly create?: typeof createError
}

/** A question whose answer is a number, and a finding unless it is none. */
function askCount({ object, what, statement, describe, fix, create = createWarning }: Counted): Question {
  return {
    object,
    unknown: `${what} could not be counted`,
    statement,
    evaluate: ([row]) => {
      const count = Number(row?.['count'] ?? 0)
      return count === 0 ? [] : [create(object, describe(count), fix)]
    },
  }
}

/** Zero dates in each time of the key table, which count as NULL. */
export function askZeroDates(keys: ResolvedKeyTable): readonly Question[] {
  const meanings = { expiresAt: 'they never expire', revokedAt: 'they are not revoked' } as const
  return (['expiresAt', 'revokedAt'] as const).flatMap((name) => {
    const column = keys[name]?.column
    // In a column without NULL, it is how the product says that there is none.
    const zero = column?.nullable === true ? findZero({ ...column, mayBeZero: true }) : undefined
    if (column === undefined || zero === undefined) return []
    const isZero = sql`${quote(column.name)} = ${zero}`
    return askCount({
      object: `${keys.table}.${column.name}`,
      what: 'zero dates',
      statement: toStatement(sql`select count(*) as \`count\` from ${quote(keys.table)} where ${isZero}`),
      describe: (count) => `${count} keys have a zero date, which counts as NULL: ${meanings[name]}`,
      fix: 'store the time that is meant, or NULL',
    })
  })
}

/** Each lookup with `where` that leaves several rows for a key: the one with the lowest primary key counts. */
export function askChoices(table: ResolvedTable): readonly Question[] {
  const { workspace, eventId } = table
  const columns = [
    ...listRecordColumns(table),
    ...('constant' in workspace ? [] : [workspace]),
    ...listEventColumns(eventId),
  ]
  const choices = listLookups(columns).filter(({ choice }) => (choice?.order.length ?? 0) > 0)
  const toPlace = ({ table: name, key, choice }: Lookup): string => JSON.stringify([name, key.name, choice])
  return [...new Map(choices.map((one) => [toPlace(one), one])).values()].map((lookup) => {
    const tests = (lookup.choice?.tests ?? []).map((test) => testCell(test, quote(test.column.name)))
    return askCount({
      object: `${lookup.table}.${lookup.key.name}`,
      what: 'the values with several rows',
      statement: countRepeated(lookup.table, lookup.key, tests),
      describe: (count) =>
        `${count} of its values have several rows that pass the where of the lookup: the one with the lowest primary key counts${describeOrder(lookup)}`,
      fix: 'add a test to the where of the lookup that leaves one row, if another row should count',
    })
  })
}

function describeOrder({ choice }: Lookup): string {
  const names = (choice?.order ?? []).filter(isEnumerated).map(({ name }) => name)
  return names.length === 0
    ? ''
    : `, and ${names.join(', ')} is an ENUM or SET, whose labels are in the order of their definition`
}

/** Ids of several records behind a view, equal by the collation of the column: an index makes every other id unique. */
export function askRepeatedIds(table: ResolvedTable): readonly Question[] {
  if (!table.isView) return []
  const { name, id } = table
  return [
    askCount({
      object: `${name}.${id.column.name}`,
      what: 'the ids of several records',
      statement: countRepeated(name, id.column, listUnarchived(table)),
      describe: (count) =>
        `${count} of the ids have several records: lists show each of them, and GET by the id none`,
      fix: 'change the view so that it shows each id once, or map another id',
      create: createError,
    }),
  ]
}

/** The number of values of a column that several rows have. */
function countRepeated(table: string, key: Column, conditions: readonly Sql[]): Statement {
  const name = quoteColumn(table, key)
  const groups = sql`select 1 from ${quote(table)} where ${all([sql`${name} is not null`, ...conditions])} group by ${name} having count(*) > 1`
  return toStatement(sql`select count(*) as \`count\` from (${groups}) as \`several\``)
}

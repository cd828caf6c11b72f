import { join, quote, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { listColumnsOf } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { testFound, testRow } from '../../collections/rows.js'
import { describeTest, findZero } from '../../collections/row-test.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import { formatCount } from '../report/report.js'
import type { Finding } from '../../finding.js'
import { isSameName } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { isFlag, isMoment } from '../facts/columns.js'
import { matches } from '../facts/names.js'
import { toSnake } from '../facts/words.js'
import { readAll } from './rows-sql.js'

/** How many rows the table of a collection has, why some are no records, and how many others are marked. */
export interface Counts {
  readonly total: number
  /** Whether only the rows with the greatest ids were counted, because there are many. */
  readonly isPart: boolean
  /** What holds for some rows; a row can count several times. */
  readonly found: readonly (Condition & { readonly rows: number })[]
  /** Rows that nothing leaves out. */
  readonly left: number
}

/** What is counted; a mark leaves no row out. */
interface Condition {
  /** Of the mapping; `zeroDates` for rows that a zero date hides. */
  readonly place: keyof typeof fixes
  readonly what: string
  /** True, false or NULL. */
  readonly holds: Sql
  readonly isError?: boolean
}

const ask = 'ask the product team what such a row is'
const fixes = {
  where: ask,
  archived: ask,
  mark: 'ask what such rows are; if they are no records, test the column in archived or where',
  workspace: 'leave them out with where, if they are no records; otherwise ask whose they are',
  'fields.updatedAt': 'write updatedAt: { first: [CHANGED, CREATED] }, if NULL means not changed since',
  zeroDates: 'write zeroDates: true beside timezone, so that a zero date counts as NULL',
} as const

/** Counts the rows for which each condition holds, by one statement. */
export async function countRows(
  { name, table }: BoundCollection,
  mapping: Mapping,
  described: DescribedTable | undefined,
  runQuery: RunQuery,
): Promise<Counts> {
  const mapped = listColumnsOf(mapping, name).filter((one) => one.table === table.name)
  const open = (described?.columns ?? []).filter((one) =>
    mapped.every(({ column }) => !isSameName(column, one.name)),
  )
  const hiding = listConditions(table)
  const conditions = [...hiding, ...open.flatMap(toMark)]
  const cells = conditions.map(({ holds }, at) => sql`sum(ifnull((${holds}), 0) <> 0) as ${quote(`n${at}`)}`)
  const any = join([sql`0`, ...hiding.map(({ holds }) => sql`ifnull((${holds}), 0)`)], ' or ')
  const all = [sql`count(*) as \`total\``, sql`sum(if(${any}, 0, 1)) as \`left\``, ...cells]
  const render = (from: Sql) => toStatement(sql`select ${join(all, ', ')} from ${from}`)
  const others = open.filter((one) => toMark(one).length > 0).map((one) => one.name)
  const { rows, isPart } = await readAll(table, render, runQuery, others)
  const read = (cell: string): number => Number(rows[0]?.[cell] ?? 0)
  const found = conditions.map((one, at) => ({ ...one, rows: read(`n${at}`) }))
  return { total: read('total'), isPart, found: found.filter((one) => one.rows > 0), left: read('left') }
}

/** When a row is left out. */
function listConditions(table: ResolvedTable): readonly Condition[] {
  const { where, archived, workspace, updatedAt } = table
  const zeros = [...where, ...archived].flatMap(({ column, lookup }) => {
    const isRead = !column.nullable || column.mayBeZero === true || lookup !== undefined
    const zero = isRead ? undefined : findZero({ ...column, mayBeZero: true })
    return zero === undefined ? [] : [{ column, holds: sql`${quote(column.name)} = ${zero}` }]
  })
  const isLate = updatedAt.column.nullable && updatedAt.untilChanged === undefined
  const { name: changed } = updatedAt.column
  return [
    ...where.map((test) => ({
      place: 'where' as const,
      what: `not: ${describeTest(test)}`,
      holds: sql`not ifnull((${testRow(test, table)}), 0)`,
    })),
    ...archived.map((test) => ({
      place: 'archived' as const,
      what: describeTest(test),
      holds: testRow(test, table),
    })),
    ...('constant' in workspace ? [] : [workspace]).map((found) => ({
      place: 'workspace' as const,
      what: `${found.column.name} is NULL, or its row is missing`,
      holds: sql`not ifnull((${testFound(table, found, (cell) => sql`${cell} is not null`)}), 0)`,
    })),
    ...(isLate ? [changed] : []).map((column) => ({
      place: 'fields.updatedAt' as const,
      what: `${column} is NULL`,
      holds: sql`${quote(column)} is null`,
    })),
    ...zeros.map(({ column, holds }) => ({
      place: 'zeroDates' as const,
      what: `${column.name} is a zero date`,
      holds,
    })),
  ]
}

/** A column by which products mark rows that are no records, any more or yet, and that nothing of the mapping reads. */
function toMark(column: DescribedColumn): readonly Condition[] {
  const { name, kind } = column
  const [snake, cell] = [toSnake(name), quote(name)]
  if (matches('issueMark', snake) && isFlag(column) && kind !== 'text')
    return [{ place: 'mark', what: `${name} is 0`, holds: sql`${cell} = 0` }]
  if (!matches('deletion', snake) && !matches('otherMark', snake)) return []
  const isTime = kind === 'date' || isMoment(column)
  const number = kind === 'bit' ? sql`${cell} + 0` : cell
  const holds = isTime ? sql`year(${cell}) > 0` : sql`cast(${number} as char) not in ('0', '', 'N', 'n')`
  return [{ place: 'mark', what: `${name} is set`, holds, isError: matches('deletion', snake) }]
}

/** More hidden rows than this share are an error. */
export const hiddenMax = 0.05

/** What the counts say against the mapping. */
export function evaluateCounts(
  { name, table }: BoundCollection,
  { total, found, left }: Counts,
): readonly Finding[] {
  const all = formatCount(total)
  const findings = found.flatMap(({ place, what, rows, isError = false }) => {
    const of = `${formatCount(rows)} of ${all} rows`
    if (place === 'mark') {
      const problem = `${table.name}.${what} in ${of}, and neither where nor archived tests it`
      return rows < total
        ? [(isError ? createError : createWarning)(`${name}.archived`, problem, fixes.mark)]
        : []
    }
    // What `where` leaves out is no record, as a small part of the archived ones.
    if (place === 'where' || (place === 'archived' && rows <= total / 2)) return []
    const isHiding = ['fields.updatedAt', 'zeroDates'].includes(place) && rows > total * hiddenMax
    const create = isHiding ? createError : createWarning
    return [create(`${name}.${place}`, `${of} are not shown, because ${what}`, fixes[place])]
  })
  if (total === 0 || left > 0) return findings
  const hiding = found.filter(({ place }) => place !== 'mark')
  const places = [...new Set(hiding.map(({ place }) => `${name}.${place}`))].join(', ')
  return [createError(name, `shows no record: all ${all} rows are left out by ${places}`, ask)]
}

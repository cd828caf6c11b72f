import { isTimeLimit } from '../../database/errors.js'
import { join, quote, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { testFound, testRow } from '../../collections/rows.js'
import { describeTest, findZero } from '../../collections/row-test.js'
import { findOwnColumn } from '../../collections/resolved-table.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import { formatCount } from '../report/report.js'
import type { Finding } from '../../finding.js'
import { invalidMax } from './contradictions.js'
import { fromNewest } from './groups-sql.js'
import { describeFailure } from './questions.js'

/** How many rows the table of a collection has, and why some are no records. */
export interface Counts {
  readonly total: number
  /** Whether only the rows with the greatest ids were counted, because there are many. */
  readonly isPart: boolean
  /** A row can count several times. */
  readonly leftOut: readonly { readonly place: Place; readonly what: string; readonly rows: number }[]
  /** Rows that nothing leaves out. */
  readonly left: number
}

/** The part of the mapping that leaves rows out; `zeroDates` for rows that a zero date hides. */
type Place = 'where' | 'archived' | 'workspace' | 'fields.updatedAt' | 'zeroDates'

/** A table with more rows than this is not counted as a whole. */
const wholeMax = 500_000

/** Counts the rows that each part of the mapping leaves out, by one statement; or why they could not be counted. */
export async function countRows(
  { table }: BoundCollection,
  estimated: number,
  runQuery: RunQuery,
): Promise<Counts | string> {
  const conditions = listConditions(table)
  const sums = conditions.map(({ holds }, at) => sql`sum(if(${holds}, 1, 0)) as ${quote(`left${at}`)}`)
  const any = join([sql`0`, ...conditions.map(({ holds }) => holds)], ' or ')
  const cells = join([sql`count(*) as \`total\``, sql`sum(if(${any}, 0, 1)) as \`passing\``, ...sums], ', ')
  const count = async (isPart: boolean): Promise<Counts> => {
    const rows = isPart ? fromNewest(table, listOwnNames(table)) : quote(table.name)
    const [row] = await runQuery(toStatement(sql`select ${cells} from ${rows}`))
    const read = (name: string): number => Number(row?.[name] ?? 0)
    const leftOut = conditions.map(({ place, what }, at) => ({ place, what, rows: read(`left${at}`) }))
    const found = leftOut.filter((one) => one.rows > 0)
    return { total: read('total'), isPart, leftOut: found, left: read('passing') }
  }
  try {
    return await count(estimated > wholeMax).catch((error: unknown) => {
      if (!isTimeLimit(error)) throw error
      return count(true)
    })
  } catch (error) {
    return describeFailure(error)
  }
}

/** When a row is left out; true or false, and never NULL. */
function listConditions(table: ResolvedTable): readonly { place: Place; what: string; holds: Sql }[] {
  const { where, archived, workspace, updatedAt } = table
  const name = quote(updatedAt.column.name)
  const zeros = [...where, ...archived].flatMap(({ column, lookup }) => {
    const zero = column.nullable && !column.mayBeZero ? findZero({ ...column, mayBeZero: true }) : undefined
    return zero === undefined || lookup !== undefined ? [] : [{ column, zero }]
  })
  return [
    ...where.map((test) => ({
      place: 'where' as const,
      what: `not: ${describeTest(test)}`,
      holds: sql`not ifnull((${testRow(test, table)}), 0)`,
    })),
    ...archived.map((test) => ({
      place: 'archived' as const,
      what: describeTest(test),
      holds: sql`ifnull((${testRow(test, table)}), 0)`,
    })),
    ...('constant' in workspace
      ? []
      : [
          {
            place: 'workspace' as const,
            what: `${workspace.column.name} is NULL, or its row is missing`,
            holds: sql`not ifnull((${testFound(table, workspace, (cell) => sql`${cell} is not null`)}), 0)`,
          },
        ]),
    ...(updatedAt.column.nullable && updatedAt.untilChanged === undefined
      ? [
          {
            place: 'fields.updatedAt' as const,
            what: `${updatedAt.column.name} is NULL`,
            holds: sql`${name} is null`,
          },
        ]
      : []),
    ...zeros.map(({ column, zero }) => ({
      place: 'zeroDates' as const,
      what: `${column.name} is a zero date`,
      holds: sql`ifnull(${quote(column.name)} = ${zero}, 0)`,
    })),
  ]
}

/** The columns of the table itself that the conditions read. */
function listOwnNames({ where, archived, workspace, updatedAt }: ResolvedTable): readonly string[] {
  const found = [...where, ...archived, updatedAt, ...('constant' in workspace ? [] : [workspace])]
  return found.map((one) => findOwnColumn(one).name)
}

const fixes: Readonly<Record<Place, string>> = {
  where: 'ask the product team what such a row is',
  archived: 'ask the product team what such a row is',
  workspace: 'leave them out with where, if they are no records; otherwise ask whose they are',
  'fields.updatedAt': 'write updatedAt: { first: [CHANGED, CREATED] }, if NULL means not changed since',
  zeroDates: 'write zeroDates: true beside timezone, so that a zero date counts as NULL',
}

/** What the counts say against the mapping. */
export function evaluateCounts(name: string, { total, leftOut, left }: Counts): readonly Finding[] {
  const all = formatCount(total)
  const findings = leftOut.flatMap(({ place, what, rows }) => {
    const problem = `${formatCount(rows)} of ${all} rows are not shown, because ${what}`
    const isMost = place === 'archived' && rows > total / 2
    const isHiding = place === 'fields.updatedAt' || place === 'zeroDates'
    const create = isHiding && rows > total * invalidMax ? createError : createWarning
    const isFinding = isMost || !['where', 'archived'].includes(place)
    return isFinding ? [create(`${name}.${place}`, problem, fixes[place])] : []
  })
  if (total === 0 || left > 0) return findings
  const places = [...new Set(leftOut.map(({ place }) => `${name}.${place}`))].join(', ')
  return [createError(name, `shows no record: all ${all} rows are left out by ${places}`, fixes.where)]
}

import { isTimeLimit } from '../../database/errors.js'
import { join, quote, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { listColumnsOf } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { testFound, testRow } from '../../collections/rows.js'
import { describeTest, findZero } from '../../collections/row-test.js'
import { findOwnColumn } from '../../collections/resolved-table.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import { formatCount } from '../report/report.js'
import type { Finding } from '../../finding.js'
import { isSameName } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { isFlag } from '../facts/columns.js'
import { matches } from '../facts/names.js'
import { toSnake } from '../facts/words.js'
import { fromNewest } from './groups-sql.js'
import { countValues, describeFailure } from './sample.js'
import type { Sample } from './sample.js'

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
  readonly place: 'where' | 'archived' | 'workspace' | 'fields.updatedAt' | 'zeroDates' | 'mark'
  readonly what: string
  /** True, false or NULL. */
  readonly holds: Sql
  /** The columns of the table itself that it reads. */
  readonly reads: readonly string[]
  readonly isError?: boolean
}

/** A table with more rows than this is not counted as a whole. */
const wholeMax = 500_000

/** Counts the rows for which each condition holds, by one statement; or why they could not be counted. */
export async function countRows(
  { name, table }: BoundCollection,
  mapping: Mapping,
  described: DescribedTable | undefined,
  runQuery: RunQuery,
): Promise<Counts | string> {
  const mapped = listColumnsOf(mapping, name).filter((one) => one.table === table.name)
  const open = described?.columns.filter((one) => mapped.every(({ column }) => !isSameName(column, one.name)))
  const conditions = [...listConditions(table), ...(open ?? []).flatMap(toMark)]
  const hiding = conditions.filter(({ place }) => place !== 'mark').map(({ holds }) => holds)
  const sums = conditions.map(({ holds }, at) => sql`sum(ifnull((${holds}), 0) <> 0) as ${quote(`n${at}`)}`)
  const any = join([sql`0`, ...hiding.map((holds) => sql`ifnull((${holds}), 0)`)], ' or ')
  const cells = join([sql`count(*) as \`total\``, sql`sum(if(${any}, 0, 1)) as \`passing\``, ...sums], ', ')
  const count = async (isPart: boolean): Promise<Counts> => {
    const reads = conditions.flatMap((one) => one.reads)
    const rows = isPart ? fromNewest(table, reads) : quote(table.name)
    const [row] = await runQuery(toStatement(sql`select ${cells} from ${rows}`))
    const read = (cell: string): number => Number(row?.[cell] ?? 0)
    const found = conditions.map((one, at) => ({ ...one, rows: read(`n${at}`) }))
    return { total: read('total'), isPart, found: found.filter((one) => one.rows > 0), left: read('passing') }
  }
  try {
    return await count((described?.rows ?? 0) > wholeMax).catch((error: unknown) => {
      if (!isTimeLimit(error)) throw error
      return count(true)
    })
  } catch (error) {
    return describeFailure(error)
  }
}

/** When a row is left out. */
function listConditions(table: ResolvedTable): readonly Condition[] {
  const { where, archived, workspace, updatedAt } = table
  const { name: changed } = updatedAt.column
  const all = [...where, ...archived]
  const zeros = all.flatMap(({ column, lookup }): readonly Condition[] => {
    const zero = column.nullable && !column.mayBeZero ? findZero({ ...column, mayBeZero: true }) : undefined
    if (zero === undefined || lookup !== undefined) return []
    const holds = sql`${quote(column.name)} = ${zero}`
    return [{ place: 'zeroDates', what: `${column.name} is a zero date`, holds, reads: [] }]
  })
  const missing: readonly Condition[] =
    'constant' in workspace
      ? []
      : [
          {
            place: 'workspace',
            what: `${workspace.column.name} is NULL, or its row is missing`,
            holds: sql`not ifnull((${testFound(table, workspace, (cell) => sql`${cell} is not null`)}), 0)`,
            reads: [findOwnColumn(workspace).name],
          },
        ]
  const isLate = updatedAt.column.nullable && updatedAt.untilChanged === undefined
  const late: Condition = {
    place: 'fields.updatedAt',
    what: `${changed} is NULL`,
    holds: sql`${quote(changed)} is null`,
    reads: [changed],
  }
  return [
    ...all.map((test, at): Condition => {
      const [isWhere, cell] = [at < where.length, sql`ifnull((${testRow(test, table)}), 0)`]
      return {
        place: isWhere ? 'where' : 'archived',
        what: `${isWhere ? 'not: ' : ''}${describeTest(test)}`,
        holds: isWhere ? sql`not ${cell}` : cell,
        reads: [findOwnColumn(test).name],
      }
    }),
    ...missing,
    ...(isLate ? [late] : []),
    ...zeros,
  ]
}

/** A column by which products mark rows that are no records, any more or yet, and that nothing of the mapping reads. */
function toMark(column: DescribedColumn): readonly Condition[] {
  const { name, kind } = column
  const snake = toSnake(name)
  const cell = quote(name)
  const about = { place: 'mark', reads: [name] } as const
  if (matches('issueMark', snake) && isFlag(column) && kind !== 'text')
    return [{ ...about, what: `${name} is 0`, holds: sql`${cell} = 0` }]
  if (!matches('deletion', snake) && !matches('otherMark', snake)) return []
  const isTime = ['date', 'datetime', 'timestamp'].includes(kind)
  const holds = isTime
    ? sql`year(${cell}) > 0`
    : kind === 'bit'
      ? sql`${cell} > 0`
      : sql`cast(${cell} as char) not in ('0', '', 'N', 'n')`
  return [{ ...about, what: `${name} is set`, holds, isError: matches('deletion', snake) }]
}

const ask = 'ask the product team what such a row is'
const fixes: Readonly<Record<Condition['place'], string>> = {
  where: ask,
  archived: ask,
  mark: 'ask what such rows are; if they are no records, test the column in archived or where',
  workspace: 'leave them out with where, if they are no records; otherwise ask whose they are',
  'fields.updatedAt': 'write updatedAt: { first: [CHANGED, CREATED] }, if NULL means not changed since',
  zeroDates: 'write zeroDates: true beside timezone, so that a zero date counts as NULL',
}

const untested = 'and neither where nor archived tests it'

/** More invalid rows than this share are an error. */
const invalidMax = 0.05

/** What the counts say against the mapping. */
export function evaluateCounts(
  { name, table }: BoundCollection,
  { total, found, left }: Counts,
): readonly Finding[] {
  const all = formatCount(total)
  const isReported = ({ place, rows }: Counts['found'][number]): boolean => {
    if (place === 'mark') return rows < total
    return place === 'archived' ? rows > total / 2 : place !== 'where'
  }
  const findings = found.filter(isReported).map(({ place, what, rows, isError = false }) => {
    const of = `${formatCount(rows)} of ${all} rows`
    const isHiding = ['fields.updatedAt', 'zeroDates'].includes(place) && rows > total * invalidMax
    const create = isError || isHiding ? createError : createWarning
    return place === 'mark'
      ? create(`${name}.archived`, `${table.name}.${what} in ${of}, ${untested}`, fixes[place])
      : create(`${name}.${place}`, `${of} are not shown, because ${what}`, fixes[place])
  })
  if (total === 0 || left > 0) return findings
  const hiding = found.filter(({ place }) => place !== 'mark')
  const places = [...new Set(hiding.map(({ place }) => `${name}.${place}`))].join(', ')
  return [createError(name, `shows no record: all ${all} rows are left out by ${places}`, ask)]
}

/** Why rows cannot be shown, the most frequent reason first. A code that the mapping does not list is counted elsewhere. */
export function listInvalid({ rows, collection }: Sample): readonly Finding[] {
  const faults = rows.flatMap(({ fault }) => fault ?? [])
  const [first, ...others] = countValues(faults.map(({ message }) => message))
  const isError = faults.length > rows.length * invalidMax || collection.invalidRows === 'fail'
  if (first === undefined || (!isError && faults.every(({ code }) => code !== undefined))) return []
  const also = others.map(([reason, count]) => `; ${reason} (${count})`).join('')
  const problem = `${faults.length} of ${rows.length} rows of the sample cannot be shown; most: ${first[0]} (${first[1]})${also}`
  const fix =
    first[0] === 'status is NULL'
      ? // `values` and `otherwise` are about stored values.
        'ask what NULL means; it is no stored value, so write the status as when, with { column, is: unset, then: … } as the first case'
      : 'correct the mapping where it does not say what these rows mean, or the rows'
  return [(isError ? createError : createWarning)(collection.name, problem, fix)]
}

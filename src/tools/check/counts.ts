import type { Column } from '../../database/column.js'
import { join, quote, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { listColumnsOf } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { describeTest, negate, zeroOf } from '../../collections/row-test.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { formatCount } from '../report/report.js'
import { contradict } from './findings.js'
import type { Contradiction } from './findings.js'
import { isSameName } from '../description.js'
import type { DescribedColumn } from '../description.js'
import { isFlag, isMoment } from '../facts/columns.js'
import { matches } from '../facts/names.js'
import { toSnake } from '../facts/words.js'
import { testFound, testValue } from '../../collections/lookup.js'
import { listColumns } from '../../collections/identifier-fields.js'

/** How many rows the table of a collection has, why some are not records, and what holds for others. */
export interface Counts {
  readonly total: number
  /** For how many rows each holds; a row can count several times. */
  readonly found: readonly (Condition & { readonly rows: number })[]
  /** Rows that nothing leaves out. */
  readonly left: number
}

/** What is counted. */
interface Condition {
  readonly kind: keyof typeof kinds
  readonly what: string
  /** True, false or NULL. */
  readonly holds: Sql
}

/** More hidden rows than this share are an error. */
export const hiddenMax = 0.05

const ask = 'ask the product team what such a row is'
const none = 'ask what such rows are; if they are not records, test the column in archived or where'
const owner = 'leave them out with where, if they are not records; ask whose they are'
const first = 'write updatedAt: { first: [CHANGED, CREATED] }, if NULL means not changed since'
const zero = 'write zeroDates: true beside timezone, so that a zero date counts as NULL'
const untested = 'and neither where nor archived tests it'

/**
 * What a condition means: the place of the mapping; between which shares of the rows it is a finding, and above which an error;
 * what to do; and what follows, where it leaves no row out.
 */
type Kind = readonly [place: string, above: number, below: number, error: number, fix: string, so?: string]

const kinds = {
  where: ['where', 1, 2, 1, ask],
  archived: ['archived', 0.5, 2, 1, ask],
  workspace: ['workspace', 0, 2, 1, owner],
  unchanged: ['fields.updatedAt', 0, 2, hiddenMax, first],
  zero: ['zeroDates', 0, 2, hiddenMax, zero],
  zeroTested: ['zeroDates', 0, 2, hiddenMax, zero, 'and counts as a time in a test of a field'],
  deleted: ['archived', 0, 1, 0, none, untested],
  marked: ['archived', 0, 1, 1, none, untested],
} as const satisfies Readonly<Record<string, Kind>>

/** Counts the rows for which each condition holds, by one statement. */
export async function countRows(
  { name, table }: BoundCollection,
  mapping: Mapping,
  columns: readonly DescribedColumn[],
  runQuery: RunQuery,
): Promise<Counts> {
  const mapped = listColumnsOf(mapping, name).filter((one) => one.table === table.name)
  const open = columns.filter((one) => mapped.every(({ column }) => !isSameName(column, one.name)))
  const listed = listConditions(table)
  const tested = mapping.zeroDates === true ? [] : mapped.filter(({ path }) => testedField.test(path))
  const zeros = columns.filter((one) => tested.some(({ column }) => isSameName(column, one.name)))
  const conditions = [
    ...listed,
    ...zeros.flatMap((one) => listZeros(one, 'zeroTested')),
    ...open.flatMap(listMarks),
  ]
  const cells = conditions.map(({ holds }) => sql`ifnull((${holds}), 0)`)
  const isHidden = join([sql`0`, ...cells.slice(0, listed.length)], ' or ')
  const sums = [isHidden, ...cells].map((cell, at) => sql`sum(${cell}) as ${quote(`n${at}`)}`)
  const counts = join([sql`count(*) as \`total\``, ...sums], ', ')
  const [row] = await runQuery(toStatement(sql`select ${counts} from ${quote(table.name)}`))
  const [total, hidden] = [Number(row?.['total']), Number(row?.['n0'] ?? 0)]
  const found = conditions.map((one, at) => ({ ...one, rows: Number(row?.[`n${at + 1}`] ?? 0) }))
  return { total, found, left: total - hidden }
}

/** The tests that leave a row out: those of `where` that fail, and those of `archived` that hold. */
export function listHidingTests({ where, archived }: ResolvedTable) {
  const tests = [
    ...where.map((one) => ({ place: 'where', test: negate(one) }) as const),
    ...archived.map((test) => ({ place: 'archived', test }) as const),
  ]
  return tests.map((one) => ({ ...one, what: describeTest(one.test) }))
}

/** When a row is left out, and by which place of the mapping. */
export function listHiding(table: ResolvedTable): readonly (Condition & { readonly place: string })[] {
  return listConditions(table).map((one) => ({ ...one, place: kinds[one.kind][0] }))
}

function listConditions(table: ResolvedTable): readonly Condition[] {
  const { where, archived, workspace, updatedAt } = table
  const { name: changed, nullable } = updatedAt.column
  const isSet = (cell: Sql): Sql => sql`${cell} is not null`
  return [
    ...listHidingTests(table).map(({ place, test, what }) => ({
      kind: place,
      what,
      holds: testValue(test, table),
    })),
    ...listColumns(workspace).map((found): Condition => {
      const holds = sql`not ifnull((${testFound(table, found, isSet)}), 0)`
      return { kind: 'workspace', what: `${found.column.name} is NULL, or its row is missing`, holds }
    }),
    ...(nullable && updatedAt.untilChanged === undefined ? [changed] : []).map((name): Condition => {
      return { kind: 'unchanged', what: `${name} is NULL`, holds: sql`${quote(name)} is null` }
    }),
    ...[...where, ...archived].flatMap(({ column, lookup }): readonly Condition[] => {
      const isRead = column.mayBeZero === true || lookup !== undefined
      return isRead ? [] : listZeros(column, 'zero')
    }),
  ]
}

/** Fields that are not times: a column of times is tested there. */
const testedField = /\.fields\.(status|checkedIn)\b/

/** Of a column where a zero date does not count as NULL. */
function listZeros(column: Column, kind: 'zero' | 'zeroTested'): readonly Condition[] {
  const date = column.nullable ? zeroOf(column) : undefined
  if (date === undefined) return []
  return [{ kind, what: `${column.name} is a zero date`, holds: sql`${quote(column.name)} = ${date}` }]
}

/** What the name of a column that nothing reads says: that rows are not records, any more or yet. */
function listMarks(column: DescribedColumn): readonly Condition[] {
  const { name, kind } = column
  const [snake, cell] = [toSnake(name), quote(name)]
  if (matches('issueMark', snake) && isFlag(column) && kind !== 'text')
    return [{ kind: 'marked', what: `${name} is 0`, holds: sql`${cell} = 0` }]
  const mark = (['deletion', 'otherMark'] as const).find((pattern) => matches(pattern, snake))
  if (mark === undefined) return []
  const isTime = kind === 'date' || isMoment(column)
  const number = kind === 'bit' ? sql`${cell} + 0` : cell
  const holds = isTime ? sql`year(${cell}) > 0` : sql`cast(${number} as char) not in ('0', '', 'N', 'n')`
  return [{ kind: mark === 'deletion' ? 'deleted' : 'marked', what: `${name} is set`, holds }]
}

const isHiding = (kind: Condition['kind']): boolean => kinds[kind].length === 5

/** Why rows are hidden, in words; a test of archived rows even if it matches none, because its value can be wrong. */
export function describeHidden(name: string, { found }: Counts): readonly string[] {
  const all = found.flatMap(({ kind, what, rows }) =>
    isHiding(kind) && (rows > 0 || kind === 'archived')
      ? [`${name}.${kinds[kind][0]} hides ${formatCount(rows)} rows: ${what}.`]
      : [],
  )
  return all.length > 1 ? [...all, `${name}: a row can be hidden by several of these.`] : all
}

/** What the counts say against the mapping. */
export function evaluateCounts(
  { name, table }: BoundCollection,
  { total, found, left }: Counts,
): readonly Contradiction[] {
  const findings = found.flatMap(({ kind, what, rows }): readonly Contradiction[] => {
    const [place, above, below, error, fix, so]: Kind = kinds[kind]
    const of = `${formatCount(rows)} of ${formatCount(total)} rows`
    const isFound = rows > total * above && rows < total * below
    const problem =
      so === undefined ? `${of} are not shown, because ${what}` : `${table.name}.${what} in ${of}, ${so}`
    const places = [`${name}.${place}`]
    return isFound ? [contradict(rows > total * error, places, problem, fix, rows, `${kind}Rows`)] : []
  })
  if (total === 0 || left > 0) return findings
  const places = found.flatMap(({ kind, rows }) =>
    isHiding(kind) && rows > 0 ? [`${name}.${kinds[kind][0]}`] : [],
  )
  const problem = `shows no record: all ${formatCount(total)} rows are left out by ${[...new Set(places)].join(', ')}`
  return [contradict(true, [name], problem, ask), ...findings]
}

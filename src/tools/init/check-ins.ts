import type { DescribedColumn, DescribedTable } from '../description.js'
import { isSection, toColumnName } from './candidate.js'
import type { Candidate, MappingValue, Section } from './candidate.js'
import { findColumns, toCandidate } from './columns.js'
import type { Search } from './columns.js'
import { isFlag } from './flags.js'
import { listChildren } from './graph.js'
import type { Graph, Way } from './graph.js'
import { patterns } from './names.js'
import { writeTime } from './times.js'
import { listTableWords } from './words.js'

/** A check-in that is no column of the row: its own table says most, a key of a key-value table least. */
const weights = { table: 8, word: 6, day: 6, key: 7 } as const

/** Rows of another table that say that a person came: those that were not undone. */
interface CheckInTable {
  readonly way: Way
  readonly times: readonly DescribedColumn[]
}

/** Whether another table has the check-ins of the rows of a table. */
export function hasCheckInTable(graph: Graph, table: DescribedTable): boolean {
  return findTables(graph, table).length > 0
}

/** The tables of check-ins of the rows of a table: their rows lead to it by its primary key. */
function findTables(graph: Graph, table: DescribedTable): ReturnType<typeof listChildren> {
  return listChildren(graph, table).filter(({ child }) => isCheckInTable(child))
}

/** Whether the rows of a table say that people came. */
export function isCheckInTable({ name }: DescribedTable): boolean {
  return patterns.checkInTable.test(listTableWords(name).join('_'))
}

async function listTables(
  { graph, content }: Search,
  table: DescribedTable,
): Promise<readonly CheckInTable[]> {
  return Promise.all(
    findTables(graph, table).map(async ({ child, step }) => {
      const times = ['checkedInAt', 'createdAt'] as const
      const named = times.flatMap((rule) => findColumns(child, rule).map(({ column }) => column))
      const moments = child.columns.filter(({ kind: one }) => one === 'datetime' || one === 'timestamp')
      const [kind] = findColumns(child, 'kind')
      const codes = kind === undefined ? [] : (await content.readCodes(child, kind.column)).codes
      const type = codes.find(({ code }) => patterns.entryCode.test(code))
      const tests = [
        ...(kind === undefined || type === undefined
          ? []
          : [{ column: kind.column.name, equals: type.code }]),
        ...child.columns.flatMap(toValid),
      ]
      // A key that is not unique needs a test: of any row, that it is one.
      const [any] = child.primary
      const where = tests.length > 0 || any === undefined ? tests : [{ column: any, is: 'set' }]
      return { way: { steps: [{ ...step, where }], table: child, of: table }, times: [...named, ...moments] }
    }),
  )
}

/** The test that an entry counts. */
function toValid(column: DescribedColumn): readonly Section[] {
  const { name, nullable, kind } = column
  if (patterns.validEntry.test(name) && isFlag(column)) return [{ column: name, equals: 1 }]
  if (!patterns.undoneEntry.test(name)) return []
  if (isFlag(column)) return [{ column: name, equals: 0 }]
  return nullable && kind !== 'text' ? [{ column: name, is: 'unset' }] : []
}

/** Whether a person was checked in, where no column of the row says it. */
export async function listCheckIns(
  search: Search,
  table: DescribedTable,
  status: MappingValue | undefined,
): Promise<readonly Candidate[]> {
  const tables = (await listTables(search, table)).map(({ way }) => ({
    ...toCandidate(way, { reading: { is: 'set' } }, [
      [weights.table, `rows of ${way.table.name} are check-ins`],
    ]),
    label: `whether ${way.table.name} has a row`,
  }))
  const values = search.graph.listKeyValues(table).flatMap((way) =>
    findColumns(way.table, 'checkedIn').map(({ column }) =>
      toCandidate(
        way,
        {
          reading: { column: column.name, equals: '1' },
          verify: `what does ${column.name} hold for a person who came?`,
        },
        [[weights.key, `a key of ${way.table.name}`]],
      ),
    ),
  )
  return [...tables, ...values, ...listDays(table), ...(await listWords(search, table, status))]
}

/** A day, or a time of the day: it is set once the person came. */
function listDays(table: DescribedTable): readonly Candidate[] {
  return findColumns(table, 'checkedInOn').map(({ column: { name, type } }) => ({
    value: { column: name, is: 'set' },
    label: `whether ${name} is set`,
    evidence: [[weights.day, `${name} is ${type.toUpperCase()}, which is no instant`]],
  }))
}

/** The word of a status that means that the person came. */
async function listWords(
  search: Search,
  table: DescribedTable,
  status: MappingValue | undefined,
): Promise<readonly Candidate[]> {
  const name = isSection(status) && 'from' in status ? undefined : toColumnName(status)
  const column = table.columns.find((one) => one.name === name)
  if (column === undefined || column.kind !== 'text') return []
  const { codes } = await search.content.readCodes(table, column)
  return codes
    .filter(({ code }) => patterns.attendedCode.test(code))
    .slice(0, 1)
    .map(({ code }) => ({
      value: { column: column.name, equals: code },
      label: `${column.name} is ${code}`,
      evidence: [[weights.word, `${code} is a word of ${column.name} for a person who came`]],
    }))
}

/** The time of an entry in a table of check-ins. */
export async function listCheckInTimes(search: Search, table: DescribedTable): Promise<readonly Candidate[]> {
  const tables = await listTables(search, table)
  const found = tables.flatMap(({ way, times }) =>
    times.slice(0, 1).map(async (column) => {
      const written = await writeTime(search.content, way.table, column)
      return toCandidate(way, written, [[weights.table, `the time of an entry of ${way.table.name}`]])
    }),
  )
  return Promise.all(found)
}

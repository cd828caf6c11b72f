import { isAccessDenied } from '../../database/errors.js'
import { readTables } from '../../database/schema.js'
import type { Row, RunQuery, Statement } from '../../database/statement.js'
import { Problem } from '../../errors.js'
import type { Filters, Position } from '../../collections/cursor.js'
import { bindIdentifier, bindWorkspace } from '../../collections/filters.js'
import { planPage } from '../../collections/page.js'
import { chooseAccessPath } from '../../collections/parents.js'
import type { BoundCollection } from '../../collections/collection.js'
import { hasOwnOrder, listEventColumns } from '../../collections/resolved-table.js'
import type { IdentifierColumn, ResolvedTable } from '../../collections/resolved-table.js'
import type { Instant } from '../../values/instant.js'
import { renderCount, renderLinkedEvent, renderSizes } from './groups-sql.js'
import { readText, readTime } from './check-sample.js'
import { readField, renderLatest, withRecords, withUnseen } from './sample-reader.js'

/** What the requests of a collection are measured with: values of real rows of a workspace. */
export interface Workload {
  readonly collection: BoundCollection
  readonly size: 'largest' | 'middle' | 'small'
  readonly workspace: string
  /** False where no workspace could be found in time, so that the requests are measured with a value that has no rows. */
  readonly isFound: boolean
  /** Rows of the workspace; undefined where they could not be counted in time, because there are many. */
  readonly workspaceRows: number | undefined
  /** Rows of the table as the server estimates them; undefined for a view. */
  readonly tableRows: number | undefined
  readonly id: string
  /** A time in the middle of the changes, for `updatedSince`. */
  readonly since: Instant
  readonly filters: Pick<Filters, 'eventId' | 'status'>
  /** Where the deep page begins. */
  readonly position: Position
}

/** The most rows that a statement reads: of a large table, of the workspace, where that has a lookup, and linked ones. */
const sizes = { newest: 20_000, ofWorkspace: 1000, ofParents: 100, linked: 100 } as const

/** The workspaces whose requests are measured. */
export interface Workloads {
  readonly largest: Workload
  /** None where there is one workspace, or where they could not be counted in time. */
  readonly others: readonly Workload[]
  /** Rows without a workspace. */
  readonly unowned: number
}

/** Finds the largest workspace, a middle and a small one, and reads some of their rows. Nothing fails where a statement does. */
export async function readWorkloads(collection: BoundCollection, runQuery: RunQuery): Promise<Workloads> {
  const { first, rest, unowned } = await findWorkspaces(collection.table, runQuery)
  const read = async (size: Workload['size'], found: FoundWorkspace): Promise<Workload> => ({
    size,
    ...(await readWorkload(collection, found, runQuery)),
  })
  const largest = await read('largest', first)
  const others: Workload[] = []
  for (const [at, one] of rest.entries())
    others.push(await read(at === rest.length - 1 ? 'small' : 'middle', one))
  return { largest, others, unowned }
}

async function readWorkload(
  collection: BoundCollection,
  { workspace, rows, isFound }: FoundWorkspace,
  runQuery: RunQuery,
): Promise<Omit<Workload, 'size'>> {
  const { table } = collection
  const [first, ...later] = await readRows(collection, workspace, runQuery)
  const deep = later[Math.floor(later.length / 2)] ?? first ?? {}
  const id = readText(deep['id'], table.id) ?? examples[table.id.identifier]
  return {
    collection,
    workspace,
    isFound,
    workspaceRows: rows,
    tableRows: (await readTables(runQuery, { names: [table.name] }))[0]?.rows,
    id,
    since: findMiddle(table, [first, later.at(-1)]),
    filters: {
      eventId: await findEvent(table, later, runQuery),
      status: findMostFrequent(later, (row) => readField(row, 'status')) ?? collection.statuses?.[0] ?? 'x',
    },
    position: { updatedAt: toTimeText(table, deep), id },
  }
}

/** Values of a table without rows. */
const examples: Readonly<Record<IdentifierColumn['identifier'], string>> = {
  text: 'x',
  ascii: 'x',
  'uuid-text': '00000000-0000-0000-0000-000000000000',
  inet4: '0.0.0.0',
  inet6: '::',
  signed: '1',
  unsigned: '1',
  zerofill: '1',
  uuid: '00000000-0000-0000-0000-000000000000',
  'uuid-swapped': '00000000-0000-0000-0000-000000000000',
}

interface FoundWorkspace {
  readonly workspace: string
  readonly rows: number | undefined
  readonly isFound: boolean
}

/** The workspaces to measure, the largest first; an example where they could not be found in time, or there is none. */
async function findWorkspaces(table: ResolvedTable, runQuery: RunQuery) {
  const { workspace } = table
  if ('constant' in workspace) {
    const [counted] = await tryToRun(runQuery, renderCount(table))
    const rows = counted && Number(counted['rows'])
    return { first: { workspace: workspace.constant, rows, isFound: true }, rest: [], unowned: 0 }
  }
  const groups = { table, found: workspace, isVisible: false }
  const counted = await runOrNone(runQuery, renderSizes(groups))
  const sampled = counted ?? (await tryToRun(runQuery, renderSizes({ ...groups, newest: sizes.newest })))
  const isFound = counted !== undefined
  const example = { workspace: examples[workspace.identifier], rows: counted && 0, isFound }
  const [first = example, ...rest] = sampled.flatMap((row): readonly FoundWorkspace[] => {
    const text = readText(row['value'], workspace)
    return text === undefined
      ? []
      : [{ workspace: text, rows: counted && Number(row['rows']), isFound: true }]
  })
  const unowned = sampled.find(({ value }) => value === null)
  return { first, rest, unowned: Number(unowned?.['rows'] ?? 0) }
}

/**
 * The first row of the workspace, then others, in the order of lists. By an index, the others are the last ones, which
 * it gives from its end: an OFFSET would read all entries before. Where a lookup finds the workspace or the time, they are the first page.
 */
async function readRows(
  collection: BoundCollection,
  workspace: string,
  runQuery: RunQuery,
): Promise<readonly Row[]> {
  const { table } = collection
  const stored = bindWorkspace(table, workspace)
  if (stored === undefined) return []
  const isLookedUp = !hasOwnOrder(table)
  const filters = { updatedSince: undefined, eventId: undefined, status: undefined }
  const rows = await noneIfDenied(async () => {
    const wide = withUnseen(table)
    const input = { table: wide, workspaceId: workspace, filters, runQuery, context: {} }
    const path = await chooseAccessPath(input)
    const query = { limit: isLookedUp ? sizes.ofParents : 1, filters, crawl: undefined }
    const [, ...records] = await runQuery(
      withRecords(collection, planPage(wide, workspace, query, path).statement),
    )
    return records
  })
  if (isLookedUp) return rows ?? []
  const newest = withRecords(collection, renderLatest(table, stored, sizes.ofWorkspace))
  const latest = await tryToRun(runQuery, newest)
  return [...(rows ?? []).slice(0, 1), ...latest.toReversed()]
}

/** The middle between the times of two rows. */
function findMiddle(table: ResolvedTable, rows: readonly (Row | undefined)[]): Instant {
  const [from, to] = rows.map((row) => row && readTime(table, row))
  if (from === undefined || to === undefined) return { seconds: 0, micros: 0 }
  return { seconds: Math.floor((from.seconds + to.seconds) / 2), micros: 0 }
}

/** The text of a position, as the service makes it. */
function toTimeText({ updatedAt: { epoch } }: ResolvedTable, { updatedAt }: Row): string {
  if (typeof updatedAt === 'string') return updatedAt
  if (epoch === undefined) return '2020-01-01 00:00:00'
  return typeof updatedAt === 'number' ? String(updatedAt) : '1'
}

async function findEvent(
  { eventId, id }: ResolvedTable,
  rows: readonly Row[],
  runQuery: RunQuery,
): Promise<string> {
  if (eventId === undefined) return examples.text
  const column = 'event' in eventId ? eventId.event : listEventColumns(eventId)[0]
  if (column === undefined) return examples.text
  const example = examples[column.identifier]
  if (!('event' in eventId)) return findMostFrequent(rows, (row) => readText(row['event'], column)) ?? example
  const invoices = rows.slice(0, sizes.linked).flatMap((row) => {
    const text = readText(row['id'], id)
    const stored = text === undefined ? undefined : bindIdentifier(eventId.invoice, text)
    return stored === undefined ? [] : [stored]
  })
  if (invoices.length === 0) return example
  const [linked] = await tryToRun(runQuery, renderLinkedEvent(eventId, invoices))
  return readText(linked?.['event'], eventId.event) ?? example
}

function findMostFrequent(rows: readonly Row[], read: (row: Row) => string | undefined): string | undefined {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const value = read(row)
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

async function tryToRun(runQuery: RunQuery, statement: Statement): Promise<readonly Row[]> {
  return (await runOrNone(runQuery, statement)) ?? []
}

function runOrNone(runQuery: RunQuery, statement: Statement): Promise<readonly Row[] | undefined> {
  return noneIfDenied(() => runQuery(statement))
}

/** Undefined where a statement took too long, or where the server denied it. */
async function noneIfDenied<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem || isAccessDenied(error)) return undefined
    throw error
  }
}

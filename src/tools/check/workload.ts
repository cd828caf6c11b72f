import type { Row, RunQuery } from '../../database/statement.js'
import type { Position } from '../../collections/cursor.js'
import { bindIdentifier, bindWorkspace } from '../../collections/filters.js'
import { planPage } from '../../collections/page.js'
import { chooseAccessPath } from '../../collections/parents.js'
import type { BoundCollection } from '../../collections/collection.js'
import { hasOwnOrder, listEventColumns } from '../../collections/resolved-table.js'
import type { EventLink, IdentifierColumn, ResolvedTable } from '../../collections/resolved-table.js'
import type { Instant } from '../../values/instant.js'
import { countValues } from './contradictions.js'
import { renderGroups, renderLinkedEvent } from './groups-sql.js'
import { orNone } from './questions.js'
import { readText, readTime, renderLatest, toSampled, withUnseen } from './sample.js'

/** What the requests of a collection are measured with: values of real rows of its largest workspace. */
export interface Workload {
  readonly collection: BoundCollection
  readonly workspace: string
  /** False where none could be found in time, so that the requests are measured with a value that has no rows. */
  readonly isFound: boolean
  /** Rows of the workspace; undefined where they could not be counted in time, because there are many. */
  readonly workspaceRows: number | undefined
  readonly id: string
  /** A time in the middle of the changes, for `updatedSince`. */
  readonly since: Instant
  readonly eventId: string
  readonly status: string
  /** Where the page behind a cursor begins. */
  readonly position: Position
}

/** The most rows that a statement reads: of a large table, of the workspace, where that has a lookup, and linked ones. */
const sizes = { newest: 20_000, ofWorkspace: 1000, ofParents: 99, linked: 100 } as const

/** Finds the largest workspace, and reads some of its rows. Nothing fails where a statement does. */
export async function readWorkload(collection: BoundCollection, runQuery: RunQuery): Promise<Workload> {
  const { table } = collection
  const { workspace, rows: workspaceRows, isFound } = await findLargest(table, runQuery)
  const rows = await readRows(table, workspace, runQuery)
  const deep = rows[Math.floor(rows.length / 2)] ?? {}
  const id = readText(deep['id'], table.id) ?? examples[table.id.identifier]
  const statuses = rows.flatMap((row) => String(toSampled(collection, row).record?.['status'] ?? '') || [])
  return {
    collection,
    workspace,
    isFound,
    workspaceRows,
    id,
    since: readTime(table, deep) ?? { seconds: 0, micros: 0 },
    eventId: await findEvent(table, rows, runQuery),
    status: countValues(statuses)[0]?.[0] ?? collection.statuses?.[0] ?? 'x',
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

async function findLargest(table: ResolvedTable, runQuery: RunQuery) {
  const { workspace } = table
  if ('constant' in workspace) return { workspace: workspace.constant, rows: undefined, isFound: true }
  const groups = { table, found: workspace, isVisible: false, limit: 2 }
  const counted = await orNone(runQuery(renderGroups(groups)))
  const found = counted ?? (await orNone(runQuery(renderGroups({ ...groups, newest: sizes.newest })))) ?? []
  // One of the two can be NULL.
  const [largest] = found.flatMap((row) => {
    const text = readText(row['value'], workspace)
    return text === undefined
      ? []
      : [{ workspace: text, rows: counted && Number(row['rows']), isFound: true }]
  })
  return (
    largest ?? {
      workspace: examples[workspace.identifier],
      rows: counted && 0,
      isFound: counted !== undefined,
    }
  )
}

/** The last rows by the index that serves lists; where a lookup finds the workspace, the first page. */
async function readRows(
  table: ResolvedTable,
  workspace: string,
  runQuery: RunQuery,
): Promise<readonly Row[]> {
  const stored = bindWorkspace(table, workspace)
  if (stored === undefined) return []
  if (hasOwnOrder(table))
    return (await orNone(runQuery(renderLatest(table, stored, sizes.ofWorkspace)))) ?? []
  const filters = { updatedSince: undefined, eventId: undefined, status: undefined }
  const read = async (): Promise<readonly Row[]> => {
    const wide = withUnseen(table)
    const input = { table: wide, workspaceId: workspace, filters, runQuery, context: {} }
    const path = await chooseAccessPath(input)
    const query = { limit: sizes.ofParents, filters, crawl: undefined }
    return runQuery(planPage(wide, workspace, query, path).statement)
  }
  return (await orNone(read())) ?? []
}

/** The text of a position, as the service makes it. */
function toTimeText({ updatedAt: { epoch } }: ResolvedTable, { updatedAt }: Row): string {
  if (typeof updatedAt === 'string') return updatedAt
  if (epoch === undefined) return '2020-01-01 00:00:00'
  return typeof updatedAt === 'number' ? String(updatedAt) : '1'
}

/** The most frequent event of some rows. */
async function findEvent(table: ResolvedTable, rows: readonly Row[], runQuery: RunQuery): Promise<string> {
  const { eventId } = table
  if (eventId !== undefined && 'event' in eventId) return findLinkedEvent(eventId, table, rows, runQuery)
  const [column] = listEventColumns(eventId)
  const events = rows.flatMap((row) => (column && readText(row['event'], column)) ?? [])
  return countValues(events)[0]?.[0] ?? examples[column?.identifier ?? 'text']
}

async function findLinkedEvent(
  link: EventLink,
  { id }: ResolvedTable,
  rows: readonly Row[],
  runQuery: RunQuery,
): Promise<string> {
  const texts = rows.slice(0, sizes.linked).flatMap((row) => readText(row['id'], id) ?? [])
  const invoices = [null, ...texts.map((text) => bindIdentifier(link.invoice, text) ?? null)]
  const linked = await orNone(runQuery(renderLinkedEvent(link, invoices)))
  return readText(linked?.[0]?.['event'], link.event) ?? examples[link.event.identifier]
}

import { sql, quote, toStatement } from '../../database/sql.js'
import type { Row, RunQuery } from '../../database/statement.js'
import type { Position } from '../../collections/cursor.js'
import { planPage } from '../../collections/page.js'
import { chooseAccessPath } from '../../collections/parents.js'
import type { BoundCollection } from '../../collections/collection.js'
import { listEventColumns } from '../../collections/resolved-table.js'
import type { IdentifierColumn, ResolvedTable } from '../../collections/resolved-table.js'
import type { Instant } from '../../values/instant.js'
import { renderGroups } from './groups-sql.js'
import { countValues, orNone, readText, readTime, toSampled, withUnseen } from './sample.js'

/** What the requests of a collection are measured with: values of real rows of its largest workspace. */
export interface Workload {
  readonly collection: BoundCollection
  readonly workspace: string
  /** False where none could be found in time, so that the requests are measured with a value that has no rows. */
  readonly isFound: boolean
  /** Rows of the workspace; undefined where they could not be counted in time, because there are many. */
  readonly workspaceRows: number | undefined
  readonly id: string
  /** A time of a change, for `updatedSince`. */
  readonly since: Instant
  readonly eventId: string
  readonly status: string
  /** Where the page behind a cursor begins. */
  readonly position: Position
}

/** The most rows that a statement reads of a large table, and those of a page. */
const sizes = { newest: 20_000, page: 99 } as const

/** Finds the largest workspace, and reads its first page. Nothing fails where a statement does. */
export async function readWorkload(collection: BoundCollection, runQuery: RunQuery): Promise<Workload> {
  const { table } = collection
  const { workspace, rows: workspaceRows, isFound } = await findLargest(table, runQuery)
  const rows = (await orNone(readPage(table, workspace, runQuery))) ?? []
  const last = rows.at(-1) ?? {}
  const sampled = rows.map((row) => toSampled(collection, row))
  const id = readText(last['id'], table.id) ?? examples[table.id.identifier]
  const [event] = listEventColumns(table.eventId)
  const events = sampled.flatMap((one) => one.event ?? [])
  const statuses = sampled.flatMap(({ record }) => String(record?.['status'] ?? '') || [])
  return {
    collection,
    workspace,
    isFound,
    workspaceRows,
    id,
    since: readTime(table, last) ?? { seconds: 0, micros: 0 },
    eventId:
      (await findLinkedEvent(table, runQuery)) ?? chooseMost(events, examples[event?.identifier ?? 'text']),
    status: chooseMost(statuses, collection.statuses?.[0] ?? 'x'),
    position: { updatedAt: toTimeText(table, last), id },
  }
}

function chooseMost(values: readonly string[], otherwise: string): string {
  return countValues(values)[0]?.[0] ?? otherwise
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

async function findLargest({ workspace, ...table }: ResolvedTable, runQuery: RunQuery) {
  if ('constant' in workspace) return { workspace: workspace.constant, rows: undefined, isFound: true }
  const groups = { table: { workspace, ...table }, found: workspace, isVisible: false, limit: 2 }
  const counted = await orNone(runQuery(renderGroups(groups)))
  const found = counted ?? (await orNone(runQuery(renderGroups({ ...groups, newest: sizes.newest })))) ?? []
  // One of the two can be NULL.
  const [largest] = found.flatMap((row) => {
    const text = readText(row['value'], workspace)
    return text === undefined
      ? []
      : [{ workspace: text, rows: counted && Number(row['rows']), isFound: true }]
  })
  const none = {
    workspace: examples[workspace.identifier],
    rows: counted && 0,
    isFound: counted !== undefined,
  }
  return largest ?? none
}

/** The first page of a workspace, as a list reads it. */
async function readPage(
  table: ResolvedTable,
  workspaceId: string,
  runQuery: RunQuery,
): Promise<readonly Row[]> {
  const wide = withUnseen(table)
  const filters = { updatedSince: undefined, eventId: undefined, status: undefined }
  const path = await chooseAccessPath({ table: wide, workspaceId, filters, runQuery, context: {} })
  const query = { limit: sizes.page, filters, crawl: undefined }
  return runQuery(planPage(wide, workspaceId, query, path).statement)
}

/** The text of a position, as the service makes it. */
function toTimeText({ updatedAt: { epoch } }: ResolvedTable, { updatedAt }: Row): string {
  if (typeof updatedAt === 'string') return updatedAt
  if (epoch === undefined) return '2020-01-01 00:00:00'
  return typeof updatedAt === 'number' ? String(updatedAt) : '1'
}

/** The event to which most invoices are linked; undefined where a column has it. */
async function findLinkedEvent({ eventId }: ResolvedTable, runQuery: RunQuery): Promise<string | undefined> {
  if (eventId === undefined || !('event' in eventId)) return undefined
  const { table, event } = eventId
  const name = quote(event.column.name)
  const newest = sql`(select ${name} from ${quote(table)} limit ${String(sizes.newest)}) as \`links\``
  const links = sql`select ${name} as \`event\` from ${newest} group by ${name} order by count(*) desc limit ${'1'}`
  const rows = await orNone(runQuery(toStatement(links)))
  return readText(rows?.[0]?.['event'], event) ?? examples[event.identifier]
}

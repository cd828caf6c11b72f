import { findSettled } from '../database/oldest-open.js'
import type { FoundRows, Row } from '../database/statement.js'
import { orUndefined, Problem, RowFault } from '../errors.js'
import { encodeCursor } from '../query/cursor.js'
import type { CrawlState, Position } from '../query/cursor.js'
import type { LiveResource, ResolvedResource } from '../resources/resource.js'
import { readIdentifier } from '../values/identifier.js'
import { toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'

/** The records of a statement's rows, and the rows that cannot be shown. */
export interface Converted {
  readonly data: readonly object[]
  readonly invalid: readonly InvalidRow[]
}

/** One page of a list. */
export interface Page extends Converted {
  /** The place of its last row, if more rows follow. */
  readonly last: Position | undefined
}

/** `meta` of a page, in the order of its members. */
export interface PageMeta {
  /** The cursor of the next page; null on the last one. */
  readonly cursor: string | null
  /** The `updatedSince` of the next sync. */
  readonly nextUpdatedSince: string
  /** Of the mapping. */
  readonly epoch: number
}

/** A stored row that cannot be represented. */
export interface InvalidRow {
  readonly collection: string
  /** Null if it cannot be read. */
  readonly id: string | null
  readonly reason: string
  /** The stored code of a status that the mapping does not list. */
  readonly code: string | undefined
  /** Whether a statement returned the row more than once. */
  readonly isRepeated: boolean
}

/** Reports a stored row that cannot be represented. */
export type OnInvalidRow = (row: InvalidRow) => void

interface PageInput {
  readonly resource: ResolvedResource
  readonly limit: number
  /** Up to one row more than the page holds. */
  readonly rows: readonly Row[]
}

/** Converts the rows of a page. */
export function toPage({ resource, limit, rows }: PageInput): Page {
  const ofPage = groupRows(rows).slice(0, limit)
  // Behind the last row of the page, which can be an invalid one; the row read beyond it is not shown. Rows are counted,
  // not records: rows with one id can fill the page and still not be the last ones.
  const last = rows.length > limit ? ofPage.at(-1)?.[0] : undefined
  return { ...toRecords(resource, ofPage), last: last && toPosition(resource, last) }
}

interface MetaInput {
  readonly page: Page
  readonly resource: ResolvedResource
  readonly workspaceId: string
  readonly crawl: Omit<CrawlState, 'position'>
  readonly overlapSeconds: number
}

/** What a page says of the next one and of the next sync. */
export function toMeta(input: MetaInput): PageMeta {
  const { page, resource, workspaceId, crawl, overlapSeconds } = input
  const state = page.last && { ...crawl, position: page.last }
  return {
    cursor: state === undefined ? null : encodeCursor(state, { collection: resource.name, workspaceId }),
    nextUpdatedSince: toNextUpdatedSince(crawl, overlapSeconds),
    epoch: resource.epoch,
  }
}

/** The records of rows, without the rows that cannot be represented. */
export function toRecords(resource: ResolvedResource, found: readonly FoundRows[]): Converted {
  const data: object[] = []
  const invalid: InvalidRow[] = []
  for (const rows of found) {
    const [row] = rows
    const isRepeated = rows.length > 1
    try {
      if (isRepeated) throw new RowFault('is found twice: its id, or the key of a lookup, is not unique')
      data.push(resource.toView(row))
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      const { message: reason, code } = error
      invalid.push({ collection: resource.name, id: readIdOrNull(resource, row), reason, code, isRepeated })
    }
  }
  return { data, invalid }
}

/** The rows of a page by record, in their order. Rows of one record stand beside each other. */
function groupRows(rows: readonly Row[]): readonly FoundRows[] {
  const groups: [Row, ...Row[]][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last !== undefined && isSameId(last[0]['id'], row['id'])) last.push(row)
    else groups.push([row])
  }
  return groups
}

/** Byte for byte: different bytes can be shown as the same text. */
function isSameId(one: unknown, other: unknown): boolean {
  if (Buffer.isBuffer(one) && Buffer.isBuffer(other)) return one.equals(other)
  return one !== null && one === other
}

function toPosition(resource: ResolvedResource, row: Row): Position {
  const updatedAt = row['updatedAt']
  // An integer time arrives as a number or as text, depending on its size.
  const isTime = typeof updatedAt === 'string' || typeof updatedAt === 'number'
  return { updatedAt: isTime ? String(updatedAt) : null, id: readIdOrNull(resource, row) }
}

function readIdOrNull({ table }: ResolvedResource, row: Row): string | null {
  return orUndefined(() => readIdentifier(row['id'], table.id.identifier)) ?? null
}

/** Cut to the millisecond: an earlier instant loses no row. */
function toNextUpdatedSince({ startedAt, oldestOpen }: MetaInput['crawl'], overlapSeconds: number): string {
  const next =
    oldestOpen === undefined
      ? { ...startedAt, seconds: startedAt.seconds - overlapSeconds }
      : findSettled(startedAt, oldestOpen)
  const text = toInstantText(next)
  if (text === undefined) throw new Error('The clock of the database is out of range')
  return `${text.slice(0, 23)}Z`
}

interface ConfirmInput {
  readonly live: Pick<LiveResource, 'confirm'>
  /** The resource that the statement was made for. */
  readonly resource: ResolvedResource
  readonly onInvalidRow: OnInvalidRow
}

/**
 * Confirms the schema before an answer leaves out a row or has none: a column whose type has changed can look like invalid
 * rows, or like no rows. Then reports the invalid rows.
 *
 * @returns the clock of the database after the rows were read; undefined where there was nothing to confirm.
 * @throws Problem `database_unavailable` after a change of the schema, `internal_error` for an invalid row if the mapping
 *   has `invalidRows: fail`.
 */
export async function confirmRecords(
  { data, invalid }: Converted,
  input: ConfirmInput,
): Promise<Instant | undefined> {
  if (data.length > 0 && invalid.length === 0) return undefined
  const { live, resource, onInvalidRow } = input
  const clock = await live.confirm({
    used: resource,
    withIndexes: invalid.some(({ isRepeated }) => isRepeated),
  })
  for (const row of invalid) onInvalidRow(row)
  const [first] = invalid
  if (first === undefined || resource.invalidRows === 'skip') return clock
  const detail = 'A stored record cannot be shown. The operator can read why in the log.'
  throw new Problem('internal_error', detail, { cause: new RowFault(first.reason, first.code) })
}

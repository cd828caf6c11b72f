import type { ResolvedResource, LiveResource } from '../resources/resource.js'
import { findSettled } from '../database/oldest-open.js'
import { Problem, RowFault } from '../errors.js'
import { encodeCursor } from '../query/cursor.js'
import type { CrawlState } from '../query/cursor.js'
import type { InvalidRow, Records } from '../query/records.js'
import { toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'

/** `meta` of a page, in the order of its members. */
export interface PageMeta {
  /** The cursor of the next page; null on the last one. */
  readonly cursor: string | null
  /** The `updatedSince` of the next sync. */
  readonly nextUpdatedSince: string
  /** Of the mapping. */
  readonly epoch: number
}

/** Reports a stored row that cannot be represented. */
export type OnInvalidRow = (row: InvalidRow) => void

interface MetaInput {
  readonly page: Pick<Records, 'last'>
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
  { count, invalid }: Pick<Records, 'count' | 'invalid'>,
  input: ConfirmInput,
): Promise<Instant | undefined> {
  if (count > 0 && invalid.length === 0) return undefined
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

import { createHash, randomInt } from 'node:crypto'
import type { Statement } from '../../src/database/statement.js'
import { basePath } from '../../src/http/paths.js'
import { mintKey } from '../../src/keys/key-format.js'
import type { ResolvedTable } from '../../src/resources/resolved-table.js'
import type { Filters } from '../../src/query/cursor.js'
import { encodeCursor } from '../../src/query/cursor.js'
import { planItem, renderItem } from '../../src/query/item-sql.js'
import { planList } from '../../src/query/list-plan.js'
import { renderList } from '../../src/query/list-sql.js'
import { parseListQuery } from '../../src/query/list-query.js'
import { parseInstantText } from '../../src/values/instant.js'
import type { CollectionName } from './sources.js'

/** One request: how Vitrine is asked, and the statement behind it, which the others run. */
export interface Target {
  readonly path: string
  readonly key: string
  readonly ifNoneMatch?: string
  readonly statement?: Statement
}

/** Requests of one kind, in a random order. */
export interface Load {
  readonly slug: string
  readonly title: string
  readonly status: 200 | 304 | 401
  /** How many ask at once. */
  readonly connections: number
  /** Rows that each statement gives; 0 where Vitrine alone is asked. */
  readonly rows: number
  readonly targets: readonly Target[]
}

/** A stored row, as far as a place in a list is made of it. */
export interface Place {
  readonly id: string
  /** `2026-03-01 09:30:00.123`. */
  readonly updatedAt: string
}

/** What a list is asked for. */
export interface ListKind {
  readonly collection: CollectionName
  readonly source: ResolvedTable
  readonly workspaceId: string
  readonly key: string
  readonly limit: number
  readonly filters?: Partial<Filters>
}

const noFilters: Filters = { updatedSince: undefined, eventId: undefined, status: undefined }
const crawlStart = parseInstantText('2026-06-01T00:00:00.000000Z')!

/** The page behind a row. */
export function toPageBehind(kind: ListKind, position: Place): Target {
  const { collection, workspaceId, limit, filters } = kind
  const state = { filters: { ...noFilters, ...filters }, startedAt: crawlStart, position }
  return toList(kind, `limit=${limit}&cursor=${encodeCursor(state, { collection, workspaceId })}`)
}

/** A list's first page, from an instant on where a place is given, and of an event. */
export function toFirstPage(kind: ListKind, since?: Place): Target {
  const event = kind.filters?.eventId
  return toList(
    kind,
    [
      `limit=${kind.limit}`,
      ...(since === undefined ? [] : [`updatedSince=${since.updatedAt.replace(' ', 'T')}Z`]),
      ...(event === undefined ? [] : [`eventId=${event}`]),
    ].join('&'),
  )
}

function toList({ collection, source, workspaceId, key }: ListKind, search: string): Target {
  const query = parseListQuery(search, { collection, workspaceId, statuses: undefined })
  const statement = renderList(planList(source, workspaceId, query))
  return { path: `${basePath}/${collection}?${search}`, key, statement }
}

/** A single record. */
export function toItem(kind: Omit<ListKind, 'limit'>, id: string): Target {
  const plan = planItem(kind.source, kind.workspaceId, id)
  if (plan === undefined) throw new Error(`No statement for ${id}`)
  return { path: `${basePath}/${kind.collection}/${id}`, key: kind.key, statement: renderItem(plan) }
}

/** Some of the items, in a random order, the same one several times where there are few. */
export function pickAny<Item>(items: readonly Item[], count: number): readonly Item[] {
  return Array.from({ length: count }, () => items[randomInt(items.length)]!)
}

/** A key that Vitrine could have minted, and that is in no table. */
export function mintUnknownKey(number: number): string {
  return mintKey('evk_', createHash('sha256').update(`unknown ${number}`).digest())
}

/** A key with one wrong letter, which its own checksum gives away. */
export function toMistypedKey(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
}

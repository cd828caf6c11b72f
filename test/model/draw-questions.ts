import type { Random } from '../product/random.js'
import { toExactText, toIdentifier } from './oracle.js'
import type { Entry } from './oracle.js'
import { listStatuses, toOptions } from './mapping.js'
import { collections, findPlace, findTable } from './product.js'
import type { Collection, Product, Table } from './product.js'
import { isSummerStart } from './zones.js'

/** What the oracle knows of each collection. */
export type Entries = Readonly<Partial<Record<Collection, readonly Entry[]>>>

/** What a list is filtered by. */
export interface Filters {
  readonly updatedSince?: string
  readonly eventId?: string
  readonly status?: string
}

/** What is asked of the service, with the key of that place in the product's list. */
export type Question = { readonly key: number; readonly collection: Collection } & (
  | {
      /** Every page, with these limits in turn. */
      readonly kind: 'crawl'
      readonly filters: Filters
      readonly limits: readonly number[]
    }
  | { readonly kind: 'record'; readonly id: string }
)

interface Input {
  readonly random: Random
  readonly product: Product
  /** With the rows that are stored. */
  readonly tables: readonly Table[]
  readonly entries: Entries
}

/** Everything that is asked of a product: all crawls, records and filters, and texts that look like ids. */
export function drawQuestions(input: Input): readonly Question[] {
  const { product } = input
  return collections
    .filter((collection) => product.mapping[collection] !== undefined)
    .flatMap((collection) => [
      ...drawRecords(input, collection),
      ...product.keys.flatMap((key, at) =>
        key.state === 'valid' && key.scopes.length > 1
          ? drawLists(input, collection, at)
          : [{ kind: 'crawl', key: at, collection, filters: {}, limits: [100] } as const],
      ),
    ])
}

function drawLists(input: Input, collection: Collection, key: number): readonly Question[] {
  const { random } = input
  const crawl = (filters: Filters, limits: readonly number[]): Question => ({
    kind: 'crawl',
    key,
    collection,
    filters,
    limits,
  })
  const sizes = [[100], [7], [2], [1], [3, 1, 5]]
  return [
    ...sizes.map((limits) => crawl({}, limits)),
    ...listFilters(input, collection).map((filters) => crawl(filters, [random.pick([100, 100, 2, 7])])),
  ]
}

function listFilters(input: Input, collection: Collection): readonly Filters[] {
  const { random } = input
  const entries = input.entries[collection]!
  const events = listTexts(
    random,
    entries.flatMap((entry) => [...entry.events]),
  )
  const statuses = listTexts(random, [
    ...entries.flatMap(({ status }) => status ?? []),
    ...(listStatuses(input.product.mapping[collection]!) ?? []),
  ])
  const times = [...new Set(entries.flatMap(({ updatedAt }) => updatedAt ?? []))]
  const halfHour = 1_800_000_000n
  const around = times
    .flatMap((micros) => [micros - 1n, micros, micros + 1n, micros + halfHour, micros + 2n * halfHour])
    .filter(isTime)
  // Of a local time that occurs twice, the instants between those that it may mean.
  const repeated = entries.flatMap(({ updatedAt, lastUpdatedAt }) =>
    typeof updatedAt === 'bigint' && updatedAt !== lastUpdatedAt
      ? [updatedAt + 1n, updatedAt + halfHour]
      : [],
  )
  const { timezone = '+00:00' } = input.product.mapping
  const starts = times.filter((micros) => isSummerStart(micros, timezone)).map(toExactText)
  const sinces = [
    ...pickSome(random, around, 6),
    ...pickSome(random, times.filter(isTime), 2),
    ...pickSome(random, [...new Set(repeated)], 2),
  ].map((micros) => toSince(random, micros))
  const pairs = events.flatMap((eventId) => statuses.map((status) => ({ eventId, status })))
  return [
    ...events.map((eventId) => ({ eventId })),
    ...statuses.map((status) => ({ status })),
    ...pickSome(random, pairs, 10),
    ...sinces.map((updatedSince) => ({ updatedSince })),
    ...starts.map((updatedSince) => ({ updatedSince })),
    ...sinces.slice(0, 3).map((updatedSince) => ({ updatedSince, ...random.pick([{}, ...pairs]) })),
  ]
}

const lastMicros = BigInt(Date.UTC(10_000, 0, 1)) * 1000n
/** The year 1. */
const firstMicros = -62_135_596_800_000_000n

function isTime(micros: bigint): boolean {
  return micros > firstMicros && micros < lastMicros - 1n
}

/** The same instant in one of its spellings, or up to a microsecond before. */
function toSince({ whole }: Random, micros: bigint): string {
  const text = toExactText(micros)
  if (whole(4) === 0) return toExactText(micros - 1n).replace('Z', '001Z')
  return whole(3) === 0 ? text.replace('Z', '+00:00') : text
}

/** Texts that occur, and some that look like them. */
function listTexts(random: Random, texts: readonly string[]): readonly string[] {
  const distinct = [...new Set(texts)]
  const similar = pickSome(random, distinct, 3).map((text) => vary(random, text))
  return [...new Set([...distinct, ...similar, 'nothing'])].filter(
    (text) => text !== '' && text.length <= 100,
  )
}

function vary({ pick }: Random, text: string): string {
  return pick([
    text.toUpperCase(),
    text.toLowerCase(),
    `${text} `,
    text.trimEnd(),
    text.normalize('NFD'),
    text.replace(/e/i, 'é'),
    `0${text}`,
    `${text}.0`,
    `${text}\\`,
    `${text}%`,
  ])
}

const hostile = [
  "' or 1=1 -- ",
  '1e3',
  '-0',
  '%00',
  '\u0000',
  '0x31',
  '٣',
  '9'.repeat(40),
  'x'.repeat(300),
  '?',
  '*',
  '\ud83d\ude00',
]

function drawRecords({ random, product, tables }: Input, collection: Collection): readonly Question[] {
  const { fields, table: name } = product.mapping[collection]!
  const table = findTable(tables, name)
  const option = toOptions(fields['id'])
  const place = findPlace(table, option.column!)
  const column = table.columns[place]!
  const stored = table.rows.flatMap((row) => toIdentifier({ column, cell: row[place]! }, option) ?? [])
  const ids = [...new Set(stored)]
  const others = [...pickSome(random, ids, 6).map((id) => vary(random, id)), ...pickSome(random, hostile, 3)]
  const whole = product.workspaces.map((_, key) => key)
  return [
    ...ids.flatMap((id) => whole.map((key) => ({ kind: 'record', key, collection, id }) as const)),
    ...others.map((id) => ({ kind: 'record', key: random.pick(whole), collection, id }) as const),
  ].filter(({ id }) => id !== '' && id !== '.' && id !== '..')
}

function pickSome<Item>(random: Random, items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items
  return Array.from({ length: count }, () => random.pick(items))
}

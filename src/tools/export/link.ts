import type { FieldContent } from '../../collections/field.js'
import { toKeys } from './values.js'
import type { Column } from './values.js'

/** A row of a collection. */
export interface ComparedRow {
  /** Undefined where it cannot be shown. */
  readonly record: Readonly<Record<string, string | boolean | null>> | undefined
  readonly workspace: string | undefined
  /** Why it is not shown; empty for a row that is. */
  readonly hidden: string
  /** What the columns of its table hold. */
  readonly cells: Readonly<Record<string, string>>
}

/** What an export is compared with. */
export interface Compared {
  readonly name: string
  readonly table: string
  /** What the fields, and the columns of the table, hold. */
  readonly contents: Readonly<Record<Part, Readonly<Record<string, FieldContent>>>>
  readonly rows: readonly ComparedRow[]
  /** Whether these are all rows of the table. */
  readonly isWhole: boolean
}

/** Where a row has a value. */
export type Part = 'record' | 'cells'

/** A line of an export with the row that it shows. */
export type Link = readonly [line: number, row: number]

/** The keys of each row in each field and column. */
export type Places = Readonly<Record<Part, ReadonlyMap<string, readonly (readonly string[])[]>>>

/** What is compared, and where what is found goes. */
export interface Context {
  readonly of: Compared
  readonly places: Places
  readonly columns: readonly Column[]
  /** Lines whose row is shown. */
  readonly links: readonly Link[]
  /** The numbers of the lines in the file. */
  readonly numbers: readonly number[]
  readonly warn: (place: string, problem: string) => void
  readonly note: (place: string, text: string) => void
}

/** Reads the keys of each row. */
export function listPlaces({ rows, contents }: Compared): Places {
  const list = (part: Part): Places[Part] => {
    const all = Object.entries(contents[part])
    return new Map(
      all.map(([name, content]) => [name, rows.map((row) => toKeys(content, row[part]?.[name]))]),
    )
  }
  return { record: list('record'), cells: list('cells') }
}

/** A key of a text of a line, in one of the places where rows have it. */
interface Shared {
  readonly place: number
  readonly key: string
  readonly rows: Set<number>
}

/** The row that fits a line best, and whether it is sure. */
interface Tried {
  readonly line: number
  readonly row: number
  readonly sum: number
  readonly isSure: boolean
}

/** The most rows of a key that are tried, and what a second column must prove. */
const limits = { rows: 50, proof: 1.5 } as const

/** A text that no other row has by chance. */
const isRare = (key: string): boolean => /^[tw](?=.*\p{L}).{6}|^t\d{8}/u.test(key)

/**
 * Finds the row of each line as a search engine finds a text: a key is worth more the fewer rows have it, and the row with the
 * greatest sum is that of the line. One column is not a proof, unless no other row has such a text by chance. A column and a place
 * that often fit another row than the one that was found, such as the number of the line and an id, are worth less the next
 * time. Where two rows fit equally well, the line has none.
 *
 * @returns the links, and the lines that fit no row half as well as others do.
 */
export function linkLines(columns: readonly Column[], { record, cells }: Places) {
  const places = [...record.values(), ...cells.values()]
  const count = places[0]?.length ?? 0
  const index = indexKeys(places)
  const lines = (columns[0]?.texts ?? []).map((_, line) =>
    columns.map(({ keys }): readonly Shared[] =>
      [...(keys[line] ?? [])].flatMap((key) => [...(index.get(key)?.values() ?? [])]),
    ),
  )
  let weights: readonly (readonly number[])[] = columns.map(() => places.map(() => 1))
  const link = (): readonly Tried[] =>
    lines.map((shared, line) => ({ line, ...chooseRow(shared, weights, count) }))
  let tried = link()
  for (let turn = 0; turn < 2; turn += 1) {
    const sure = tried.filter(({ isSure }) => isSure)
    weights = columns.map((_, at) =>
      places.map((_, place) => {
        const asked = sure.flatMap(({ line, row }) => {
          const own = lines[line]?.[at]?.filter((one) => one.place === place) ?? []
          return own.length === 0 ? [] : [own.some(({ rows }) => rows.has(row))]
        })
        return (asked.filter(Boolean).length / Math.max(1, asked.length)) ** 2
      }),
    )
    tried = link()
  }
  const sure = tried.filter(({ isSure }) => isSure)
  const least = (sure.map(({ sum }) => sum).sort((one, other) => one - other)[sure.length >> 1] ?? 0) / 2
  // Of a row that cannot be shown, the fields are not there to be compared.
  const isShown = (row: number): boolean =>
    [...record.values()].some((place) => (place[row]?.length ?? 0) > 0)
  const isEnough = ({ row, sum }: Tried): boolean => sum >= (isShown(row) ? least : least / 3)
  const isFull = (line: number): boolean =>
    columns.filter(({ texts }) => texts[line] !== '').length > columns.length / 2
  return {
    links: sure.filter(isEnough).map(({ line, row }): Link => [line, row]),
    absent: tried
      .filter((one) => one.sum < least && !(one.isSure && isEnough(one)) && isFull(one.line))
      .map(({ line }) => line),
  }
}

/** The places and rows of each key, by the number of the place. */
function indexKeys(places: readonly (readonly (readonly string[])[])[]) {
  const index = new Map<string, Map<number, Shared>>()
  places.forEach((all, place) => {
    all.forEach((keys, row) => {
      for (const key of keys) {
        const found = index.get(key) ?? new Map<number, Shared>()
        const shared = found.get(place) ?? { place, key, rows: new Set() }
        shared.rows.add(row)
        index.set(key, found.set(place, shared))
      }
    })
  })
  return index
}

function chooseRow(
  shared: readonly (readonly Shared[])[],
  weights: readonly (readonly number[])[],
  count: number,
): Omit<Tried, 'line'> {
  const worth = shared.map((cell, at) =>
    cell
      .map(({ place, rows }) => {
        const points = Math.log(count / rows.size) * (weights[at]?.[place] ?? 0)
        // What one row has alone, such as an id, says more than several chances.
        return { rows, points: rows.size === 1 ? 2 * points : points }
      })
      .filter(({ points }) => points > 0)
      .sort((one, other) => other.points - one.points),
  )
  const few = worth.flat().filter(({ rows }) => rows.size <= limits.rows)
  const rate = (row: number): readonly number[] =>
    worth.map((cell) => cell.find(({ rows }) => rows.has(row))?.points ?? 0)
  const add = (points: readonly number[]): number => points.reduce((total, one) => total + one, 0)
  const [first, second] = [...new Set(few.flatMap(({ rows }) => [...rows]))]
    .map((row) => ({ row, sum: add(rate(row)) }))
    .sort((one, other) => other.sum - one.sum)
  if (first === undefined) return { row: -1, sum: 0, isSure: false }
  const { row, sum } = first
  const isProved =
    sum - Math.max(...rate(row)) >= limits.proof ||
    shared.flat().some(({ key, rows }) => rows.has(row) && isRare(key))
  return { row, sum, isSure: isProved && sum > (second?.sum ?? 0) }
}

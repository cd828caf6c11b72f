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
  readonly rows: ReadonlySet<number>
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
  const indexes = places.map(indexRows)
  const lines = (columns[0]?.texts ?? []).map((_, line) =>
    columns.map(({ keys }): readonly Shared[] =>
      indexes.flatMap((index, place) =>
        [...(keys[line] ?? [])].flatMap((key) => {
          const rows = index.get(key)
          return rows === undefined ? [] : [{ place, key, rows }]
        }),
      ),
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
  const isFull = (line: number): boolean =>
    columns.filter(({ texts }) => texts[line] !== '').length > columns.length / 2
  return {
    links: sure.filter(({ sum }) => sum >= least).map(({ line, row }): Link => [line, row]),
    absent: tried.filter(({ line, sum }) => sum < least && isFull(line)).map(({ line }) => line),
  }
}

function indexRows(place: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<number>> {
  const index = new Map<string, Set<number>>()
  place.forEach((keys, row) => {
    for (const key of keys)
      index
        .set(key, index.get(key) ?? new Set())
        .get(key)
        ?.add(row)
  })
  return index
}

function chooseRow(
  shared: readonly (readonly Shared[])[],
  weights: readonly (readonly number[])[],
  count: number,
): Omit<Tried, 'line'> {
  const few = shared.flat().filter(({ rows }) => rows.size <= limits.rows)
  const all = [...new Set(few.flatMap(({ rows }) => [...rows]))].map((row) => {
    const common = shared.map((cell) => cell.filter(({ rows }) => rows.has(row)))
    const points = common.map((cell, at) =>
      Math.max(
        0,
        ...cell.map(({ place, rows }) => Math.log(count / rows.size) * (weights[at]?.[place] ?? 0)),
      ),
    )
    const sum = points.reduce((total, one) => total + one, 0)
    const isProved = sum - Math.max(...points) >= limits.proof || common.flat().some(({ key }) => isRare(key))
    return { row, sum, isProved }
  })
  const [first, second] = all.sort((one, other) => other.sum - one.sum)
  if (first === undefined) return { row: -1, sum: 0, isSure: false }
  const { row, sum, isProved } = first
  return { row, sum, isSure: isProved && sum > (second?.sum ?? 0) }
}

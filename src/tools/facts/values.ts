import { listEnumLabels } from '../../database/column.js'
import { toText } from '../../database/schema.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { showValue, toShape } from './shown.js'
import type { Shown } from './shown.js'

/** A stored code of a column, with the rows that have it. */
export interface Code {
  readonly code: string
  readonly rows: number
}

/** What the values of a column are, without one of a person. */
export interface ValueFacts {
  /** The most frequent first; only those that may be shown. */
  readonly codes: readonly Code[]
  /** The rows with a value that is not shown. */
  readonly hidden: number
  readonly texts: readonly string[]
}

/** The cells of a column, row by row. */
export type Cells = readonly (string | undefined)[]

/** What the values of each column are of which something is shown. @param ids the keys of the rows */
export function describeValues(
  table: DescribedTable,
  shown: ReadonlyMap<DescribedColumn, Shown | undefined>,
  of: (column: DescribedColumn | undefined) => Cells,
  ids: Cells,
): ReadonlyMap<DescribedColumn, ValueFacts> {
  const currencies = of(table.columns.find((column) => shown.get(column) === 'currency'))
  const stamp = table.columns.find((column) => column.kind === 'timestamp' && shown.get(column) === 'time')
  const describe: Readonly<
    Partial<Record<Shown, (own: Cells, column: DescribedColumn) => readonly string[]>>
  > = {
    uuid: describeUuids,
    shape: describeShapes,
    amount: (own, { kind }) => describeAmounts(own, kind === 'integer' ? currencies : undefined),
    time: (own, { kind }) => (kind === 'datetime' ? describeOffset(own, of(stamp), stamp?.name) : []),
  }
  return new Map(
    table.columns.flatMap((column) => {
      const how = shown.get(column)
      const own = of(column)
      if (how === undefined || own.every((cell) => cell === undefined)) return []
      const texts = describe[how]?.(own, column)
      return [
        [
          column,
          texts === undefined
            ? readCodes(how, own, ids, listEnumLabels(column))
            : { codes: [], hidden: 0, texts },
        ] as const,
      ]
    }),
  )
}

/** A cell as text. */
export function toCell(cell: unknown): string | undefined {
  if (cell === null || cell === undefined) return undefined
  return typeof cell === 'number' || typeof cell === 'bigint' ? String(cell) : toText(cell)
}

/** How many rows have each text, the most frequent first. */
export function count(texts: Cells): readonly Code[] {
  const counts = new Map<string, number>()
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([code, rows]) => ({ code, rows })).sort((one, other) => other.rows - one.rows)
}

/** Such as `paid×3 draft×1`. */
export function renderCodes(codes: readonly Code[]): string {
  return codes.map(({ code, rows }) => `${code}×${rows}`).join(' ')
}

/** Codes, and the labels of a small table with their keys. A column with many values holds none. */
function readCodes(shown: Shown, cells: Cells, ids: Cells, known: readonly string[]): ValueFacts {
  const all = count(cells).filter(({ code }) => code !== '')
  // The labels of an ENUM are a part of the schema.
  const codes = all.filter(
    ({ code, rows }) => known.includes(code) || showValue(shown, code, rows) !== undefined,
  )
  const kept = all.length > 40 ? [] : codes.slice(0, shown === 'label' ? 40 : 14)
  const [filled, said] = [all, kept].map((list) => list.reduce((sum, { rows }) => sum + rows, 0))
  const labels = cells.flatMap((cell, i) => {
    const isKept = shown === 'label' && kept.some(({ code }) => code === cell)
    return isKept ? [`${ids[i] ?? ''}=${cell ?? ''}`] : []
  })
  return {
    codes: kept,
    hidden: (filled ?? 0) - (said ?? 0),
    texts: labels.length === 0 ? [] : [labels.join(' ')],
  }
}

function describeShapes(cells: Cells): readonly string[] {
  const shapes = count(cells.map((cell) => (cell === undefined || cell === '' ? undefined : toShape(cell))))
  const rest = shapes.length > 3 ? ` and ${shapes.length - 3} other forms` : ''
  return shapes.length === 0 ? [] : [`form ${renderCodes(shapes.slice(0, 3))}${rest}`]
}

/** Where bytes of a UUID hold its version: at the usual place, or in front, as MySQL swaps them. */
function describeUuids(cells: Cells): readonly string[] {
  const known = cells.filter((cell) => cell !== undefined)
  const hasVersion = (at: number): boolean =>
    known.filter((cell) => /[1-8]/.test(cell[at] ?? '') && /[89AB]/.test(cell[2] ?? '')).length >
    known.length * 0.95
  if (hasVersion(1)) return ['UUID, version in byte 7']
  return [hasVersion(0) ? 'UUID, version in byte 1: uuid-swapped' : '16 bytes without a UUID version']
}

/** The range in two digits, which shows the unit and no amount; of integers how many are multiples of 100. */
function describeAmounts(cells: Cells, currencies: Cells | undefined): readonly string[] {
  const values = cells.flatMap((cell) => (cell === undefined ? [] : [Number(cell)]))
  if (values.length === 0) return []
  const [low = '', high = ''] = [Math.min(...values), Math.max(...values)].map((one) =>
    String(Number(one.toPrecision(2))),
  )
  const range = low === high ? `all about ${low}` : `about ${low}…${high}`
  const share = (test: (value: number) => boolean): string =>
    `${Math.round((100 * values.filter(test).length) / values.length)}%`
  if (currencies === undefined)
    return [
      range,
      ...(values.includes(0) ? [`zero ${share((one) => one === 0)}`] : []),
      values.every(Number.isInteger) ? 'whole' : `decimals ${share((one) => !Number.isInteger(one))}`,
    ]
  const codes = cells.map((cell, i) =>
    cell === undefined ? undefined : (showValue('currency', currencies[i] ?? '', 1) ?? 'all'),
  )
  const hundreds = count(codes.filter((_, i) => Number(cells[i]) % 100 === 0))
  const shares = count(codes).map(({ code, rows }) => {
    const found = hundreds.find((one) => one.code === code)?.rows ?? 0
    return `${code} ${Math.round((100 * found) / rows)}%`
  })
  return [range, `multiples of 100: ${shares.slice(0, 5).join(' ')}`]
}

/** The usual distance of a DATETIME from a TIMESTAMP of the same row, in quarters of an hour. The session's zone is UTC. */
function describeOffset(cells: Cells, stamps: Cells, stamp = ''): readonly string[] {
  const toMs = (cell: string | undefined): number => Date.parse(`${(cell ?? '').replace(' ', 'T')}Z`)
  const quarters = cells.map((cell, i) => {
    const minutes = (toMs(cell) - toMs(stamps[i])) / 60_000
    const quarter = Math.round(minutes / 15) * 15
    return Math.abs(minutes) <= 840 && Math.abs(minutes - quarter) < 0.1 ? String(quarter) : undefined
  })
  const [first] = count(quarters)
  const pairs = cells.filter((cell, i) => cell !== undefined && stamps[i] !== undefined).length
  if (first === undefined || first.rows < Math.max(3, pairs / 2)) return []
  return [`${first.code.startsWith('-') ? '' : '+'}${first.code}m from ${stamp} in ${first.rows} of ${pairs}`]
}

import type { Random } from '../product/random.js'
import type { Cell, Column, Table } from './product.js'

/** A product that is being drawn. */
export interface Draft {
  readonly random: Random
  readonly isMariaDb: boolean
  readonly tables: DraftTable[]
  /** Whether few cells make their row invalid: a row of ten fields is a record only if all of them can be shown. */
  readonly isClean: boolean
  /** Whether columns that can be NULL have zero dates too. */
  readonly zeroDates: boolean
  /** The zone of the mapping file. */
  readonly zone: string
  /** A few instants that most rows share, in microseconds, so that there are ties. */
  readonly instants: readonly bigint[]
}

/** A column, and how its cells are drawn. */
export interface DraftColumn extends Column {
  readonly draw: () => Cell
}

/** A table of which columns are still added. */
export interface DraftTable {
  readonly name: string
  readonly columns: DraftColumn[]
  primary: string[]
  readonly unique: string[]
  readonly indexes: string[][]
  readonly rowCount: number
}

/** True once in so many times. */
export function oneIn(draft: Draft, times: number): boolean {
  return draft.random.whole(times) === 0
}

/** True once in so many times, and much less often in a clean product: for what a row cannot be shown with. */
export function hasFlaw(draft: Draft, times: number): boolean {
  return oneIn(draft, draft.isClean ? 12 * times : times)
}

const awkward = ['?', ' ', '`', "'", 'é', '$', ':x', '?? ', '%', '"', '\\', 'ñ?']
const plain = ['', '', '', '_']

/** A name that no other one is equal to, often one that needs quoting. */
function drawName(draft: Draft, what: string, taken: number): string {
  const extra = oneIn(draft, 3) ? draft.random.pick(awkward) : draft.random.pick(plain)
  return oneIn(draft, 2) ? `${what}${extra}${taken}` : `${extra.trimStart()}${what}${taken}`
}

/** An empty table. */
export function addTable(draft: Draft, what: string, rowCount: number): DraftTable {
  const name = drawName(draft, what, draft.tables.length)
  const table = { name, columns: [], primary: [], unique: [], indexes: [], rowCount }
  draft.tables.push(table)
  return table
}

/** Adds a column. @returns its name */
export function addColumn(
  draft: Draft,
  table: DraftTable,
  what: string,
  column: Omit<DraftColumn, 'name'>,
): string {
  const name = drawName(draft, what, table.columns.length)
  table.columns.push({ ...column, name })
  return name
}

/** Most columns have no NULL, some could have one, and a few have. */
export function withNulls(
  draft: Draft,
  column: Omit<DraftColumn, 'name' | 'nullable'>,
): Omit<DraftColumn, 'name'> {
  const nulls = draft.random.whole(6)
  if (nulls > 1) return { ...column, nullable: nulls > 3 }
  return { ...column, nullable: true, draw: () => (hasFlaw(draft, 5) ? null : column.draw()) }
}

/** The table with rows. */
export function finishTable({ zeroDates }: Draft, { rowCount, ...table }: DraftTable): Table {
  const rows = Array.from({ length: rowCount }, () =>
    table.columns.map(({ draw, nullable }) => {
      const cell = draw()
      // A time that is rounded beyond the year 9999 is stored as a zero date.
      const isZero = /^(?:0000-00-00|9999-.*\.9)/.test(cell ?? '')
      return nullable && !zeroDates && isZero ? null : cell
    }),
  )
  const columns = table.columns.map(({ draw: _draw, ...column }) => column)
  return { ...table, columns, rows }
}

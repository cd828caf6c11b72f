import type { Column } from '../database/column.js'
import { renderCreateIndex } from '../database/quote.js'
import { listFixedColumns } from '../query/choose-index.js'
import type { IndexedShape } from '../query/choose-index.js'
import type { ResolvedTable } from '../resources/resolved-table.js'

/** An index that would make requests cheaper. */
export interface IndexAdvice {
  /** The statement that makes it. */
  readonly sql: string
  readonly columns: readonly Column[]
}

/** The index in which all rows of a list stand together, in order. */
export function adviseListIndex(table: ResolvedTable, shape: IndexedShape): IndexAdvice {
  const isArchived = ({ name }: Column): boolean => table.archived.some(({ column }) => column.name === name)
  const words = [...(shape.event ? ['event'] : []), ...(shape.status === undefined ? [] : ['status'])]
  const fixed = listFixedColumns(table, shape).filter((column) => !isArchived(column))
  return createOrderedAdvice(table, ['ix_vitrine', ...words, 'sync'], fixed)
}

/**
 * The index that leaves out rows that are archived, or that no list shows; undefined where the mapping has no test that
 * can be a part of an index.
 */
export function adviseVisibleIndex(table: ResolvedTable): IndexAdvice | undefined {
  if (table.where.length === 0 && !table.archived.some(({ is }) => is === 'set')) return undefined
  return createOrderedAdvice(
    table,
    ['ix_vitrine', 'visible', 'sync'],
    listFixedColumns(table, { event: false }),
  )
}

function createOrderedAdvice(
  { name, updatedAt, id }: ResolvedTable,
  words: readonly string[],
  fixed: readonly Column[],
): IndexAdvice {
  const columns = [...fixed, updatedAt.column, id.column]
  return createAdvice(name, words.join('_'), [...new Map(columns.map((one) => [one.name, one])).values()])
}

/** The index that finds the events of an invoice; undefined where no link table is mapped. */
export function adviseLinkIndex({ eventId }: ResolvedTable): IndexAdvice | undefined {
  if (eventId === undefined || !('event' in eventId)) return undefined
  return createAdvice(eventId.table, 'ix_vitrine_link', [eventId.invoice.column, eventId.event.column])
}

/** The index that finds a record by its id. */
export function adviseIdIndex({ name, id }: ResolvedTable): IndexAdvice {
  return createAdvice(name, 'ix_vitrine_id', [id.column])
}

function createAdvice(table: string, name: string, columns: readonly Column[]): IndexAdvice {
  return {
    sql: renderCreateIndex(
      name,
      table,
      columns.map((column) => column.name),
    ),
    columns,
  }
}

/** Bytes of an entry beside its columns: header, transaction and the space that pages leave empty. */
const entryOverhead = { bytes: 13, fill: 1.4 } as const

/** The size in words, such as `about 12 MB`. @param rows undefined where the number is not known. */
export function describeSize({ columns }: IndexAdvice, rows: number | undefined): string {
  if (rows === undefined) return 'of unknown size'
  const width = columns.reduce((sum, column) => sum + estimateWidth(column), 0)
  const megabytes = (rows * (width + entryOverhead.bytes) * entryOverhead.fill) / 1e6
  return megabytes < 1 ? 'less than 1 MB' : `about ${Math.round(megabytes)} MB`
}

/** Longer texts are usually not filled; identifiers are. */
const textLengthMax = 40

const integerBytes: Readonly<Record<string, number>> = { tinyint: 1, smallint: 2, mediumint: 3, int: 4 }

/** The bytes of a stored value. */
function estimateWidth({ kind, type, length, fractionDigits }: Column): number {
  const word = /^[a-z]+/.exec(type.toLowerCase())?.[0] ?? ''
  const fraction = Math.ceil(fractionDigits / 2)
  if (kind === 'datetime') return 5 + fraction
  if (kind === 'timestamp') return 4 + fraction
  if (word === 'enum') return 2
  if (kind === 'text' || kind === 'binary') return Math.min(length, textLengthMax) + 1
  return integerBytes[word] ?? 8
}

import { listEnumLabels } from '../../database/column.js'
import type { Row } from '../../database/statement.js'
import { isPrimaryKey } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { isMoment, listByRole, listRoles } from './columns.js'
import type { Roles } from './columns.js'
import { matches } from './names.js'
import type { Reference } from './references.js'
import { chooseShown, isOfLabels } from './shown.js'
import type { Shown } from './shown.js'
import { compareTimes, describeNewest, describeOffset, findEpoch, readCodes, renderCodes } from './values.js'
import { countOdd, describeAmounts, describeJson, describeUuids, readKeyValues, toCell } from './values.js'
import type { Cells, Codes, KeyValues } from './values.js'
import { toSnake } from './words.js'

/** A column with what it can be and what the rows show of it, without the texts of people. */
export interface ColumnFacts extends DescribedColumn, Codes {
  readonly roles: Roles
  readonly reference: Reference | undefined
  readonly filled: number
  readonly distinct: number
  /** The unit of an integer that is a time. */
  readonly epoch: 's' | 'ms' | 'us' | undefined
  /** What is printed of it. */
  readonly said: readonly string[]
}

/** A table with what its rows show. */
export interface TableFacts extends DescribedTable {
  readonly columns: readonly ColumnFacts[]
  /** The rows that were read; undefined for a table that was not read. */
  readonly read: number | undefined
  /** Of a key-value table. */
  readonly settings: readonly KeyValues[]
}

/** The rows of a table, and what is known of it before they are read. */
export interface Sample {
  readonly table: DescribedTable
  readonly references: readonly Reference[]
  /** Those whose parent was asked for the keys, as `r0`, `r1`. */
  readonly asked: readonly Reference[]
  /** Undefined for a table that was not read. */
  readonly rows: readonly Row[] | undefined
  readonly now: string
}

/** A column with its cells, which no fact holds. */
interface Known extends Omit<ColumnFacts, 'said'> {
  readonly cells: Cells
  readonly shown: Shown | undefined
}

/** What a sample shows of a table. */
export function describeTable(sample: Sample): TableFacts {
  const { table, rows } = sample
  const all = table.columns.map((column, i) => readColumn(sample, column, i))
  const columns = all.map((own): ColumnFacts => {
    const { cells: _, shown: __, ...facts } = own
    const fitting = own.filled === 0 ? [describeReference] : describers
    return { ...facts, said: fitting.flatMap((describe) => describe(own, all, sample)) }
  })
  return { ...table, columns, read: rows?.length, settings: readSettings(table, all) }
}

function readColumn(sample: Sample, column: DescribedColumn, i: number): Known {
  const { table, references, rows = [] } = sample
  const named = references.find((one) => one.column === column)
  const cells = rows.map((row) => toCell(row[`c${i}`]))
  const filled = cells.filter((cell) => cell !== undefined)
  // A name alone, of which no value is a key, refers to nothing.
  const reference = filled.length > 0 && countFound(sample, named) === 0 ? undefined : named
  const roles = listRoles(table, column, reference?.parent)
  // Of a key of another table only the codes of a small one.
  const isOfCodes = reference === undefined || isOfLabels(reference.parent)
  const shown = isOfCodes ? chooseShown({ table, column, roles }) : undefined
  const codes = readCodes(shown, cells, listEnumLabels(column))
  const epoch = shown === 'time' && column.kind === 'integer' ? findEpoch(cells) : undefined
  const counts = { filled: filled.length, distinct: new Set(filled).size }
  return { ...column, ...codes, ...counts, roles, reference, epoch, cells, shown }
}

type Describe = (own: Known, all: readonly Known[], sample: Sample) => readonly string[]

/** What is printed of a column, in this order. */
const describers: readonly Describe[] = [
  describeReference,
  describeCodes,
  ({ cells, kind, shown }, all) => {
    const currency = all.find((one) => one.shown === 'currency')
    const currencies = kind === 'integer' ? (currency?.cells ?? []) : undefined
    return shown === 'amount' ? describeAmounts(cells, currencies) : []
  },
  ({ cells, shown }) => (shown === 'uuid' ? describeUuids(cells) : []),
  ({ cells, shown, epoch }, _, { now }) =>
    epoch ? [`epoch ${epoch}`] : shown === 'time' ? describeNewest(cells, now) : [],
  (own, all) => {
    const isTime = (one: Known): boolean => isMoment(one) || one.epoch !== undefined
    const created = listByRole(all, 'createdAt').find(isTime)
    const isOther = created === own || !isTime(own) || created?.epoch !== own.epoch
    return created === undefined || isOther ? [] : compareTimes(own.cells, created.cells)
  },
  ({ cells, kind }, all) => {
    const stamp = all.find((one) => one.kind === 'timestamp' && one.shown === 'time')
    return kind === 'datetime' && stamp ? describeOffset(cells, stamp.cells, stamp.name) : []
  },
  ({ cells, kind, length }) => (kind === 'json' || length > 255 ? describeJson(cells) : []),
  ({ cells }) => countOdd(cells),
  ({ comment }) => (comment === '' ? [] : [JSON.stringify(comment.slice(0, 80))]),
]

/** In how many rows the parent of a reference has the key; undefined where it was not asked. */
function countFound({ asked, rows = [] }: Sample, reference: Reference | undefined): number | undefined {
  const at = asked.findIndex((one) => one === reference)
  return at < 0 ? undefined : rows.filter((row) => Number(row[`r${at}`]) === 1).length
}

function describeReference(own: Known, _: readonly Known[], sample: Sample): readonly string[] {
  const { reference, filled, distinct, codes } = own
  if (reference === undefined) return []
  const found = countFound(sample, reference) ?? filled
  const share = found === filled ? '' : ` ${Math.round((100 * found) / filled)}%`
  const isRepeated = codes.length === 0 && distinct < filled
  const { isDeclared, parent, key } = reference
  const target = `${isDeclared ? '→' : '~'}${parent.name}${isPrimaryKey(parent, key) ? '' : `.${key}`}`
  return [`${target}${share}${isRepeated ? ` (${distinct})` : ''}`]
}

/** The codes with their rows; the labels of a small table with their keys. */
function describeCodes(
  { codes, hidden, shown, cells }: Known,
  all: readonly Known[],
  { table }: Sample,
): readonly string[] {
  if (codes.length === 0) return []
  if (shown !== 'label') return [`${renderCodes(codes)}${hidden === 0 ? '' : ` others×${hidden}`}`]
  const keys = table.primary.map((key) => all.find(({ name }) => name === key)?.cells ?? [])
  const isKept = (cell: string): boolean => codes.some(({ code }) => code === cell)
  return [
    cells
      .flatMap((cell = '', i) =>
        isKept(cell) ? [`${keys.map((ids) => ids[i] ?? '').join('/')}=${cell}`] : [],
      )
      .join(' '),
  ]
}

/** Of a table that holds a value behind a key: settings, attributes, answers. */
function readSettings(table: DescribedTable, all: readonly Known[]): readonly KeyValues[] {
  const isCalled = (name = '', pattern: string): boolean => matches(pattern, toSnake(name))
  const texts = all.filter(({ kind }) => kind === 'text')
  const value = texts.find(({ name }) => isCalled(name, 'settingValue'))
  const named = texts.find((one) => one !== value && one.length <= 255 && isCalled(one.name, 'settingKey'))
  const key = named ?? all.find(({ reference }) => isCalled(reference?.parent.name, 'settingParent'))
  const isOfSettings = all.length <= 12 && (isCalled(table.name, 'settingTable') || key?.name === 'meta_key')
  return value && key && isOfSettings ? readKeyValues(key.cells, value.cells) : []
}

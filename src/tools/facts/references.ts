import { findColumn, isPrimaryKey, isSameName, isUnique } from '../description.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import { canBeId, isFlag } from './columns.js'
import { weighNoun } from './names.js'
import { listTableWords, toNoun, toSnake, toStem } from './words.js'

/** A column whose values are keys of another table. */
export interface Reference {
  readonly column: DescribedColumn
  readonly parent: DescribedTable
  readonly key: string
  /** Whether a foreign key says so, and not only the names. */
  readonly isDeclared: boolean
}

/** The references of every table of a database. */
export type References = ReadonlyMap<DescribedTable, readonly Reference[]>

/** A table that columns can lead to. */
interface Parent {
  readonly table: DescribedTable
  readonly key: DescribedColumn | undefined
  /** Of its name, such as `_order_item`. */
  readonly words: string
}

/** Where the columns of all tables lead: by their foreign keys, or by their names. */
export function listReferences(description: Description): References {
  const parents = [...description.values()]
    .filter(({ isView }) => !isView)
    .map((table): Parent => {
      const words = `_${listTableWords(table.name).join('_')}`
      return { table, key: findColumn(table, table.primary.join()), words }
    })
    .sort((one, other) => one.table.name.length - other.table.name.length)
  const find = (table: DescribedTable, column: DescribedColumn): Reference | undefined => {
    const declared = table.foreignKeys.find((key) => isSameName(key.column, column.name))
    const target = description.get(declared?.target ?? '')
    if (declared === undefined || target === undefined) return findNamed(table, column, parents)
    return isUnique(target, declared.key)
      ? { column, parent: target, key: declared.key, isDeclared: true }
      : undefined
  }
  return new Map(
    [...description.values()].map((table) => [
      table,
      table.columns.flatMap((column) => find(table, column) ?? []),
    ]),
  )
}

/** `billing_contact_id` is a key of `billing_contacts`, else of `contacts`; a word without `id` of nothing shorter. */
function findNamed(
  table: DescribedTable,
  column: DescribedColumn,
  parents: readonly Parent[],
): Reference | undefined {
  const { stem, isKey } = toStem(column.name)
  const isOwn = /^(?:parent|original|previous)_/.test(stem.join('_')) && stem.at(-1) === toNoun(table.name)
  if (isOwn || isPrimaryKey(table, column.name) || (isFlag(column) && !isKey)) return undefined
  const [prefix = ''] = listTableWords(table.name)
  const fitting = parents.filter((one) => one.table !== table && canBeId(column) && hasKeyFor(one, column))
  // `stage_id` of `event_registrations` is a key of `event_stages`, not of `stages` of another part of the product.
  const near = [...fitting.filter(({ words }) => words.startsWith(`_${prefix}_`)), ...fitting]
  const isCalled = ({ words, key }: Parent, noun: string): boolean => {
    if (key?.name === column.name && column.name.length > 4) return true
    return isKey ? words.endsWith(`_${noun}`) : [`_${noun}`, `_${prefix}_${noun}`].includes(words)
  }
  // `product_type_id` is not a key of any other table of types.
  const isOfLabels = weighNoun('label', toNoun(stem.join('_'))) > 0
  const nouns = stem.map((_, at) => stem.slice(at).join('_')).slice(0, isKey && !isOfLabels ? undefined : 1)
  const [parent] = nouns.flatMap((noun) => near.find((one) => isCalled(one, noun))?.table ?? [])
  return parent && { column, parent, key: parent.primary.join(), isDeclared: false }
}

/** An integer such as `order_number` counts something, unless the key of orders has such a name too. */
const counts = (name: string): boolean => /(?:^|_)(?:number|code)$/.test(toSnake(name))

function hasKeyFor({ key }: Parent, { name, kind, length }: DescribedColumn): boolean {
  if (key?.kind !== kind) return false
  return kind === 'integer' ? !counts(name) || counts(key.name) : key.length === length
}

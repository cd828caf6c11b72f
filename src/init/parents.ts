import { findColumn, isSameName, isUnique } from '../database/description.js'
import type { DescribedColumn, DescribedTable, Description } from '../database/description.js'
import { listTableWords, toSingular, toSnake } from './words.js'

/** A column that holds the key of a row of another table, the parent. */
export interface ParentKey {
  readonly column: DescribedColumn
  readonly parent: DescribedTable
  /** A unique column of the parent. */
  readonly key: string
  /** Whether a foreign key declares it; else only the names say so. */
  readonly isDeclared: boolean
}

/** Lists the keys of other tables in the columns of a table. */
export type ListParents = (table: DescribedTable) => readonly ParentKey[]

/**
 * The parents of the tables of a database: by foreign keys, and for other columns by their names, as `event_id`,
 * `eventId`, `id_event` and `fk_event` name the table `events`, or `xyz_event` where nothing is closer. A column is
 * also a key of the only table in which a column of its name is unique. A parent has a unique key, because a lookup
 * reads one row.
 */
export function createListParents(description: Description): ListParents {
  const names = { byNoun: groupByNoun(description), byKey: groupByKey(description) }
  const known = new Map<DescribedTable, readonly ParentKey[]>()
  return (table) => {
    const parents = known.get(table) ?? listParents(table, description, names)
    known.set(table, parents)
    return parents
  }
}

interface TableNames {
  readonly byNoun: TablesByName
  readonly byKey: TablesByName
}

type TablesByName = ReadonlyMap<string, readonly DescribedTable[]>

/** Tables under each ending of their name: `shop_order_items` under `item`, `order_item` and `shop_order_item`. */
function groupByNoun(description: Description): TablesByName {
  const groups = new Map<string, DescribedTable[]>()
  for (const table of description.values()) {
    if (table.isView) continue
    const words = listTableWords(table.name)
    words.forEach((_, at) => {
      add(groups, words.slice(at).join('_'), table)
    })
  }
  return groups
}

/** Names that tables have for reasons of their own. */
const ownNames =
  /^(?:id|uid|uuid|guid|code|slug|name|title|email|token|key|hash|number|reference|ref|domain|username|position|key_hash|token_hash|rowid)$/

function groupByKey(description: Description): TablesByName {
  const groups = new Map<string, DescribedTable[]>()
  for (const table of description.values()) {
    if (table.isView) continue
    for (const { name } of table.columns.filter((column) => isUnique(table, column.name)))
      if (!ownNames.test(toSnake(name))) add(groups, toSnake(name), table)
  }
  return groups
}

function add(groups: Map<string, DescribedTable[]>, name: string, table: DescribedTable): void {
  groups.set(name, [...(groups.get(name) ?? []), table])
}

function listParents(
  table: DescribedTable,
  description: Description,
  names: TableNames,
): readonly ParentKey[] {
  return table.columns.flatMap((column): readonly ParentKey[] => {
    const declared = table.foreignKeys.find((key) => isSameName(key.column, column.name))
    const target = declared === undefined ? undefined : description.get(declared.target)
    if (declared === undefined || target === undefined) return findByNames(table, column, names)
    return isUnique(target, declared.key)
      ? [{ column, parent: target, key: declared.key, isDeclared: true }]
      : []
  })
}

function findByNames(
  table: DescribedTable,
  column: DescribedColumn,
  { byNoun, byKey }: TableNames,
): readonly ParentKey[] {
  const parent = findNamedTable(table, column, byNoun)
  const [key] = parent?.primary ?? []
  if (parent !== undefined && key !== undefined) return [{ column, parent, key, isDeclared: false }]
  return findSharedKey(table, column, byKey)
}

function findNamedTable(
  table: DescribedTable,
  column: DescribedColumn,
  byNoun: TablesByName,
): DescribedTable | undefined {
  if (table.primary.length === 1 && isSameName(table.primary[0], column.name)) return undefined
  for (const noun of listNouns(column.name)) {
    const fitting = (byNoun.get(noun) ?? []).filter((parent) => parent !== table && hasKeyFor(parent, column))
    // The shortest name is the closest: `events` rather than `blog_events`.
    const [closest] = [...fitting].sort((one, other) => one.name.length - other.name.length)
    if (closest !== undefined) return closest
  }
  return undefined
}

/** The only other table in which a column of this name is unique: `member_no` of `members`. */
function findSharedKey(
  table: DescribedTable,
  column: DescribedColumn,
  byKey: TablesByName,
): readonly ParentKey[] {
  const [parent, ...others] = byKey.get(toSnake(column.name)) ?? []
  if (isUnique(table, column.name) || parent === undefined || others.length > 0) return []
  const key = parent.columns.find(({ name }) => toSnake(name) === toSnake(column.name))
  return key === undefined || !isSameType(key, column)
    ? []
    : [{ column, parent, key: key.name, isDeclared: false }]
}

/** The nouns that a name can mean, the longest first: `billing_contact` and `contact` for `billing_contact_id`. */
function listNouns(name: string): readonly string[] {
  const snake = toSnake(name)
  const stem = snake.replace(/^(?:id|fk|ref|cod|nr)_|_(?:id|uuid|fk|key|no|nr|code|ref)$/g, '')
  const words = stem.split('_').map((word) => toSingular(word))
  return stem === snake ? [words.join('_')] : words.map((_, at) => words.slice(at).join('_'))
}

function hasKeyFor(parent: DescribedTable, column: DescribedColumn): boolean {
  const [key, ...others] = parent.primary
  const found = key === undefined || others.length > 0 ? undefined : findColumn(parent, key)
  return found !== undefined && isUnique(parent, found.name) && isSameType(found, column)
}

function isSameType(one: DescribedColumn, other: DescribedColumn): boolean {
  if (one.kind !== other.kind) return false
  return one.kind === 'integer' || (['text', 'binary'].includes(one.kind) && one.length === other.length)
}

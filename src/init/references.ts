import { findColumn, isSameName, isUnique } from './description.js'
import type { DescribedColumn, DescribedTable, Description } from './description.js'
import { listTableWords, toSingular, toSnake } from './words.js'

/** A column that holds the key of a row of another table. */
export interface Reference {
  readonly column: DescribedColumn
  readonly target: DescribedTable
  /** A unique column of the target. */
  readonly key: string
  /** Whether a foreign key declares it; else only the names say so. */
  readonly isDeclared: boolean
}

/** Finds what the columns of tables refer to. */
export type FindReferences = (table: DescribedTable) => readonly Reference[]

/**
 * A search for references in a database: by foreign keys, and for other columns by their names, as `event_id`,
 * `eventId`, `id_event` and `fk_event` name the table `events`, or `xyz_event` where nothing is closer. A column also
 * refers to the only table in which a column of its name is unique.
 */
export function createFindReferences(description: Description): FindReferences {
  const names = { byNoun: groupByNoun(description), byKey: groupByKey(description) }
  const known = new Map<DescribedTable, readonly Reference[]>()
  return (table) => {
    const references = known.get(table) ?? listReferences(table, description, names)
    known.set(table, references)
    return references
  }
}

interface TableNames {
  readonly byNoun: TablesByNoun
  readonly byKey: TablesByKey
}

type TablesByNoun = ReadonlyMap<string, readonly DescribedTable[]>

/** Tables under each ending of their name: `shop_order_items` under `item`, `order_item` and `shop_order_item`. */
function groupByNoun(description: Description): TablesByNoun {
  const groups = new Map<string, DescribedTable[]>()
  for (const table of description.values()) {
    if (table.isView) continue
    const words = listTableWords(table.name)
    words.forEach((_, at) => {
      const noun = words.slice(at).join('_')
      groups.set(noun, [...(groups.get(noun) ?? []), table])
    })
  }
  return groups
}

function listReferences(
  table: DescribedTable,
  description: Description,
  { byNoun, byKey }: TableNames,
): readonly Reference[] {
  return table.columns.flatMap((column): Reference[] => {
    const declared = table.foreignKeys.find((key) => isSameName(key.column, column.name))
    if (declared !== undefined) {
      const target = description.get(declared.target)
      return target === undefined ? [] : [{ column, target, key: declared.key, isDeclared: true }]
    }
    const target = findNamedTable(table, column, byNoun)
    const [key] = target?.primary ?? []
    if (target !== undefined && key !== undefined) return [{ column, target, key, isDeclared: false }]
    const shared = findSharedKey(table, column, byKey)
    return shared === undefined ? [] : [shared]
  })
}

function findNamedTable(
  table: DescribedTable,
  column: DescribedColumn,
  byNoun: TablesByNoun,
): DescribedTable | undefined {
  if (table.primary.length === 1 && isSameName(table.primary[0], column.name)) return undefined
  const nouns = listReferenceNouns(column.name)
  for (const noun of nouns) {
    const fitting = (byNoun.get(noun) ?? []).filter((target) => target !== table && hasKeyFor(target, column))
    // The shortest name is the closest: `events` rather than `blog_events`.
    const [closest] = [...fitting].sort((one, other) => one.name.length - other.name.length)
    if (closest !== undefined) return closest
  }
  return undefined
}

/** Tables by the names of their unique columns. */
type TablesByKey = ReadonlyMap<string, readonly DescribedTable[]>

/** Names that tables have for reasons of their own. */
const ownNames =
  /^(?:id|uid|uuid|guid|code|slug|name|title|email|token|key|hash|number|reference|ref|domain|username|position|key_hash|token_hash)$/

function groupByKey(description: Description): TablesByKey {
  const groups = new Map<string, DescribedTable[]>()
  for (const table of description.values()) {
    for (const { name } of table.isView
      ? []
      : table.columns.filter((column) => isUnique(table, column.name))) {
      const key = toSnake(name)
      if (!ownNames.test(key)) groups.set(key, [...(groups.get(key) ?? []), table])
    }
  }
  return groups
}

/** The only other table in which a column of this name is unique: `member_no` of `members`. */
function findSharedKey(
  table: DescribedTable,
  column: DescribedColumn,
  byKey: TablesByKey,
): Reference | undefined {
  if (isUnique(table, column.name)) return undefined
  const [target, ...others] = byKey.get(toSnake(column.name)) ?? []
  if (target === undefined || target === table || others.length > 0) return undefined
  const key = target.columns.find(({ name }) => toSnake(name) === toSnake(column.name))
  if (key === undefined || !isSameType(key, column)) return undefined
  return { column, target, key: key.name, isDeclared: false }
}

/** The nouns that a name can refer to, the longest first: `billing_contact` and `contact` for `billing_contact_id`. */
function listReferenceNouns(name: string): readonly string[] {
  const snake = toSnake(name)
  const stem = snake.replace(/^(?:id|fk|ref)_|_(?:id|uuid|fk|key|no|code)$/g, '')
  const words = stem.split('_').map((word) => toSingular(word))
  return stem === snake ? [words.join('_')] : words.map((_, at) => words.slice(at).join('_'))
}

function hasKeyFor(target: DescribedTable, column: DescribedColumn): boolean {
  const [key, ...others] = target.primary
  const found = key === undefined || others.length > 0 ? undefined : findColumn(target, key)
  if (found === undefined || !isUnique(target, found.name)) return false
  return isSameType(found, column)
}

function isSameType(one: DescribedColumn, other: DescribedColumn): boolean {
  if (one.kind !== other.kind) return false
  return one.kind === 'integer' || (['text', 'binary'].includes(one.kind) && one.length === other.length)
}

import { findColumn, isPrimaryKey, isSameName, isUnique } from '../description.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import type { Section } from './candidate.js'
import { nouns, patterns } from './names.js'
import { listStemWords, listTableWords, toNoun, toSingular, toSnake } from './words.js'

/** A step from the row of a table to a row of another one, the parent. */
export interface Step {
  readonly column: DescribedColumn
  readonly parent: DescribedTable
  /** The column of the parent that has the same value; unique without `where`. */
  readonly key: string
  /** Whether a foreign key declares it; else only the names say so. */
  readonly isDeclared: boolean
  /** Whether both rows have one primary key, and so are parts of one record. */
  readonly isSameRecord?: boolean
  /** Whether the key of the other table leads to the row, and not the reverse. */
  readonly isReversed?: boolean
  /** What marks the one row among several. */
  readonly where?: readonly Section[]
}

/** A key that leads to one of several tables, and the code beside it that says to which. */
export interface TypedKey {
  readonly column: DescribedColumn
  /** The noun of the table, such as `contact`. */
  readonly noun: string
  /** The test of the rows that lead there. */
  readonly where: Section
}

/** Lists the keys of other tables in the columns of a table. */
export type ListParents = (table: DescribedTable) => readonly Step[]

/** The foreign keys of a database, declared or by names. @param people the tables of people */
export function createListParents(
  description: Description,
  tables: readonly DescribedTable[],
  people: readonly DescribedTable[],
): ListParents {
  const names: TableNames = {
    byNoun: groupTables(tables, (table) => {
      const { name } = table
      const words = listOwnWords(table)
      // No row is one of a table that only relates two others, unless it has the whole name.
      return isLinkTable(name) ? [words.join('_')] : words.map((_, at) => words.slice(at).join('_'))
    }),
    byKey: groupTables(tables, (table) =>
      table.columns
        .filter(({ name }) => isUnique(table, name) && !patterns.ownName.test(toSnake(name)))
        .map(({ name }) => toSnake(name)),
    ),
  }
  return (table) =>
    table.columns.flatMap((one) => {
      const found = findParent(table, one, description, names)
      return found.length > 0 ? found : findPeople(table, one, people)
    })
}

/** The words of a table's name without a last one that stands before each of its columns: of `person_per`. */
function listOwnWords({ name, columns }: DescribedTable): readonly string[] {
  const words = listTableWords(name)
  const prefix = `${words.at(-1) ?? ''}_`
  const isShort = words.length > 1 && columns.every((column) => column.name.toLowerCase().startsWith(prefix))
  return isShort ? words.slice(0, -1) : words
}

/** The table of people that a key such as `customer_id` leads to, where no table has its name: one of the same part of the product. */
function findPeople(
  table: DescribedTable,
  column: DescribedColumn,
  people: readonly DescribedTable[],
): readonly Step[] {
  const { stem, isKey } = listStemWords(column.name)
  if (!isKey || stem.length !== 1 || !nouns.person.has(stem[0] ?? '')) return []
  const fitting = people
    .filter((one) => one !== table && hasKeyFor(one, column))
    .map((parent) => ({ parent, shared: countShared(table.name, parent.name) }))
    .sort((one, other) => other.shared - one.shared)
  const [best, next] = fitting
  return best === undefined || best.shared === next?.shared ? [] : joinPerson(column, best.parent)
}

/** By its primary key, or by the same key where a table has more of a person than another one. */
function joinPerson(column: DescribedColumn, parent: DescribedTable): readonly Step[] {
  const [primary = ''] = parent.primary
  const key = findColumn(parent, column.name)?.name ?? primary
  const where = [{ column: primary, is: 'set' }]
  return [{ column, parent, key, isDeclared: false, ...(isUnique(parent, key) ? {} : { where }) }]
}

/** The words that two names have in common at their begin. */
function countShared(one: string, other: string): number {
  const others = listTableWords(other)
  const end = listTableWords(one).findIndex((word, at) => word !== others[at])
  return end === -1 ? others.length : end
}

/** Whether a table only relates the rows of two others, by its name. */
export function isLinkTable(name: string): boolean {
  return patterns.linkTable.test(toSnake(name))
}

interface TableNames {
  /** Under each ending of their name: `shop_order_items` under `item`, `order_item` and `shop_order_item`. */
  readonly byNoun: ReadonlyMap<string, readonly DescribedTable[]>
  /** Under the names of their unique columns. */
  readonly byKey: ReadonlyMap<string, readonly DescribedTable[]>
}

function groupTables(
  tables: readonly DescribedTable[],
  listNames: (table: DescribedTable) => readonly string[],
): ReadonlyMap<string, readonly DescribedTable[]> {
  const groups = new Map<string, DescribedTable[]>()
  for (const table of tables)
    for (const name of listNames(table)) groups.set(name, [...(groups.get(name) ?? []), table])
  return groups
}

function findParent(
  table: DescribedTable,
  column: DescribedColumn,
  description: Description,
  { byNoun, byKey }: TableNames,
): readonly Step[] {
  const declared = table.foreignKeys.find((key) => isSameName(key.column, column.name))
  const target = declared === undefined ? undefined : description.get(declared.target)
  if (declared !== undefined && target !== undefined)
    return isUnique(target, declared.key)
      ? [
          {
            column,
            parent: target,
            key: declared.key,
            isDeclared: true,
            isSameRecord: isPrimaryKey(table, column.name),
          },
        ]
      : []
  const parent = findNamedTable(table, column, byNoun)
  const [key] = parent?.primary ?? []
  if (parent !== undefined && key !== undefined) return [{ column, parent, key, isDeclared: false }]
  return findSharedKey(table, column, byKey)
}

function findNamedTable(
  table: DescribedTable,
  column: DescribedColumn,
  byNoun: TableNames['byNoun'],
): DescribedTable | undefined {
  if (isPrimaryKey(table, column.name)) return undefined
  for (const noun of listNouns(column.name, table)) {
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
  byKey: TableNames['byKey'],
): readonly Step[] {
  const [parent, ...others] = byKey.get(toSnake(column.name)) ?? []
  if (isUnique(table, column.name) || parent === undefined || others.length > 0) return []
  const key = parent.columns.find(({ name }) => toSnake(name) === toSnake(column.name))
  return key === undefined || !isSameType(key, column)
    ? []
    : [{ column, parent, key: key.name, isDeclared: false }]
}

/**
 * The nouns that a name can mean, the longest first: `billing_contact` and `contact` for `billing_contact_id`, and
 * `event` for `rel_event_idb` in a table of relations, which can have the name of the table in front.
 */
function listNouns(name: string, table: DescribedTable): readonly string[] {
  const own = table.name.replace(/_c$/, '')
  const snake = toSnake(name.startsWith(own) && name.length > own.length + 3 ? name.slice(own.length) : name)
  const stem = snake.replace(
    /^(?:id|fk|ref|cod|number)_|_(?:id[ab]?|uu?id|fk|key|number|code|ref)$|(?<=[a-z]{3})id$/g,
    '',
  )
  const words = stem.split('_').map(toSingular)
  // The parent of an order is an order, and no row of another table.
  if (
    /^(?:parent|original|previous|root|replaced)$/.test(words[0] ?? '') &&
    words.at(-1) === toNoun(table.name)
  )
    return []
  if (stem !== snake) return words.map((_, at) => words.slice(at).join('_'))
  // A bare word in the plural is a number of rows, and no key of one.
  return stem.endsWith(words.at(-1) ?? '') ? [words.join('_')] : []
}

/** Whether the primary key of a table can be a value of a column. */
export function hasKeyFor(parent: DescribedTable, column: DescribedColumn): boolean {
  const [key, ...others] = parent.primary
  const found = key === undefined || others.length > 0 ? undefined : findColumn(parent, key)
  return found !== undefined && isUnique(parent, found.name) && isSameType(found, column)
}

function isSameType(one: DescribedColumn, other: DescribedColumn): boolean {
  if (one.kind !== other.kind) return false
  return one.kind === 'integer' || (['text', 'binary'].includes(one.kind) && one.length === other.length)
}

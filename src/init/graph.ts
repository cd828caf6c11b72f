import { findColumn, isSameName, isUnique } from '../database/description.js'
import type { DescribedColumn, DescribedTable, Description } from '../database/description.js'
import { toColumnName } from './candidate.js'
import type { MappingValue, Section } from './candidate.js'
import { patterns } from './names.js'
import { listTableWords, toNoun, toSingular, toSnake } from './words.js'

/** A step from the row of a table to a row of another one, the parent. */
export interface Step {
  readonly column: DescribedColumn
  readonly parent: DescribedTable
  /** The column of the parent that has the same value; unique without `where`. */
  readonly key: string
  /** Whether a foreign key declares it; else only the names say so. */
  readonly isDeclared: boolean
  /** Whether the key of the other table leads to the row, and not the reverse. */
  readonly isReversed?: boolean
  /** What marks the one row among several. */
  readonly where?: readonly Section[]
}

/** How a row reaches the row of a table: itself, one of its parents, or a parent of a parent. */
export interface Way {
  /** None for the row itself; two at most, because a lookup goes no further. */
  readonly steps: readonly Step[]
  /** The table at the end. */
  readonly table: DescribedTable
  /** The table whose rows it speaks of, where that is another one: the person of an address. */
  readonly of?: DescribedTable
}

/** A table of keys and values beside another one; its columns here are the keys that its rows have. */
export interface KeyValueTable extends DescribedTable {
  readonly keyColumn: string
  readonly valueColumn: string
}

/** Whether a table is one of keys and values. */
export function isKeyValue(table: DescribedTable): table is KeyValueTable {
  return 'keyColumn' in table
}

/** The foreign keys of a database, declared or by names, and where they lead. */
export interface Graph {
  readonly description: Description
  /** The keys of other tables in the columns of a table. */
  readonly listParents: (table: DescribedTable) => readonly Step[]
  /** The row itself, then the ways to its parents, and to theirs. */
  readonly listWays: (table: DescribedTable) => readonly [Way, ...Way[]]
  /** The ways to the marked one of several rows that a parent has, such as the primary address of a person. */
  readonly listMarked: (table: DescribedTable) => readonly Way[]
  /** The ways to the tables of keys and values beside a table. */
  readonly listKeyValues: (table: DescribedTable) => readonly Way[]
}

/** What the graph needs to know of content and rules. */
interface GraphInput {
  /** The keys that the rows of a table have, where it is one of keys and values. */
  readonly keyValues?: ReadonlyMap<DescribedTable, KeyValueTable>
  /** The flag that marks one of several rows. */
  readonly findMark?: (table: DescribedTable) => DescribedColumn | undefined
}

/**
 * The graph of a database: by foreign keys, and for other columns by their names, as `event_id`, `eventId`, `id_event`
 * and `fk_event` name the table `events`, or `xyz_event` where nothing is closer. A column is also a key of the only
 * table in which a column of its name is unique. A parent has a unique key, because a lookup reads one row.
 */
export function createGraph(description: Description, { keyValues, findMark }: GraphInput = {}): Graph {
  const tables = [...description.values()].filter(({ isView }) => !isView)
  const names: TableNames = {
    byNoun: groupTables(tables, ({ name }) => {
      const words = listTableWords(name)
      return words.map((_, at) => words.slice(at).join('_'))
    }),
    byKey: groupTables(tables, (table) =>
      table.columns
        .filter(({ name }) => isUnique(table, name) && !patterns.ownName.test(toSnake(name)))
        .map(({ name }) => toSnake(name)),
    ),
  }
  const listParents = remember((table) =>
    table.columns.flatMap((one) => findParent(table, one, description, names)),
  )
  return {
    description,
    listParents,
    listWays: remember((table) => listWays(table, listParents)),
    listMarked: remember((table) => listMarked(table, tables, listParents, findMark)),
    listKeyValues: (table) =>
      listChildren({ description, listParents }, table).flatMap(({ child, step }): readonly Way[] => {
        const values = keyValues?.get(child)
        return values === undefined ? [] : [{ steps: [step], table: values, of: table }]
      }),
  }
}

function remember<Value>(read: (table: DescribedTable) => Value): (table: DescribedTable) => Value {
  const known = new Map<DescribedTable, Value>()
  return (table) => {
    const value = known.get(table) ?? read(table)
    known.set(table, value)
    return value
  }
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

type ListParents = Graph['listParents']

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
      ? [{ column, parent: target, key: declared.key, isDeclared: true }]
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
  if (table.primary.length === 1 && isSameName(table.primary[0], column.name)) return undefined
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

/** The nouns that a name can mean, the longest first: `billing_contact` and `contact` for `billing_contact_id`. */
function listNouns(name: string, table: DescribedTable): readonly string[] {
  const snake = toSnake(name)
  const stem = snake.replace(/^(?:id|fk|ref|cod|number)_|_(?:id|uuid|fk|key|number|code|ref)$/g, '')
  const words = stem.split('_').map(toSingular)
  // The parent of an order is an order, and no row of another table.
  if (
    /^(?:parent|original|previous|root|replaced)$/.test(words[0] ?? '') &&
    words.at(-1) === toNoun(table.name)
  )
    return []
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

function listWays(table: DescribedTable, listParents: ListParents): readonly [Way, ...Way[]] {
  const first = listParents(table).filter(({ parent }) => parent !== table)
  const second = first.flatMap((one) =>
    listParents(one.parent)
      .filter(({ parent }) => parent !== table && parent !== one.parent)
      .map((two): Way => ({ steps: [one, two], table: two.parent })),
  )
  return [{ steps: [], table }, ...first.map((one) => ({ steps: [one], table: one.parent })), ...second]
}

function listMarked(
  table: DescribedTable,
  tables: readonly DescribedTable[],
  listParents: ListParents,
  findMark: GraphInput['findMark'],
): readonly Way[] {
  return listParents(table).flatMap((step) =>
    tables.flatMap((child): readonly Way[] => {
      const back = listParents(child).find(({ parent, key }) => parent === step.parent && key === step.key)
      const mark = back === undefined || child === table ? undefined : findMark?.(child)
      if (back === undefined || mark === undefined) return []
      const where = [{ column: mark.name, equals: 1 }]
      const marked = { ...step, parent: child, key: back.column.name, where }
      return [{ steps: [marked], table: child, of: step.parent }]
    }),
  )
}

/** The tables whose rows lead to the rows of a table by its primary key, each with the step to such a row. */
export function listChildren(
  { description, listParents }: Pick<Graph, 'description' | 'listParents'>,
  table: DescribedTable,
): readonly { readonly child: DescribedTable; readonly step: Step }[] {
  const [primary, ...others] = table.primary
  const column = primary === undefined || others.length > 0 ? undefined : findColumn(table, primary)
  if (column === undefined) return []
  return [...description.values()].flatMap((child) => {
    const back = listParents(child).find(({ parent, key }) => parent === table && key === column.name)
    if (back === undefined || child.isView || child === table) return []
    return [{ child, step: { ...back, column, parent: child, key: back.column.name, isReversed: true } }]
  })
}

/** A mapped value that reads the end of a way: a name, an option, or a lookup. @param reading a `column` with its options. */
export function writeReading({ steps, table }: Way, reading: Section): MappingValue {
  const [first, second] = steps
  if (first === undefined) return writeOwn(reading)
  if (second !== undefined)
    return writeLookup(second, writeLookup(first, first.column.name, { column: second.column.name }), reading)
  if (!isKeyValue(table)) return writeLookup(first, first.column.name, reading)
  const where = [{ column: table.keyColumn, equals: toColumnName(reading) ?? '' }]
  const marked = { ...first, where }
  return writeLookup(marked, first.column.name, { ...reading, column: table.valueColumn })
}

/** A column without options is its name. */
export function writeOwn(reading: Section): MappingValue {
  const [column, ...options] = Object.values(reading)
  return typeof column === 'string' && options.length === 0 ? column : reading
}

function writeLookup({ parent, key, where }: Step, on: MappingValue, reading: Section): MappingValue {
  const isPrimary = parent.primary.length === 1 && isSameName(parent.primary[0], key)
  return {
    from: parent.name,
    on,
    ...(isPrimary ? {} : { key }),
    ...(where === undefined ? {} : { where }),
    ...reading,
  }
}

/** Such as `orders.email by order_id`. */
export function describeEnd({ steps, table }: Way, names: readonly string[]): string {
  const by = steps.map(({ column }) => ` by ${column.name}`).reverse()
  return `${table.name}.${names.join(' and ')}${by.join('')}`
}

/** Why a step is one. */
export function describeStep({ column, parent, key, isDeclared, isReversed, where = [] }: Step): string {
  if (isReversed === true) return `${key} of ${parent.name} leads to the record`
  const mark = where.map((test) => `, where ${toColumnName(test) ?? ''} marks one of several`).join('')
  return isDeclared
    ? `${column.name} is a foreign key to ${parent.name}.${key}${mark}`
    : `${column.name} has the name and type of a key of ${parent.name}${mark}`
}

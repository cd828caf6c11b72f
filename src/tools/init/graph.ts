import { findColumn, isPrimaryKey, isSameName } from '../description.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import { toColumnName } from './candidate.js'
import type { MappingValue, Section } from './candidate.js'
import { createListParents, hasKeyFor, isLinkTable } from './parents.js'
import type { ListParents, Step, TypedKey } from './parents.js'
import { toNoun } from './words.js'

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
  /** The ways to a row of a table that only relates others, by the key of the row or one that it has, and to what that leads to. */
  readonly listLinked: (table: DescribedTable) => readonly Way[]
  /** The ways to the tables of keys and values beside a table. */
  readonly listKeyValues: (table: DescribedTable) => readonly Way[]
}

/** What the graph needs to know of content and rules. */
interface GraphInput {
  /** The keys that the rows of a table have, where it is one of keys and values. */
  readonly keyValues?: ReadonlyMap<DescribedTable, KeyValueTable>
  /** The flag that marks one of several rows. */
  readonly findMark?: (table: DescribedTable) => DescribedColumn | undefined
  /** Whether the rows of a table are people. */
  readonly isOfPeople?: (table: DescribedTable) => boolean
  /** The keys of a table that lead to one of several others. */
  readonly typedKeys?: ReadonlyMap<DescribedTable, readonly TypedKey[]>
}

/**
 * The graph of a database: by foreign keys, and for other columns by their names, as `event_id`, `eventId`, `id_event`
 * and `fk_event` name the table `events`, or `xyz_event` where nothing is closer. A column is also a key of the only
 * table in which a column of its name is unique. A parent has a unique key, because a lookup reads one row.
 */
export function createGraph(
  description: Description,
  { keyValues, findMark, isOfPeople, typedKeys }: GraphInput = {},
): Graph {
  const tables = [...description.values()].filter(({ isView }) => !isView)
  const people = isOfPeople === undefined ? [] : tables.filter(isOfPeople)
  const listParents = remember(createListParents(description, tables, people))
  return {
    description,
    listParents,
    listWays: remember((table) => listWays(table, listParents)),
    listMarked: remember((table) => listMarked(table, { tables, listParents, findMark, typedKeys })),
    listLinked: remember((table) => listLinked(table, { description, listParents })),
    listKeyValues: (table) =>
      listChildren({ description, listParents }, table).flatMap(({ child, step }): readonly Way[] => {
        const values = keyValues?.get(child)
        return values === undefined ? [] : [{ steps: [step], table: values, of: table }]
      }),
  }
}

/** Reads each table once, or each column: the last argument. */
export function remember<Subjects extends readonly object[], Value>(
  read: (...subjects: Subjects) => Value,
): typeof read {
  const known = new Map<object | undefined, Value>()
  return (...subjects) => {
    const value = known.get(subjects.at(-1)) ?? read(...subjects)
    known.set(subjects.at(-1), value)
    return value
  }
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

/** By tables such as `bookings_to_events`: one row of several, because another column of it is set. */
function listLinked(
  table: DescribedTable,
  input: Pick<Graph, 'description' | 'listParents'>,
): readonly Way[] {
  const own = listChildren(input, table)
  const shared = input
    .listParents(table)
    .filter(({ parent, key }) => parent !== table && isSameName(parent.primary[0], key))
    .flatMap(({ column, parent }) =>
      listChildren(input, parent).map(({ child, step }) => ({ child, step: { ...step, column } })),
    )
  return [...own, ...shared].flatMap(({ child, step }): readonly Way[] => {
    if (!isLinkTable(child.name) || child === table) return []
    const others = input.listParents(child).filter(({ column }) => column.name !== step.key)
    return others.flatMap((two): readonly Way[] => {
      const linked = { ...step, where: [{ column: two.column.name, is: 'set' }] }
      const direct: Way = { steps: [linked], table: { ...child, columns: [two.column] } }
      return two.parent === table ? [] : [direct, { steps: [linked, two], table: two.parent }]
    })
  })
}

interface MarkedInput {
  readonly findMark: GraphInput['findMark']
  readonly typedKeys: GraphInput['typedKeys']
  readonly tables: readonly DescribedTable[]
  readonly listParents: ListParents
}

/** The ways to the marked row, and to what it leads to: the address of a person by a table that relates both. */
function listMarked(table: DescribedTable, input: MarkedInput): readonly Way[] {
  const { tables, listParents, findMark } = input
  return listParents(table).flatMap((step) =>
    tables.flatMap((child): readonly Way[] => {
      const back = findBack(child, step, input)
      const mark = back === undefined || child === table ? undefined : findMark?.(child)
      if (back === undefined || mark === undefined) return []
      const where = [...back.where, { column: mark.name, equals: 1 }]
      const marked = { ...step, parent: child, key: back.column.name, where }
      const further = listParents(child).filter(({ parent }) => parent !== step.parent && parent !== table)
      return [
        { steps: [marked], table: child, of: step.parent },
        ...further.map((two) => ({ steps: [marked, two], table: two.parent, of: step.parent })),
      ]
    }),
  )
}

/** The column of a table that leads to the row at the end of a step, with a test where it leads to other tables too. */
function findBack(
  child: DescribedTable,
  { parent, key }: Step,
  { listParents, typedKeys }: MarkedInput,
): { readonly column: DescribedColumn; readonly where: readonly Section[] } | undefined {
  const own = listParents(child).find((one) => one.parent === parent && one.key === key)
  if (own !== undefined) return { column: own.column, where: [] }
  const noun = toNoun(parent.name)
  const typed = typedKeys?.get(child)?.find((one) => one.noun === noun && hasKeyFor(parent, one.column))
  return typed === undefined ? undefined : { column: typed.column, where: [typed.where] }
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
  return {
    from: parent.name,
    on,
    ...(isPrimaryKey(parent, key) ? {} : { key }),
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

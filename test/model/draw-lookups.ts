import { addColumn, addTable, hasFlaw, oneIn } from './draft.js'
import type { Draft, DraftColumn, DraftTable } from './draft.js'
import { drawCollation, drawFlag, drawTime } from './draw-columns.js'
import { drawDomain, drawIdentifier, drawTwins } from './draw-identifiers.js'
import type { Domain, IdentifierColumn } from './draw-identifiers.js'
import type { Given, Option } from './mapping.js'

/** A table that lookups read, with the column that they find its rows by. */
interface Parent {
  readonly table: DraftTable
  readonly domain: Domain
  readonly key: IdentifierColumn
  /** What finds its row, but for the column that refers to it. */
  readonly target: Option
}

/** A way from one table to another. */
interface Way {
  readonly from: DraftTable
  readonly option: Option
  readonly target: DraftTable
}

/** The lookups of a product, which several fields may share. */
export interface Lookups {
  readonly parents: Parent[]
  readonly ways: Way[]
  /** How many rows a new parent has at most. */
  readonly rowsMax: number
}

/** Where a column is: in the table itself, or behind a lookup. */
export interface Spot {
  readonly table: DraftTable
  readonly lookup?: Option
}

/** The table itself, or one time in so many a table behind a lookup. */
export function drawSpot(draft: Draft, lookups: Lookups, table: DraftTable, times: number): Spot {
  if (!oneIn(draft, times)) return { table }
  const shared = lookups.ways.filter(({ from }) => from === table)
  const way =
    shared.length > 0 && !oneIn(draft, 3) ? draft.random.pick(shared) : drawWay(draft, lookups, table)
  return { table: way.target, lookup: way.option }
}

function drawWay(draft: Draft, lookups: Lookups, from: DraftTable): Way {
  const parent = drawParent(draft, lookups)
  const isDeep = oneIn(draft, 4)
  const option: Option = {
    ...parent.target,
    on: isDeep ? drawDeep(draft, lookups, from, parent) : drawOn(draft, from, parent),
  }
  const way = { from, option, target: parent.table }
  lookups.ways.push(way)
  return way
}

/**
 * A table behind a lookup whose keys are hard to tell apart: they differ by case, accent or a trailing space, and the
 * column that refers to them has a collation of its own.
 */
export function drawTwinSpot(draft: Draft, lookups: Lookups, from: DraftTable): Spot {
  const { random } = draft
  const [keys, ons] = random.pick([
    ['exact', 'inexact'],
    ['exact', 'inexact'],
    ['inexact', 'inexact'],
    ['inexact', 'exact'],
  ] as const)
  const parent = drawUnique(draft, lookups, {
    domain: drawTwins(draft),
    collation: drawCollation(draft, keys),
  })
  lookups.parents.push(parent)
  const collation = keys === ons && oneIn(draft, 2) ? parent.key.column.collation : drawCollation(draft, ons)
  const option = { ...parent.target, on: drawOn(draft, from, parent, { collation }) }
  lookups.ways.push({ from, option, target: parent.table })
  return { table: parent.table, lookup: option }
}

/** Two deep: the column that refers to the parent stands in a table between. */
function drawDeep(draft: Draft, lookups: Lookups, from: DraftTable, parent: Parent) {
  const between = drawNewParent(draft, lookups, oneIn(draft, 4))
  const column = drawOn(draft, between.table, parent)
  return { ...between.target, on: drawOn(draft, from, between), column }
}

/**
 * A column that refers to a parent: of the same collation, of another one, or even of another character set. One time in
 * `orphansIn`, some rows refer to no parent.
 */
function drawOn(
  draft: Draft,
  from: DraftTable,
  { domain, key }: Parent,
  { collation, orphansIn = 3 }: { readonly collation?: string | undefined; readonly orphansIn?: number } = {},
): string {
  const isSame = oneIn(draft, 2)
  const strays = drawDomain(draft, 2, domain.kind).values
  const orphans = orphansIn === 1 || hasFlaw(draft, orphansIn) ? strays : []
  const { column } = drawIdentifier(
    draft,
    { ...domain, values: [...domain.values, ...domain.values, ...orphans] },
    {
      nullable: oneIn(draft, 3),
      collation: collation ?? (isSame ? key.column.collation : undefined),
      as: key.as,
    },
  )
  return addColumn(draft, from, 'on', column)
}

function drawParent(draft: Draft, lookups: Lookups): Parent {
  if (lookups.parents.length > 0 && oneIn(draft, 2)) return draft.random.pick(lookups.parents)
  return drawNewParent(draft, lookups, oneIn(draft, 3))
}

function drawNewParent(draft: Draft, lookups: Lookups, hasWhere: boolean): Parent {
  const parent = hasWhere ? drawManyToOne(draft, lookups) : drawUnique(draft, lookups)
  if (!hasWhere) lookups.parents.push(parent)
  return parent
}

/** A table whose key is its primary key or unique. */
function drawUnique(
  draft: Draft,
  lookups: Lookups,
  given?: { readonly domain: Domain; readonly collation: string },
): Parent {
  const { table, domain } = drawParentTable(draft, lookups, given?.domain)
  const isPrimary = !oneIn(draft, 3)
  if (!isPrimary) table.primary = [addColumn(draft, table, 'pk', drawCounter())]
  let next = 0
  const key = drawIdentifier(draft, domain, {
    nullable: !isPrimary && oneIn(draft, 3),
    collation: given?.collation,
    // The server leaves rows with equal keys out.
    draw: () => domain.values[next++]!,
  })
  const keyName = addColumn(draft, table, 'key', key.column)
  if (isPrimary) table.primary = [keyName]
  else table.unique.push(keyName)
  // The primary key need not be named.
  const named = isPrimary && oneIn(draft, 2) ? {} : { key: keyName }
  return { table, domain, key, target: { from: table.name, ...named } }
}

/** A table with several rows for a key, one of which is the main one; some have none, and some have two. */
function drawManyToOne(draft: Draft, lookups: Lookups): Parent {
  const { random } = draft
  const { table, domain } = drawParentTable(draft, lookups)
  const part = {
    kind: 'text',
    type: 'varchar(20)',
    collation: drawCollation(draft),
    nullable: false,
  } as const
  const label = { ...part, type: "enum('b', 'a', 'c')", collation: 'utf8mb4_bin' }
  const parts = random
    .pick([
      [],
      [],
      [{ ...part, draw: () => random.pick(['a', 'A', 'b', '']) }],
      [{ ...label, draw: () => random.pick(['a', 'b', 'c']) }],
    ])
    .map((column) => addColumn(draft, table, 'part', column))
  table.primary = [...parts, addColumn(draft, table, 'pk', drawCounter())]
  const key = drawIdentifier(draft, domain, { nullable: oneIn(draft, 3) })
  const keyName = addColumn(draft, table, 'key', key.column)
  if (oneIn(draft, 2)) table.indexes.push([keyName])
  const main = addColumn(draft, table, 'main', drawFlag(draft))
  const gone = addColumn(draft, table, 'gone', drawTime(draft).column)
  const where = random.pick([
    [{ column: main, equals: 1 }],
    [{ column: main, notEquals: 1 }],
    [{ column: gone, is: 'unset' }],
    [
      { column: main, notIn: [1, 5] },
      { column: gone, is: 'set' },
    ],
  ] as const)
  const chosen = random.pick([{ where }, { where, last: true }, { last: true }])
  return { table, domain, key, target: { from: table.name, key: keyName, ...chosen } }
}

function drawParentTable(draft: Draft, lookups: Lookups, given?: Domain): Pick<Parent, 'table' | 'domain'> {
  const size = lookups.rowsMax > 20 ? lookups.rowsMax : 1 + draft.random.whole(lookups.rowsMax)
  const domain = given ?? drawDomain(draft, size)
  return { table: addTable(draft, 'parent', domain.values.length), domain }
}

/** A primary key by itself, in an order that is not the order of insertion. */
export function drawCounter(): Omit<DraftColumn, 'name'> {
  let last = 0
  return { kind: 'integer', type: 'int', nullable: false, draw: () => String((last++ * 7 + 3) % 1009) }
}

/** The option that names a column in its place. */
export function toOption({ lookup }: Spot, column: string, { as, zeros, ...options }: Option = {}): Given {
  const given = { ...options, ...(as && { as }), ...(zeros === false && { zeros }) }
  if (lookup === undefined && Object.keys(given).length === 0) return column
  return { ...lookup, column, ...given }
}

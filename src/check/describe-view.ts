import { renderCreateIndex } from '../database/quote.js'
import { listLookups } from '../query/lookup-sql.js'
import { findOwnColumn, listProjectedColumns } from '../resources/resolved-table.js'
import type { ResolvedResource } from '../resources/resource.js'
import type { PlanStep } from './measure-requests.js'
import type { SourceColumn, ViewColumn, ViewDefinition } from './view-definition.js'

/** Why the requests of a view are slow, and the mapping that needs no view. */
export interface ViewAdvice {
  readonly reasons: readonly string[]
  /** What to map instead, such as `createdAt: { column: …, epoch: s }`. */
  readonly options: readonly string[]
  /** The index on the table behind the view, where its columns are known. */
  readonly index: string | undefined
}

/** Explains the cost of a view by its definition and its plan. */
export function describeView(
  resource: ResolvedResource,
  definition: ViewDefinition,
  steps: readonly PlanStep[] | null,
): ViewAdvice {
  const columns = listMappedColumns(resource, definition)
  const [driving] = ['updatedAt', 'id'].flatMap((path) => findSource(columns, path)?.table ?? [])
  return {
    reasons: [
      ...(definition.isMaterialized
        ? ['the view has GROUP BY, DISTINCT, UNION or LIMIT, so it must be made as a whole']
        : []),
      ...columns.flatMap(({ path, column }) => explainColumn(path, column, driving)),
      // A list with lookups has a derived table of its own.
      ...(listLookups(resource.table.projection).length === 0 &&
      steps?.some(({ table }) => table.startsWith('<derived')) === true
        ? ['the server makes all rows of the view for every request']
        : []),
      ...(steps ?? []).flatMap((step, at) => explainStep(step, at === 0, definition)),
      ...(steps === null ? explainJoins(definition, driving) : []),
    ],
    options: [
      ...columns.flatMap(({ path, column }) => suggestOption(path, column, { definition, driving })),
      ...(definition.hasWhere ? ['where: [{ column: …, equals: … }]'] : []),
    ],
    index: adviseIndex(columns, definition),
  }
}

/** The server shows the plan of a view only to users that can read the tables behind it. */
function explainJoins({ joined, tables }: ViewDefinition, driving: string | undefined): readonly string[] {
  const others = joined.filter((table) => table !== driving).map((table) => tables.get(table) ?? table)
  return others.length === 0 || joined.length < 2
    ? []
    : [`the view joins ${others.join(', ')}, which the server may read whole, as for a hash join`]
}

/** A joined table whose rows are all read. */
function explainStep(
  { table, access, isHashJoin }: PlanStep,
  isFirst: boolean,
  { tables }: ViewDefinition,
): readonly string[] {
  const name = tables.get(table)
  if (name === undefined) return []
  if (isHashJoin) return [`the server joins ${name} by hash and reads it whole for every request`]
  return !isFirst && access === 'ALL' ? [`the server reads ${name} whole for every row`] : []
}

/** A column of the view, and what the mapping uses it for. */
interface MappedColumn {
  /** `workspace`, or the name of a field. */
  readonly path: string
  readonly column: ViewColumn
}

function listMappedColumns(
  { table, fields }: ResolvedResource,
  { columns }: ViewDefinition,
): readonly MappedColumn[] {
  const named: readonly (readonly [path: string, name: string])[] = [
    ...('constant' in table.workspace ? [] : [['workspace', findOwnColumn(table.workspace).name] as const]),
    ...Object.entries(fields).flatMap(([field, { projection }]) =>
      listProjectedColumns(projection).map((found) => [field, findOwnColumn(found).name] as const),
    ),
  ]
  return named.flatMap(([path, name]) => {
    const column = columns.get(name.toLowerCase())
    return column === undefined ? [] : [{ path, column }]
  })
}

function findSource(columns: readonly MappedColumn[], path: string): SourceColumn | undefined {
  return columns.find((one) => one.path === path)?.column.source
}

/** Only of columns that every request reads in many rows, and of subqueries. */
function explainColumn(path: string, column: ViewColumn, driving: string | undefined): readonly string[] {
  const { source, words } = column
  if (words.has('SELECT')) return [`${path} is a subquery`]
  if (path !== 'workspace' && path !== 'updatedAt' && path !== 'id') return []
  if (source === undefined) return [`${path} is the expression ${toWord(column)}, which no index serves`]
  return driving === undefined || source.table === driving
    ? []
    : [`${path} is in another table than updatedAt, so no index has both`]
}

function toWord({ words }: ViewColumn): string {
  const [name = 'of several columns'] = [...words].filter((word) => /^[A-Z_]{2,}$/.test(word))
  return name
}

interface SuggestInput {
  readonly definition: ViewDefinition
  /** The table of `updatedAt`. */
  readonly driving: string | undefined
}

function suggestOption(path: string, column: ViewColumn, input: SuggestInput): readonly string[] {
  const { source } = column
  if (source === undefined) {
    const option = options.find(({ applies }) => applies(path, column.words))?.option
    return option === undefined ? [] : [`${path}: ${option}`]
  }
  const { driving, definition } = input
  if (driving === undefined || source.table === driving) return []
  return [`${path}: ${toLookup(source, driving, definition)}`]
}

function toLookup(
  { table, column }: SourceColumn,
  driving: string,
  { joins, tables }: ViewDefinition,
): string {
  const from = tables.get(table) ?? table
  const pairs = joins.flatMap(([left, right]) => [
    { on: left, key: right },
    { on: right, key: left },
  ])
  const pair = pairs.find(({ on, key }) => on.table === driving && key.table === table)
  const key = pair === undefined || pair.key.column === 'id' ? '' : `, key: ${pair.key.column}`
  return `{ from: ${from}, on: ${pair?.on.column ?? '…'}${key}, column: ${column} }`
}

/** What the mapping has for an expression; the first that applies. */
const options: readonly {
  readonly applies: (path: string, words: ReadonlySet<string>) => boolean
  readonly option: string
}[] = [
  { applies: (_, words) => words.has('SELECT'), option: '{ from: …, on: …, column: … }' },
  { applies: (_, words) => words.has('FROM_UNIXTIME'), option: '{ column: …, epoch: s }' },
  { applies: (path) => path === 'updatedAt', option: 'one column of the table' },
  {
    applies: (path, words) => path === 'status' && (words.has('CASE') || words.has('IF')),
    option: '{ when: [{ column: …, equals: …, then: … }], otherwise: … }',
  },
  { applies: (path, words) => path === 'total' && words.has('+'), option: '{ sum: […], nullIsZero: true }' },
  {
    applies: (path) => path === 'total',
    option: '{ column: …, scale: 2 }, or { column: …, float: 2 } for a DOUBLE',
  },
  { applies: (path, words) => path === 'name' && words.has('('), option: '{ columns: […], separator: " " }' },
  {
    applies: (path, words) =>
      (path === 'workspace' || path === 'currency') && words.size === 1 && words.has("''"),
    option: '{ constant: … }',
  },
  { applies: (path, words) => path === 'dueDate' && words.has('NULL'), option: 'null' },
]

/** Of the table behind the view, where one table has all three columns. */
function adviseIndex(columns: readonly MappedColumn[], { tables }: ViewDefinition): string | undefined {
  const sources = ['workspace', 'updatedAt', 'id'].map((path) => findSource(columns, path))
  const [first] = sources
  const names = sources.flatMap((source) =>
    source !== undefined && source.table === first?.table ? [source.column] : [],
  )
  if (first === undefined || names.length < sources.length) return undefined
  return renderCreateIndex('ix_vitrine_sync', tables.get(first.table) ?? first.table, names)
}

import { toQuotedPlace } from '../database/sql.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { isNeverRead } from '../mapping/mapped-columns.js'
import { isTable } from './definitions.js'
import type { DefinedObject, Definition } from './definitions.js'
import { createError } from '../tools/report/report.js'
import type { Finding } from './finding.js'
import { listMappedColumnsByTable, toObjectKey, toTableKey } from './mapped-tables.js'
import type { ObjectName } from './mapped-tables.js'
import type { ColumnSources } from './parse-definition.js'
import type { Privileges } from './privileges.js'
import type { Reach, ReachableColumn } from './reach.js'

interface DefinitionsInput {
  readonly privileges: Privileges
  readonly reach: Reach
  readonly objects: readonly DefinedObject[]
}

/** What definitions show, or hide, of the columns that `neverRead` forbids. */
export function evaluateDefinitions(mapping: Mapping, input: DefinitionsInput): readonly Finding[] {
  if (mapping.neverRead.length === 0) return []
  return [
    ...evaluateGeneratedColumns(mapping, input),
    ...input.objects.flatMap(evaluateEngine),
    ...evaluateViews(mapping, input),
  ]
}

/** A finding for each mapped column that can be computed, in any number of steps, from a column of `neverRead`. */
function evaluateGeneratedColumns(
  mapping: Mapping,
  { privileges, reach, objects }: DefinitionsInput,
): readonly Finding[] {
  const { account, casedTables, database } = privileges
  const mapped = listMappedColumnsByTable(mapping, casedTables)
  return [...mapped].flatMap(([key, names]) => {
    const isOfTable = (name: string): boolean => toTableKey(name, casedTables) === key
    const columns = reach.columns.filter(({ table }) => isOfTable(table))
    const table = columns[0]?.table ?? key
    const definition = objects.find((one) => one.database === database && isOfTable(one.name))?.definition
    const sources = definition?.kind === 'table' ? definition.columns : listReachableSources(columns)
    return columns.flatMap(({ column }): readonly Finding[] => {
      const origin = names.has(column.toLowerCase())
        ? findForbiddenOrigin(mapping.neverRead, { name: table, columns: sources }, column)
        : undefined
      if (origin === undefined) return []
      const [what, fix] =
        origin.kind === 'forbidden'
          ? ['neverRead forbids', 'map another column, or leave that one out of the expression']
          : [
              'cannot be seen: it may be computed from what neverRead forbids',
              renderShowView({ database, name: table }, account),
            ]
      const problem = `computed from ${origin.column}, which ${what}`
      return [{ ...createError(`${table}.${column}`, problem, fix), privilege: 'SELECT' }]
    })
  })
}

/** The sources of the columns that the account can use, where the definition is hidden. */
function listReachableSources(columns: readonly ReachableColumn[]): ColumnSources {
  return new Map(
    columns.map(({ column, expression }) => [
      column.toLowerCase(),
      [...expression.matchAll(/`((?:[^`]|``)*)`/gu)].map(([, name = '']) => name.replaceAll('``', '`')),
    ]),
  )
}

/** A column that another one is computed from: `neverRead` forbids it, or its own sources are hidden. */
interface Origin {
  readonly kind: 'forbidden' | 'hidden'
  readonly column: string
}

interface TableSources {
  readonly name: string
  readonly columns: ColumnSources
}

/** Follows the sources of a column, in any number of steps; undefined where all are allowed. */
function findForbiddenOrigin(
  neverRead: readonly string[],
  { name: table, columns }: TableSources,
  column: string,
): Origin | undefined {
  const seen = new Set<string>()
  const queue = [...(columns.get(column.toLowerCase()) ?? [])]
  let hidden: Origin | undefined
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = next.toLowerCase()
    if (seen.has(key)) continue
    seen.add(key)
    if (isNeverRead(neverRead, table, next)) return { kind: 'forbidden', column: next }
    const sources = columns.get(key)
    if (sources === undefined) hidden ??= { kind: 'hidden', column: next }
    else queue.push(...sources)
  }
  return hidden
}

/**
 * A finding for each view that reads a column of `neverRead`, under any name or through a generated column, and for each
 * definition that is hidden, because it may do so.
 */
function evaluateViews(
  { neverRead }: Mapping,
  { privileges: { account, casedTables }, objects }: DefinitionsInput,
): readonly Finding[] {
  return objects.flatMap((object): readonly Finding[] => {
    const { definition } = object
    if (definition.kind === 'table') return []
    const name = toQuotedPlace(object.database, object.name)
    if (definition.kind === 'view') {
      const reads = new Set(definition.reads.map((one) => toObjectKey(one, casedTables)))
      const tables = objects.filter((table) => reads.has(toObjectKey(table, casedTables)))
      const fix = `make the view again without it: CREATE OR REPLACE VIEW ${name} AS …`
      return listForbidden(neverRead, definition, tables).map((forbidden) => ({
        ...createError(name, `a view that ${forbidden}`, fix),
        privilege: 'SELECT',
      }))
    }
    // Of a mapped table the audit reads the columns, unless a view reads others of it.
    if (isTable(definition.type) && !object.behindView) return []
    const hidden = createError(name, describeHidden(definition.type), renderShowView(object, account))
    return [{ ...hidden, privilege: 'SHOW VIEW' }]
  })
}

/**
 * Storage engines of MySQL and MariaDB whose tables hold their own rows, in lower case. A table of MERGE, FEDERATED,
 * CONNECT, SPIDER or OQGRAPH shows rows of other tables, under other names.
 */
const ownRowEngines: ReadonlySet<string> = new Set([
  'innodb',
  'myisam',
  'aria',
  'memory',
  'archive',
  'csv',
  'rocksdb',
  'tokudb',
  'ndbcluster',
  'columnstore',
  'mroonga',
  's3',
])

/** A finding for a table whose storage engine is not known to show rows of this table only. */
function evaluateEngine({ database, name, engine }: DefinedObject): readonly Finding[] {
  if (engine === undefined || ownRowEngines.has(engine.toLowerCase())) return []
  const problem = `a table of the storage engine ${engine}, which may show rows of other tables, with what neverRead forbids`
  const fix = 'map the tables whose rows it shows; or store its rows in InnoDB'
  return [{ ...createError(toQuotedPlace(database, name), problem, fix), privilege: 'SELECT' }]
}

/** Every name in the text is compared with the patterns, because a column that only sorts or filters reveals values. */
function listForbidden(
  neverRead: readonly string[],
  { text, reads }: Extract<Definition, { kind: 'view' }>,
  objects: readonly DefinedObject[],
): readonly string[] {
  const forbidden = reads.flatMap(({ name: table }) =>
    text.names
      .filter((column) => isNeverRead(neverRead, table, column))
      .map((column) => `reads ${table}.${column}, which neverRead forbids`),
  )
  const computed = objects.flatMap(({ name: table, definition }) =>
    text.names.flatMap((column) => {
      if (definition.kind !== 'table') return []
      const origin = findForbiddenOrigin(neverRead, { name: table, columns: definition.columns }, column)
      if (origin === undefined) return []
      return [`reads ${table}.${column}, which is computed from ${origin.column}, which neverRead forbids`]
    }),
  )
  const hidden = text.functions.map(
    (name) => `calls the function ${name}, whose text cannot be seen: it may read what neverRead forbids`,
  )
  return [...new Set([...forbidden, ...computed, ...hidden])]
}

function describeHidden(type: string): string {
  if (isTable(type))
    return 'a table that a view reads, and whose definition cannot be seen: a generated column may show what neverRead forbids'
  if (type === '')
    return 'read by a view, and cannot be seen: a view or a generated column may show what neverRead forbids'
  return 'a view whose definition cannot be seen, so that it may show what neverRead forbids'
}

function renderShowView({ database, name }: ObjectName, account: string): string {
  return `GRANT SHOW VIEW ON ${toQuotedPlace(database, name)} TO ${account};`
}

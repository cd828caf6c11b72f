import { toQuotedPlace } from '../database/sql.js'
import { createError } from '../finding.js'
import type { Finding } from '../finding.js'
import { isNeverRead } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Account } from './account.js'
import type { TableText, ViewText } from './definition-text.js'
import { isTable } from './definitions.js'
import type { DefinedObject } from './definitions.js'
import { renderShowView } from './grants-sql.js'
import { isSameTable, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { Visible } from './visible.js'

/** What the audit knows of the definitions. */
interface Definitions {
  readonly account: Account
  readonly visible: Pick<Visible, 'columns'>
  readonly objects: readonly DefinedObject[]
}

/** What definitions show, or hide, of the columns that `neverRead` forbids. */
export function evaluateDefinitions(mapping: Mapping, input: Definitions): readonly Finding[] {
  if (mapping.neverRead.length === 0) return []
  return [
    ...evaluateGeneratedColumns(mapping, input),
    ...input.objects.flatMap(evaluateEngine),
    ...input.objects.flatMap((object) => evaluateObject(object, mapping, input)),
  ]
}

/** A finding for each mapped column that can be computed, in any number of steps, from a column of `neverRead`. */
function evaluateGeneratedColumns(
  mapping: Mapping,
  { account, visible, objects }: Definitions,
): readonly Finding[] {
  const { database, casedTables } = account
  return [...listMappedColumnsByTable(mapping, casedTables)].flatMap(([key, mapped]) => {
    const isOfTable = (name: string): boolean => toTableKey(name, casedTables) === key
    const columns = visible.columns.filter(({ table }) => isOfTable(table))
    const table = columns[0]?.table ?? key
    const text = objects.find((one) => one.database === database && isOfTable(one.name))?.text
    // The account sees what its own columns are computed from, and not the columns between.
    const sources =
      text !== undefined && !('reads' in text)
        ? text
        : new Map(columns.map(({ column, expression }) => [column.toLowerCase(), listQuoted(expression)]))
    return [...mapped].flatMap((column): readonly Finding[] => {
      const origin = findOrigin(mapping.neverRead, table, sources, column)
      if (origin === undefined) return []
      const fix = origin.isForbidden
        ? 'map another column, or leave that one out of the expression'
        : renderShowView(toQuotedPlace(database, table), account.account)
      return [createError(`${table}.${column}`, origin.problem, fix, 'SELECT')]
    })
  })
}

/** More than the names, where a literal has backticks: how `information_schema` escapes literals differs. */
function listQuoted(expression: string): readonly string[] {
  return [...expression.matchAll(/`((?:[^`]|``)*)`/gu)].map(([, name = '']) => name.replaceAll('``', '`'))
}

/** A column that another one is computed from: `neverRead` forbids it, or its own definition is hidden. */
interface Origin {
  readonly isForbidden: boolean
  readonly problem: string
}

/** Follows the names in the definition of a column, in any number of steps; undefined where all are allowed. */
function findOrigin(
  neverRead: readonly string[],
  table: string,
  sources: TableText,
  column: string,
): Origin | undefined {
  const seen = new Set<string>()
  const queue = [...(sources.get(column.toLowerCase()) ?? [])]
  let hidden: string | undefined
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = next.toLowerCase()
    if (seen.has(key)) continue
    seen.add(key)
    if (isNeverRead(neverRead, table, next))
      return { isForbidden: true, problem: `computed from ${next}, which neverRead forbids` }
    const found = sources.get(key)
    if (found === undefined) hidden ??= next
    else queue.push(...found)
  }
  const why = 'which cannot be seen: it may be computed from what neverRead forbids'
  return hidden === undefined ? undefined : { isForbidden: false, problem: `computed from ${hidden}, ${why}` }
}

/**
 * A finding for a view that names a column of `neverRead`, or one that is computed from it, and for each definition that
 * is hidden, because it may do so.
 */
function evaluateObject(
  object: DefinedObject,
  { neverRead }: Mapping,
  { account, objects }: Definitions,
): readonly Finding[] {
  const name = toQuotedPlace(object.database, object.name)
  const { text, type } = object
  if (text !== undefined && 'reads' in text) {
    const fix = `make the view again without it: CREATE OR REPLACE VIEW ${name} AS …`
    const tables = objects.filter((one) =>
      text.reads.some((read) => isSameTable(one, read, account.casedTables)),
    )
    return [...listForbidden(neverRead, text, tables)].map((forbidden) =>
      createError(name, `a view that ${forbidden}`, fix, 'SELECT'),
    )
  }
  // Of a mapped table the audit reads the columns, unless a view reads others of it.
  if (text !== undefined || (isTable(object) && !object.behindView)) return []
  const what = isTable(object) ? 'a table that a view reads' : type === '' ? 'read by a view' : 'a view'
  const problem = `${what}: its definition cannot be seen, so that it may show what neverRead forbids`
  return [createError(name, problem, renderShowView(name, account.account), 'SHOW VIEW')]
}

/** Every name in the text is compared with the patterns, because a column that only sorts or filters reveals values. */
function listForbidden(
  neverRead: readonly string[],
  { names, reads, functions }: ViewText,
  objects: readonly DefinedObject[],
): ReadonlySet<string> {
  const found = names.flatMap((column) => [
    ...reads
      .filter(({ name }) => isNeverRead(neverRead, name, column))
      .map(({ name }) => `reads ${name}.${column}, which neverRead forbids`),
    ...objects.flatMap(({ name, text }) => {
      const origin =
        text === undefined || 'reads' in text ? undefined : findOrigin(neverRead, name, text, column)
      return origin === undefined ? [] : [`reads ${name}.${column}, which is ${origin.problem}`]
    }),
  ])
  const hidden = functions.map(
    (name) => `calls the function ${name}, whose text cannot be seen: it may read what neverRead forbids`,
  )
  return new Set([...found, ...hidden])
}

/**
 * Storage engines of MySQL and MariaDB whose tables hold their own rows, in lower case. A table of MERGE, FEDERATED,
 * CONNECT, SPIDER or OQGRAPH shows rows of other tables, under other names.
 */
const ownRowEngines: ReadonlySet<string> = new Set([
  ...['innodb', 'myisam', 'aria', 'memory', 'archive', 'csv', 'rocksdb', 'tokudb', 'ndbcluster'],
  ...['columnstore', 'mroonga', 's3'],
])

/** A finding for a table whose storage engine is not known to show rows of this table only. */
function evaluateEngine({ database, name, engine }: DefinedObject): readonly Finding[] {
  if (engine === undefined || ownRowEngines.has(engine.toLowerCase())) return []
  const problem = `a table of the storage engine ${engine}, which may show rows of other tables, with what neverRead forbids`
  const fix = 'map the tables whose rows it shows; or store its rows in InnoDB'
  return [createError(toQuotedPlace(database, name), problem, fix, 'SELECT')]
}

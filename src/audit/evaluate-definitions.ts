import { toQuotedPlace } from '../database/sql.js'
import { createError } from '../finding.js'
import type { Finding } from '../finding.js'
import { isNeverRead } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Account } from './account.js'
import { isOfServer, isTable } from './definitions.js'
import type { DefinedObject, TableText, ViewText } from './definitions.js'
import { adviseComparison } from './evaluate-account.js'
import { isSameTable, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { Visible } from './visible.js'

/** What the audit knows of the definitions. */
interface Definitions {
  readonly account: Account
  readonly columns: Visible['columns']
  readonly objects: readonly DefinedObject[]
}

/** What definitions show, or hide, of the columns that `neverRead` forbids. */
export function evaluateDefinitions(mapping: Mapping, input: Definitions): readonly Finding[] {
  if (mapping.neverRead.length === 0) return []
  return input.objects.flatMap((object) => [
    ...evaluateGeneratedColumns(object, mapping, input),
    ...evaluateEngine(object),
    ...evaluateView(object, mapping, input),
    ...evaluateHidden(object, input),
  ])
}

/** A finding for each mapped column that is computed from a column of `neverRead`. */
function evaluateGeneratedColumns(
  { name, text, mapped }: DefinedObject,
  mapping: Mapping,
  { account: { casedTables } }: Definitions,
): readonly Finding[] {
  if (!mapped || text?.kind !== 'table') return []
  const columns = listMappedColumnsByTable(mapping, casedTables).get(toTableKey(name, casedTables)) ?? []
  return [...columns].flatMap((column): readonly Finding[] => {
    const origin = findOrigin(mapping.neverRead, name, text, column)
    const fix = 'map another column, or leave that one out of the expression'
    const problem = `computed from ${origin}, which neverRead forbids`
    return origin === undefined ? [] : [createError(`${name}.${column}`, problem, fix, 'SELECT')]
  })
}

/** The column of `neverRead` that a column is computed from, in any number of steps; undefined where there is none. */
function findOrigin(
  neverRead: readonly string[],
  table: string,
  { columns }: TableText,
  column: string,
): string | undefined {
  const names = new Set(columns.get(column.toLowerCase()))
  // A name that is added here is visited too.
  for (const name of names) {
    if (isNeverRead(neverRead, table, name)) return name
    for (const next of columns.get(name.toLowerCase()) ?? []) names.add(next)
  }
  return undefined
}

/** A finding for a view that names a column of `neverRead`, or one that is computed from it. */
function evaluateView(
  { database, name, text }: DefinedObject,
  { neverRead }: Mapping,
  { account, objects }: Definitions,
): readonly Finding[] {
  if (text?.kind !== 'view') return []
  const place = toQuotedPlace(database, name)
  const fix = `make the view again without it: CREATE OR REPLACE VIEW ${place} AS …; or remove it from neverRead, if callers may see it`
  const tables = objects.filter((one) =>
    text.reads.some((read) => isSameTable(one, read, account.casedTables)),
  )
  return [...listForbidden(neverRead, text, tables)].map((forbidden) =>
    createError(place, `a view that ${forbidden}`, fix),
  )
}

/** A finding for a definition that is hidden, where it may show what `neverRead` forbids. */
function evaluateHidden(object: DefinedObject, { account, columns }: Definitions): readonly Finding[] {
  const { database, name, text, type, mapped, behindView } = object
  // The account sees what its own columns are computed from, and not what is computed between.
  const isComputed = columns.some(
    ({ table, expression }) =>
      mapped &&
      isSameTable(object, { database, name: table }, account.casedTables) &&
      expression.includes('`'),
  )
  if (text !== undefined || (isTable(object) && !behindView && !isComputed)) return []
  const place = toQuotedPlace(database, name)
  const shows =
    'read by a view: it shows statements of other accounts or histograms, with what neverRead forbids'
  if (isOfServer(object)) return [createError(place, shows, 'make the view again without it', 'SELECT')]
  const table = behindView ? 'a table that a view reads' : 'a table with computed columns'
  // A name of WITH looks like that of a hidden table.
  const what = isTable(object) ? table : type === '' ? 'read by a view, or a name of its WITH' : 'a view'
  const problem = `${what}: its definition cannot be seen, so that it may show what neverRead forbids`
  return [createError(place, problem, adviseComparison(account), 'SHOW VIEW')]
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
      const origin = text?.kind === 'table' ? findOrigin(neverRead, name, text, column) : undefined
      const problem = `reads ${name}.${column}, which is computed from ${origin}, which neverRead forbids`
      return origin === undefined ? [] : [problem]
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

import { isAccessDenied, isMissingTable } from '../database/errors.js'
import type { Row, RunQuery } from '../database/statement.js'
import { readTables } from '../database/schema.js'
import type { ListedTable } from '../database/schema.js'
import { renderShowCreate } from './audit-sql.js'
import { toObjectKey } from './mapped-tables.js'
import type { ObjectName } from './mapped-tables.js'
import { parseTable, parseView } from './parse-definition.js'
import type { ColumnSources, ViewText } from './parse-definition.js'

/** A table or view that Vitrine reads, or that such a view reads. */
export interface DefinedObject extends ObjectName {
  /** Whether the mapping names it; if not, such a view reads it. */
  readonly mapped: boolean
  /** Whether a view reads it. */
  readonly behindView: boolean
  readonly definition: Definition
  /** The storage engine as `information_schema` names it; undefined for a view, and where it is hidden. */
  readonly engine: string | undefined
}

/** The definition of an object as far as the account can see it. */
export type Definition =
  | { readonly kind: 'view'; readonly text: ViewText; readonly reads: readonly ObjectName[] }
  | { readonly kind: 'table'; readonly columns: ColumnSources }
  /** It is hidden, or it cannot be parsed; `type` is empty where that is hidden too. */
  | { readonly kind: 'hidden'; readonly type: string }

interface DefinitionsInput {
  readonly database: string
  readonly casedTables: boolean
  /** Tables and views of the mapping. */
  readonly tables: readonly string[]
}

/** Reads the mapping's tables and views, with all that the views read directly or through other views. */
export async function readDefinitions(
  runQuery: RunQuery,
  { database, casedTables, tables }: DefinitionsInput,
): Promise<readonly DefinedObject[]> {
  const toKey = (object: ObjectName): string => toObjectKey(object, casedTables)
  const listed = new Map<string, ListedTable>()
  const databases = new Set<string>()
  const queue = tables.map((name): ObjectName => ({ database, name }))
  const mapped = new Set(queue.map(toKey))
  const behindViews = new Set<string>()
  const found = new Map<string, ReadObject>()
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = toKey(next)
    if (found.has(key)) continue
    if (!databases.has(next.database)) {
      databases.add(next.database)
      for (const table of await readTables(runQuery, { database: next.database }))
        listed.set(toKey({ database: next.database, name: table.name }), table)
    }
    const { type = '', engine } = listed.get(key) ?? {}
    const definition = await readDefinition(runQuery, next, type)
    found.set(key, { ...next, engine, definition })
    if (definition?.kind !== 'view') continue
    queue.push(...definition.reads)
    for (const read of definition.reads) behindViews.add(toKey(read))
  }
  return [...found].flatMap(([key, { definition, ...object }]) =>
    definition === undefined
      ? []
      : [{ ...object, definition, mapped: mapped.has(key), behindView: behindViews.has(key) }],
  )
}

type ReadObject = ObjectName & Pick<DefinedObject, 'engine'> & { readonly definition: Definition | undefined }

/** Undefined where the object does not exist. */
async function readDefinition(
  runQuery: RunQuery,
  { database, name }: ObjectName,
  type: string,
): Promise<Definition | undefined> {
  try {
    const [row = {}] = await runQuery(renderShowCreate(database, name))
    return toDefinition(row, database) ?? { kind: 'hidden', type }
  } catch (error) {
    if (isMissingTable(error)) return undefined
    if (isAccessDenied(error)) return { kind: 'hidden', type }
    throw error
  }
}

/** Undefined for a text that cannot be parsed. */
function toDefinition(row: Row, database: string): Definition | undefined {
  const table = row['Create Table']
  if (typeof table === 'string') {
    const columns = parseTable(table)
    return columns && { kind: 'table', columns }
  }
  const text = parseView(String(row['Create View']))
  if (text.names.length === 0) return undefined
  const reads = text.reads.map((read) => ({ database: read.database ?? database, name: read.name }))
  return { kind: 'view', text, reads }
}

import { isAccessDenied, isMissingTable } from '../database/errors.js'
import type { Row, RunQuery } from '../database/statement.js'
import { readTables } from '../database/schema.js'
import type { ListedTable } from '../database/schema.js'
import { renderShowCreate } from './audit-sql.js'
import { toObjectKey, toTableKey } from './mapped-tables.js'
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
  /** It is hidden, cannot be parsed, or was not needed; `type` is empty where that is hidden too. */
  | { readonly kind: 'hidden'; readonly type: string }

interface DefinitionsInput {
  readonly database: string
  readonly casedTables: boolean
  /** Tables and views of the mapping. */
  readonly tables: readonly string[]
  /** Tables, by `toTableKey`, with computed columns. Of another table, the definition is needed only where a view reads it. */
  readonly computed: ReadonlySet<string>
}

/** Reads the mapping's tables and views, with all that the views read directly or through other views. */
export async function readDefinitions(
  runQuery: RunQuery,
  { database, casedTables, tables, computed }: DefinitionsInput,
): Promise<readonly DefinedObject[]> {
  const toKey = (object: ObjectName): string => toObjectKey(object, casedTables)
  const find = createListing(runQuery, toKey)
  const queue = tables.map((name): ObjectName => ({ database, name }))
  const mapped = new Set(queue.map(toKey))
  const behindViews = new Set<string>()
  const objects = new Map<string, ListedObject>()
  const definitions = new Map<string, Definition | undefined>()
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (objects.has(toKey(next))) continue
    const object = { ...next, ...(await find(next)) }
    objects.set(toKey(next), object)
    if (isTable(object.type)) continue
    const definition = await readDefinition(runQuery, object)
    definitions.set(toKey(next), definition)
    for (const read of listReads(definition)) {
      behindViews.add(toKey(read))
      queue.push(read)
    }
  }
  // Which tables the views read is known only now.
  for (const [key, object] of objects) {
    if (!isTable(object.type)) continue
    const isNeeded = behindViews.has(key) || computed.has(toTableKey(object.name, casedTables))
    definitions.set(
      key,
      isNeeded ? await readDefinition(runQuery, object) : { kind: 'hidden', type: object.type },
    )
  }
  return [...objects].flatMap(([key, { type: _, ...object }]) => {
    const definition = definitions.get(key)
    return definition === undefined
      ? []
      : [{ ...object, definition, mapped: mapped.has(key), behindView: behindViews.has(key) }]
  })
}

function listReads(definition: Definition | undefined): readonly ObjectName[] {
  return definition?.kind === 'view' ? definition.reads : []
}

type ListedObject = ObjectName & Pick<ListedTable, 'type' | 'engine'>

/** Finds the type and the engine of an object, from a list of each database; the type is empty where it is hidden. */
function createListing(
  runQuery: RunQuery,
  toKey: (object: ObjectName) => string,
): (object: ObjectName) => Promise<Pick<ListedTable, 'type' | 'engine'>> {
  const listed = new Map<string, ListedTable>()
  const databases = new Set<string>()
  return async (object) => {
    const { database } = object
    if (!databases.has(database)) {
      databases.add(database)
      for (const table of await readTables(runQuery, { database }))
        listed.set(toKey({ database, name: table.name }), table)
    }
    const { type = '', engine } = listed.get(toKey(object)) ?? {}
    return { type, engine }
  }
}

/** MariaDB has a type of its own for a table that keeps old rows. */
export function isTable(type: string): boolean {
  return type === 'BASE TABLE' || type === 'SYSTEM VERSIONED'
}

/** Undefined where the object does not exist. */
async function readDefinition(
  runQuery: RunQuery,
  { database, name, type }: ListedObject,
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

import { isAccessDenied, isMissingTable } from '../database/driver-errors.js'
import type { RunQuery } from '../database/statement.js'
import { objectsStatement, renderDefinition } from './privileges-sql.js'
import { toTableKey } from './mapped-tables.js'
import { readTableText } from './table-definition.js'
import type { ColumnSources } from './table-definition.js'
import { readViewText } from './view-definition.js'
import type { ViewText } from './view-definition.js'

/** A table or view as a definition names it. */
export interface ObjectName {
  readonly database: string
  readonly name: string
}

/** A table or view that Vitrine reads, or that such a view reads. */
export interface ObjectFacts extends ObjectName {
  /** Whether the mapping names it; else it is read by such a view. */
  readonly mapped: boolean
  /** Whether some view reads it. */
  readonly behindView: boolean
  readonly definition: Definition
}

/** What the server tells of an object. */
export type Definition =
  | { readonly kind: 'view'; readonly text: ViewText; readonly reads: readonly ObjectName[] }
  | { readonly kind: 'table'; readonly columns: ColumnSources }
  /** Its definition may not be seen, or is not understood; `type` is empty where even that is hidden. */
  | { readonly kind: 'unseen'; readonly type: string }

interface ObjectsInput {
  readonly database: string
  readonly casedTables: boolean
  /** Tables and views of the mapping. */
  readonly tables: readonly string[]
}

/** The mapping's tables and views with all that the views read, however deep. */
export async function readObjects(ask: RunQuery, input: ObjectsInput): Promise<readonly ObjectFacts[]> {
  const { database, casedTables } = input
  const toKey = (object: ObjectName): string =>
    JSON.stringify([toTableKey(object.database, casedTables), toTableKey(object.name, casedTables)])
  const rows = await ask(objectsStatement)
  const types = new Map(
    rows.map((row) => [toKey({ database, name: String(row['name']) }), String(row['type'])]),
  )
  const mapped = new Set(input.tables.map((name) => toKey({ database, name })))
  const queue = input.tables.map((name): ObjectName => ({ database, name }))
  const found = new Map<string, Omit<ObjectFacts, 'behindView'> | undefined>()
  const behindViews = new Set<string>()
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = toKey(next)
    if (found.has(key)) continue
    const definition = await readDefinition(ask, next, types.get(key) ?? '')
    found.set(key, definition && { ...next, mapped: mapped.has(key), definition })
    if (definition?.kind !== 'view') continue
    queue.push(...definition.reads)
    for (const read of definition.reads) behindViews.add(toKey(read))
  }
  return [...found].flatMap(([key, facts]) =>
    facts === undefined ? [] : [{ ...facts, behindView: behindViews.has(key) }],
  )
}

/** Undefined where there is no such object. */
async function readDefinition(
  ask: RunQuery,
  { database, name }: ObjectName,
  type: string,
): Promise<Definition | undefined> {
  try {
    const [row] = await ask(renderDefinition(database, name))
    return toDefinition(row ?? {}, database) ?? { kind: 'unseen', type }
  } catch (error) {
    if (isMissingTable(error)) return undefined
    if (isAccessDenied(error)) return { kind: 'unseen', type }
    throw error
  }
}

/** Undefined for a text that is not understood, which proves nothing. */
function toDefinition(row: Readonly<Record<string, unknown>>, database: string): Definition | undefined {
  const [table, view] = [row['Create Table'], row['Create View']]
  if (typeof table === 'string') {
    const columns = readTableText(table)
    return columns && { kind: 'table', columns }
  }
  const text = readViewText(String(view))
  if (text.names.length === 0) return undefined
  const reads = text.reads.map((read) => ({ database: read.database ?? database, name: read.name }))
  return { kind: 'view', text, reads }
}

import { isAccessDenied, isNotView } from '../db/driver-errors.js'
import type { RunQuery } from '../db/statement.js'
import { renderViewDefinition, objectsStatement } from './privileges-sql.js'
import { toTableKey } from './mapped-tables.js'
import { readViewText } from './view-definition.js'
import type { ViewText } from './view-definition.js'

/** A table or view as a definition names it. */
export interface ObjectName {
  readonly database: string
  readonly name: string
}

/** A view that Vitrine reads, or that such a view reads. */
export interface ViewFacts extends ObjectName {
  /** Null where the account may not see it. */
  readonly text: ViewText | null
  /** Whether the mapping names it; else it is read by such a view. */
  readonly mapped: boolean
  /** False where it may as well be a table. */
  readonly isView: boolean
  /** What its definition reads from. */
  readonly reads: readonly ObjectName[]
}

interface ViewsInput {
  readonly database: string
  readonly casedTables: boolean
  /** Tables and views of the mapping. */
  readonly tables: readonly string[]
  /** Tables that are known for no views, so that nothing is asked about them. */
  readonly isTable: (object: ObjectName) => boolean
}

/** The views among the mapping's tables with all that they read, however deep. */
export async function readViews(ask: RunQuery, input: ViewsInput): Promise<readonly ViewFacts[]> {
  const { database, casedTables } = input
  const toKey = ({ database, name }: ObjectName): string =>
    JSON.stringify([toTableKey(database, casedTables), toTableKey(name, casedTables)])
  const rows = await ask(objectsStatement)
  const types = new Map(rows.map((row) => [toKey({ database, name: String(row['name']) }), row['type']]))
  const mapped = new Set(input.tables.map((name) => toKey({ database, name })))
  const line = input.tables.map((name): ObjectName => ({ database, name }))
  const seen = new Map<string, ViewFacts | undefined>()
  for (let next = line.shift(); next !== undefined; next = line.shift()) {
    const key = toKey(next)
    if (seen.has(key) || types.get(key) === 'BASE TABLE') continue
    const facts = await readView(ask, next)
    seen.set(key, facts && { ...facts, mapped: mapped.has(key), isView: types.has(key) })
    line.push(...(facts?.reads ?? []).filter((object) => !input.isTable(object)))
  }
  return [...seen.values()].filter((facts) => facts !== undefined)
}

type Definition = Pick<ViewFacts, 'database' | 'name' | 'text' | 'reads'>

/** Undefined where it turns out to be a table, or not there at all. */
async function readView(ask: RunQuery, { database, name }: ObjectName): Promise<Definition | undefined> {
  try {
    const [row] = await ask(renderViewDefinition(database, name))
    const text = readViewText(String(row?.['Create View']))
    // A text without a name in it was not understood, and proves nothing.
    if (text.names.length === 0) return { database, name, text: null, reads: [] }
    const reads = text.reads.map((read) => ({ database: read.database ?? database, name: read.name }))
    return { database, name, text, reads }
  } catch (error) {
    if (isNotView(error)) return undefined
    if (isAccessDenied(error)) return { database, name, text: null, reads: [] }
    throw error
  }
}

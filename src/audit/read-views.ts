import { isAccessDenied, isNotView } from '../db/driver-errors.js'
import type { RunQuery } from '../db/statement.js'
import { renderViewDefinition, objectsStatement } from './privileges-sql.js'
import { toTableKey } from './mapped-tables.js'

/** A table or view as a definition names it. */
export interface ObjectName {
  readonly database: string
  readonly name: string
}

/** A view that Vitrine reads, or that such a view reads. */
export interface ViewFacts extends ObjectName {
  /** Null where the account may not see it. */
  readonly definition: string | null
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

type Definition = Pick<ViewFacts, 'database' | 'name' | 'definition' | 'reads'>

/** Undefined where it turns out to be a table, or not there at all. */
async function readView(ask: RunQuery, { database, name }: ObjectName): Promise<Definition | undefined> {
  try {
    const [row] = await ask(renderViewDefinition(database, name))
    const definition = String(row?.['Create View'])
    return { database, name, definition, reads: listReads(definition, database) }
  } catch (error) {
    if (isNotView(error)) return undefined
    if (isAccessDenied(error)) return { database, name, definition: null, reads: [] }
    throw error
  }
}

const reference = /\b(?:from|join)[\s(]+`((?:[^`]|``)+)`(?:\.`((?:[^`]|``)+)`)?/giu

/** What stands behind FROM and JOIN; both servers keep definitions with every name in backticks. */
function listReads(definition: string, database: string): readonly ObjectName[] {
  return [...definition.matchAll(reference)].map(([, first = '', second]) =>
    second === undefined
      ? { database, name: unquote(first) }
      : { database: unquote(first), name: unquote(second) },
  )
}

function unquote(name: string): string {
  return name.replaceAll('``', '`')
}

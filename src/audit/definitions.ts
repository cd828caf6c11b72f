import { isAccessDenied, isMissingTable } from '../database/errors.js'
import { toQuotedPlace } from '../database/sql.js'
import { readTables } from '../database/schema.js'
import type { ListedTable } from '../database/schema.js'
import type { Row, RunQuery } from '../database/statement.js'
import type { Account } from './account.js'
import { readTableText, readViewText } from './definition-text.js'
import type { TableText, ViewText } from './definition-text.js'
import { ask } from './visible.js'
import { toObjectKey } from './mapped-tables.js'
import type { ObjectName } from './mapped-tables.js'

/** A table or view that Vitrine reads, or that such a view reads. */
export interface DefinedObject extends ObjectName {
  /** Whether the mapping names it; if not, such a view reads it. */
  readonly mapped: boolean
  /** Whether a view reads it. */
  readonly behindView: boolean
  /** As `information_schema` names it; empty where that is hidden. */
  readonly type: string
  /** The storage engine as `information_schema` names it; undefined for a view, and where it is hidden. */
  readonly engine: string | undefined
  /** Undefined where it is hidden, or cannot be read. */
  readonly text: ViewText | TableText | undefined
}

/** Reads the mapping's tables and views, with all that the views read directly or through other views. */
export async function readDefinitions(
  runQuery: RunQuery,
  { database, casedTables }: Pick<Account, 'database' | 'casedTables'>,
  tables: readonly string[],
): Promise<readonly DefinedObject[]> {
  const toKey = (object: ObjectName): string => toObjectKey(object, casedTables)
  const queue = tables.map((name) => ({ database, name }))
  const mapped = new Set(queue.map(toKey))
  const behindViews = new Set<string>()
  const texts = new Map<string, ObjectName & Pick<DefinedObject, 'text'>>()
  for (const next of queue) {
    const text = texts.has(toKey(next)) ? 'known' : await readText(runQuery, next)
    if (text === 'known' || text === 'missing') continue
    texts.set(toKey(next), { ...next, text })
    // What is added here is read too.
    for (const read of text !== undefined && 'reads' in text ? text.reads : []) {
      behindViews.add(toKey(read))
      queue.push(read)
    }
  }
  const listed = new Map<string, ListedTable>()
  for (const name of new Set([...texts.values()].map((object) => object.database)))
    for (const table of await readTables(runQuery, { database: name }))
      listed.set(toKey({ database: name, name: table.name }), table)
  return [...texts].map(([key, object]) => {
    const { type = '', engine } = listed.get(key) ?? {}
    return { ...object, type, engine, mapped: mapped.has(key), behindView: behindViews.has(key) }
  })
}

/** MariaDB has a type of its own for a table that keeps old rows. */
export function isTable({ type }: Pick<DefinedObject, 'type'>): boolean {
  return type === 'BASE TABLE' || type === 'SYSTEM VERSIONED'
}

async function readText(
  runQuery: RunQuery,
  { database, name }: ObjectName,
): Promise<DefinedObject['text'] | 'missing'> {
  try {
    const [row = {}] = await ask(runQuery, `show create table ${toQuotedPlace(database, name)}`)
    return toText(row, database)
  } catch (error) {
    if (isMissingTable(error)) return 'missing'
    if (isAccessDenied(error)) return undefined
    throw error
  }
}

/** Undefined for a text without names in backticks. */
function toText(row: Row, database: string): DefinedObject['text'] {
  const table = row['Create Table']
  if (typeof table === 'string') return readTableText(table)
  const view = readViewText(String(row['Create View']), database)
  return view.names.length === 0 ? undefined : view
}

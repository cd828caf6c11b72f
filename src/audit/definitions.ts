import { isAccessDenied, isMissingTable } from '../database/errors.js'
import { toQuotedPlace } from '../database/sql.js'
import { readTables } from '../database/schema.js'
import type { ListedTable } from '../database/schema.js'
import type { Row, RunQuery } from '../database/statement.js'
import type { Account } from './account.js'
import { ask } from './visible.js'
import { toObjectKey } from './mapped-tables.js'
import type { ObjectName } from './mapped-tables.js'

/** What the definition of a view names. */
export interface ViewText {
  readonly kind: 'view'
  /** Every name in it, of whatever kind. */
  readonly names: readonly string[]
  /** What follows FROM and JOIN, the names that WITH defines among it: these look like hidden tables. */
  readonly reads: readonly ObjectName[]
  /** The stored functions that it calls. Their own text cannot be read. */
  readonly functions: readonly string[]
}

/** What the definition of a table names. */
export interface TableText {
  readonly kind: 'table'
  /** In lower case, each with the names in its line of the definition. */
  readonly columns: ReadonlyMap<string, readonly string[]>
}

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
    for (const read of text?.kind === 'view' ? text.reads : []) {
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

/** Whether a table shows what the server does. No grant can be made on it, and MySQL rejects statements on what it reads. */
export function isOfServer({ database }: ObjectName): boolean {
  return /^(?:information|performance)_schema$/i.test(database)
}

async function readText(runQuery: RunQuery, object: ObjectName): Promise<DefinedObject['text'] | 'missing'> {
  const { database, name } = object
  if (isOfServer(object)) return undefined
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

/** Reads what SHOW CREATE TABLE returns for a table; undefined for a text without lines of columns. */
export function readTableText(definition: string): TableText | undefined {
  const lines = definition.split(/\n {2}(?=\S)/u).filter((line) => line.startsWith('`'))
  // A CHECK limits which values are accepted; no value is computed from its columns.
  const columns = lines.map((line) => takeNames(line, (text) => text.replace(/ CHECK \(.*/su, '')).names)
  return columns.length === 0
    ? undefined
    : { kind: 'table', columns: new Map(columns.map(([name = '', ...rest]) => [name.toLowerCase(), rest])) }
}

/**
 * Reads what SHOW CREATE TABLE returns for a view. Both servers write names in backticks there, their own functions
 * without backticks, and a stored function with its bracket directly after it.
 */
export function readViewText(definition: string, database: string): ViewText {
  const body = (text: string): string => text.replace(/^.*? VIEW (?:#\d+#\.)?#\d+# AS /u, '')
  const { text, names, nameOf } = takeNames(definition, body)
  const reads = [...text.matchAll(source)].map(({ 1: first, 2: second }) =>
    second === undefined
      ? { database, name: nameOf(first) }
      : { database: nameOf(first), name: nameOf(second) },
  )
  const calls = text.matchAll(/#(\d+)#\((?![#\d,]*\) as \()/gu)
  return { kind: 'view', names, reads, functions: [...calls].map(({ 1: call }) => nameOf(call)) }
}

/** The FROM of a query, and not the one of `extract(year from x)` or `trim('a' from x)`. */
const source =
  /(?<!\bextract\(\w+ )(?<!\btrim\((?:\w+ )?(?:''|[#\d.]+) )(?:\bfrom|join) \(*#(\d+)#(?:\.#(\d+)#)?/giu

/** A name in backticks, or a literal, in which a backslash escapes. */
const nameOrLiteral = /`((?:[^`]|``)*)`|'(?:[^'\\]|''|\\[^])*'|"(?:[^"\\]|""|\\[^])*"/gu

/** A part of a definition without its literals and with numbers in the place of its names, and these names. */
function takeNames(definition: string, cut: (text: string) => string) {
  const all: string[] = []
  const text = cut(
    definition.replace(nameOrLiteral, (_, name: string | undefined) =>
      name === undefined ? "''" : `#${all.push(name.replaceAll('``', '`')) - 1}#`,
    ),
  )
  const nameOf = (number: string | undefined): string => all[Number(number)] ?? ''
  return { text, names: [...text.matchAll(/#(\d+)#/gu)].map(({ 1: number }) => nameOf(number)), nameOf }
}

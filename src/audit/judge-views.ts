import { toQuotedPlace } from '../database/quote.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { isNeverRead } from '../mapping/never-read.js'
import type { Finding } from './finding.js'
import { toTableKey } from './mapped-tables.js'
import type { Privileges } from './privileges.js'
import type { Definition, ObjectFacts, ObjectName } from './read-objects.js'
import { traceColumn } from './trace-column.js'

type ViewDefinition = Extract<Definition, { kind: 'view' }>
type Table = ObjectName & Extract<Definition, { kind: 'table' }>

/**
 * A finding for each view that touches a column which `neverRead` forbids, under whatever name it shows it or by
 * whatever generated column, and for each definition that cannot be seen, since nothing is proved of it.
 */
export function judgeViews(
  { neverRead }: Mapping,
  objects: readonly ObjectFacts[],
  { account, casedTables }: Privileges,
): readonly Finding[] {
  if (neverRead.length === 0) return []
  const isSame = (one: ObjectName, other: ObjectName): boolean =>
    toTableKey(one.name, casedTables) === toTableKey(other.name, casedTables) &&
    toTableKey(one.database, casedTables) === toTableKey(other.database, casedTables)
  const tables = objects.flatMap(({ database, name, definition }): Table[] =>
    definition.kind === 'table' ? [{ database, name, ...definition }] : [],
  )
  return objects.flatMap((object) => {
    const { definition } = object
    if (definition.kind === 'table') return []
    if (definition.kind === 'unseen') return toUnseenFindings(object, definition.type, account)
    const read = tables.filter((table) => definition.reads.some((one) => isSame(one, table)))
    return judgeView(neverRead, object, { definition, read })
  })
}

/** Every name in the text is compared with the patterns: a column that only sorts or filters tells too. */
function judgeView(
  neverRead: readonly string[],
  view: ObjectName,
  { definition, read }: { definition: ViewDefinition; read: readonly Table[] },
): readonly Finding[] {
  const { text, reads } = definition
  const forbidden = reads.flatMap(({ name: table }) =>
    text.names
      .filter((column) => isNeverRead(neverRead, table, column))
      .map((column) => `reads ${table}.${column}, which neverRead forbids`),
  )
  const computed = read.flatMap((table) =>
    text.names.flatMap((column) => {
      const trace = traceColumn(neverRead, table, column)
      if (trace === undefined) return []
      return [
        `reads ${table.name}.${column}, which is computed from ${trace.column}, which neverRead forbids`,
      ]
    }),
  )
  const hidden = text.functions.map(
    (name) => `calls the function ${name}, whose text cannot be seen: it may read what neverRead forbids`,
  )
  return [...new Set([...forbidden, ...computed, ...hidden])].map((fault) => ({
    severity: 'error',
    object: toText(view),
    privilege: 'SELECT',
    problem: `a view that ${fault}`,
    fix: `make the view again without it: CREATE OR REPLACE VIEW ${toText(view)} AS …`,
  }))
}

/** A mapped table is looked into by its columns, unless a view reads others of it. */
function toUnseenFindings(object: ObjectFacts, type: string, account: string): readonly Finding[] {
  if (type === 'BASE TABLE' && !object.behindView) return []
  return [
    {
      severity: 'error',
      object: toText(object),
      privilege: 'SHOW VIEW',
      problem: describeUnseen(type),
      fix: `GRANT SHOW VIEW ON ${toText(object)} TO ${account};`,
    },
  ]
}

function describeUnseen(type: string): string {
  if (type === 'BASE TABLE')
    return 'a table that a view reads, and whose definition cannot be seen: a generated column may show what neverRead forbids'
  if (type === '')
    return 'read by a view, and cannot be seen: a view or a generated column may show what neverRead forbids'
  return 'a view whose definition cannot be seen, so that it may show what neverRead forbids'
}

function toText({ database, name }: ObjectName): string {
  return toQuotedPlace(database, name)
}

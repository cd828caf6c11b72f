import {
  bindTemplate,
  builder,
  equalsExactly,
  quoteColumn,
  quoteName,
  raw,
  slot,
  toTemplate,
} from '../database/fragments-sql.js'
import type { Template } from '../database/fragments-sql.js'
import type { BoundValue, Statement } from '../database/statement.js'
import type { LookupColumn, ResolvedTable } from '../resources/resolved-table.js'
import { listChain } from './lookup-sql.js'
import { requireLookedUpWorkspace, restrictParents } from './parents-sql.js'
import { createTemplateCache } from './table-sql.js'

interface ParentsInput {
  readonly table: ResolvedTable
  /** The stored form of the workspace. */
  readonly workspaceId: BoundValue
  /** The stored form of the only parent that is wanted. */
  readonly parent: BoundValue | undefined
  readonly limit: number
}

const findTemplate = createTemplateCache()

/**
 * The parent rows of a workspace that is found by a lookup: the values that the first column of the lookup has in the
 * records of the workspace. Its text is built once for each table.
 */
export function renderParents({ table, workspaceId, parent, limit }: ParentsInput): Statement {
  const isOnly = parent !== undefined
  return bindTemplate(
    findTemplate(table, `${isOnly ? 'one parent' : 'parents'} of ${limit}`, () =>
      compileParents(table, isOnly, limit),
    ),
    new Map([['workspace', workspaceId], ...(isOnly ? [['parent', parent] as const] : [])]),
  )
}

function compileParents(table: ResolvedTable, isOnly: boolean, limit: number): Template {
  const [first] = listChain(requireLookedUpWorkspace(table).lookup)
  const query = builder.select()
  restrictParents(query, table)
  if (first !== undefined) {
    const key = quoteColumn('link1', first.key)
    query.select(raw('? as ?', key, quoteName('parent')))
    if (isOnly) query.where(equalsExactly(first.key, key, slot('parent')))
  }
  return toTemplate(query.limit(limit))
}

interface StatusKeysInput {
  readonly table: ResolvedTable
  readonly status: LookupColumn
  readonly limit: number
}

/** The keys and codes of the table that a status is looked up in. Its text is built once for each table. */
export function renderStatusKeys({ table, status: { column, lookup }, limit }: StatusKeysInput): Statement {
  const compile = (): Template =>
    toTemplate(
      builder
        .select([
          raw('? as ?', quoteName(lookup.key.name), quoteName('key')),
          raw('? as ?', quoteName(column.name), quoteName('code')),
        ])
        .from(quoteName(lookup.table))
        .limit(limit),
    )
  return bindTemplate(findTemplate(table, `statuses of ${limit}`, compile))
}

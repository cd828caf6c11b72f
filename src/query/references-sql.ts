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
import type { BoundValue, Statement } from '../database/statement.js'
import type { FoundColumn, IdentifierColumn, Lookup } from '../resources/resolved-table.js'
import { listChain, renderChain } from './lookup-sql.js'

/** A column that a lookup reads. */
export type LookupColumn<Found extends FoundColumn = FoundColumn> = Found & { readonly lookup: Lookup }

interface ParentsInput {
  readonly workspace: LookupColumn<IdentifierColumn>
  /** The stored form of the workspace. */
  readonly workspaceId: BoundValue
  /** The stored form of the only parent that is wanted. */
  readonly parent: BoundValue | undefined
  readonly limit: number
}

/**
 * The parent rows of a workspace that is found by a lookup: the values that the first column of the lookup has in the
 * records of the workspace.
 */
export function renderParents({ workspace, workspaceId, parent, limit }: ParentsInput): Statement {
  const chain = listChain(workspace.lookup)
  const [first] = chain
  const query = builder.select().from(renderChain(chain))
  const last = quoteColumn(`link${chain.length}`, workspace.column)
  query.where(equalsExactly(workspace.column, last, slot('workspace')))
  const values = new Map([['workspace', workspaceId]])
  if (first !== undefined) {
    const key = quoteColumn('link1', first.key)
    query.select(raw('? as ?', key, quoteName('parent')))
    if (parent !== undefined) {
      query.where(equalsExactly(first.key, key, slot('parent')))
      values.set('parent', parent)
    }
  }
  return bindTemplate(toTemplate(query.limit(limit)), values)
}

/** The keys and codes of the table that a status is looked up in. */
export function renderCodes({ column, lookup }: LookupColumn, limit: number): Statement {
  return bindTemplate(
    toTemplate(
      builder
        .select([
          raw('? as ?', quoteName(lookup.key.name), quoteName('key')),
          raw('? as ?', quoteName(column.name), quoteName('code')),
        ])
        .from(quoteName(lookup.table))
        .limit(limit),
    ),
  )
}

import type { Knex } from 'knex'
import {
  builder,
  equalsExactly,
  join,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  slot,
} from '../database/fragments-sql.js'
import { findLookedUpWorkspace, findOwnColumn } from '../resources/resolved-table.js'
import type { IdentifierColumn, LookupColumn, ResolvedTable } from '../resources/resolved-table.js'
import { listChain, renderChain, renderInWorkspace } from './lookup-sql.js'
import { listOwnColumns } from './table-sql.js'

interface ParentPages {
  readonly table: ResolvedTable
  /** The table behind FROM. */
  readonly from: Knex.Raw
  /** How many parent rows the slots `parent0`, `parent1` and so on name. */
  readonly count: number
  /** Adds the other conditions, the order and the limit. */
  readonly restrict: (query: Knex.QueryBuilder) => Knex.QueryBuilder
}

/**
 * The page of a workspace that is found by a lookup. Each parent row has a page of its own, which an index gives in the
 * order of lists; the first rows of these pages are the page. So it reads no row of another workspace, and of each
 * parent no more rows than a page has. The workspace of each parent is compared in this statement too, because it can
 * have changed since the parents were read.
 */
export function renderParentPages({ table, from, count, restrict }: ParentPages): Knex.Raw {
  const workspace = requireLookedUpWorkspace(table)
  const on = findOwnColumn(workspace)
  const pages = Array.from({ length: count }, (_, at) => {
    const parent = placeholder(on, slot(`parent${at}`))
    const query = builder.select(listOwnColumns(table)).from(from)
    query.where(raw('? = ?', quoteName(on.name), parent))
    query.where(renderInWorkspace(workspace, () => parent))
    return restrict(query)
  })
  const order = [table.updatedAt.column, table.id.column].map(({ name }) => quoteName(name))
  return raw('(? order by ? asc, ? asc limit ?)', join(pages, ' union all '), ...order, slot('limit'))
}

/** Restricts a query to the rows whose parent is in the workspace, where there are too many parents to name them. */
export function applyParents(query: Knex.QueryBuilder, table: ResolvedTable): void {
  const workspace = requireLookedUpWorkspace(table)
  const [first] = listChain(workspace.lookup)
  if (first === undefined) return
  const parents = builder.select(quoteColumn('link1', first.key))
  restrictParents(parents, table)
  query.where(raw('? in ?', quoteColumn(table.name, findOwnColumn(workspace)), parents))
}

/** Makes a query read the tables of the lookup, `link1` and so on, restricted to the workspace. */
export function restrictParents(query: Knex.QueryBuilder, table: ResolvedTable): void {
  const { column, lookup } = requireLookedUpWorkspace(table)
  const chain = listChain(lookup)
  const quoted = quoteColumn(`link${chain.length}`, column)
  query.from(renderChain(chain)).where(equalsExactly(column, quoted, slot('workspace')))
}

/** The workspace of a table, which a lookup finds. @throws Error where none does. */
export function requireLookedUpWorkspace(table: ResolvedTable): LookupColumn<IdentifierColumn> {
  const workspace = findLookedUpWorkspace(table)
  if (workspace === undefined) throw new Error('The workspace is found by no lookup')
  return workspace
}

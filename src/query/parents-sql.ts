import type { Knex } from 'knex'
import type { Column } from '../database/column.js'
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
import { findLookedUpWorkspace, findOwnColumn } from '../resources/resolved-table.js'
import type { IdentifierColumn, LookupColumn, ResolvedTable } from '../resources/resolved-table.js'
import { listChain, renderChain } from './lookup-sql.js'
import { createTemplateCache } from './table-sql.js'

/*
 * A workspace that is found by a lookup has parent rows: the rows of the lookup's first table that lead to it. Their keys
 * choose which index entries a page visits, and decide nothing: each row that is visited is compared with the workspace
 * through its own lookup.
 */

/** The name of a key of a parent row, which no column of a mapped table is likely to have. */
const parentName = 'vitrine parent'

const findTemplate = createTemplateCache()

/** The keys of the parent rows of a workspace, each once by the collation of the column that refers to them. */
export function renderParents(table: ResolvedTable, workspaceId: BoundValue, limit: number): Statement {
  const template = findTemplate(table, `parents ${limit}`, () =>
    toTemplate(selectParents(table).limit(limit)),
  )
  return bindTemplate(template, new Map([['workspace', workspaceId]]))
}

/** The value of a parent row in the answer of `renderParents`. */
export function readParent(row: Readonly<Record<string, unknown>>): BoundValue {
  const cell = row[parentName]
  return Buffer.isBuffer(cell) ? cell : String(cell)
}

/** A table behind FROM, read by the rows that refer to a parent row of the workspace. */
export function renderFromParents(table: ResolvedTable): Knex.Raw {
  const on = quoteColumn(table.name, findOwnColumn(requireLookedUpWorkspace(table)))
  const parent = raw('`parents`.?', quoteName(parentName))
  return raw(
    '? as `parents` straight_join ? on ? = ?',
    selectParents(table),
    quoteName(table.name),
    on,
    parent,
  )
}

function selectParents(table: ResolvedTable): Knex.QueryBuilder {
  const { column, lookup } = requireLookedUpWorkspace(table)
  const chain = listChain(lookup)
  const [first] = chain
  if (first === undefined) throw new Error('A lookup has at least one table')
  const key = toCollationOf(first.on.column, first.key, quoteColumn('link1', first.key))
  return builder
    .distinct(raw('? as ?', key, quoteName(parentName)))
    .from(renderChain(chain))
    .where(equalsExactly(column, quoteColumn(`link${chain.length}`, column), slot('workspace')))
}

/** A key in the collation of the column that refers to it, by which an index on that column serves. */
function toCollationOf(on: Column, key: Column, quoted: Knex.Raw): Knex.Raw {
  if (on.kind !== 'text' || (on.collation === key.collation && on.characterSet === key.characterSet))
    return quoted
  return raw(`convert(? using ${on.characterSet ?? ''}) collate ${on.collation ?? ''}`, quoted)
}

function requireLookedUpWorkspace(table: ResolvedTable): LookupColumn<IdentifierColumn> {
  const workspace = findLookedUpWorkspace(table)
  if (workspace === undefined) throw new Error('The workspace is found by no lookup')
  return workspace
}

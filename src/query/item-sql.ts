import {
  builder,
  equalsExactly,
  placeholder,
  quoteName,
  raw,
  slot,
  toTemplate,
  bindTemplate,
} from '../database/fragments-sql.js'
import type { Knex } from 'knex'
import type { Index } from '../database/column.js'
import type { BoundValue, Statement } from '../database/statement.js'
import type { Template } from '../database/fragments-sql.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { bindIdentifier } from './list-plan.js'
import { applyVisibility, listProjection } from './visible-sql.js'

/** One record as data, from which `renderItem` makes its statement. */
export interface ItemPlan {
  readonly table: ResolvedTable
  readonly values: ReadonlyMap<string, BoundValue>
}

/** The plan of one record; undefined where no stored id can be shown as this text, so that there is none. */
export function planItem(source: ResolvedTable, workspaceId: string, id: string): ItemPlan | undefined {
  const workspace = bindIdentifier(source.workspace, workspaceId)
  const stored = bindIdentifier(source.id, id)
  if (workspace === undefined || stored === undefined) return undefined
  return {
    table: source,
    values: new Map([
      ['id', stored],
      ['workspace', workspace],
    ]),
  }
}

const compiled = new WeakMap<ResolvedTable, Template>()

/** The statement of one record: built once for each source, then only bound. */
export function renderItem({ table: source, values }: ItemPlan): Statement {
  const template = compiled.get(source) ?? compileItem(source)
  compiled.set(source, template)
  return bindTemplate(template, values)
}

function compileItem(source: ResolvedTable): Template {
  const query = builder
    .select(listProjection(source))
    .from(quoteName(source.name))
    .where(equalsExactly(source.id.column, quoteName(source.id.column.name), slot('id')))
  applyVisibility(query, source)
  return toTemplate(query.limit(1))
}

/** How many ids a joined statement may hold; one of fewer repeats its last id up to the next of these. */
const joinedSizes = [2, 4, 8, 16, 32, 64] as const

/** The most records that one statement reads. */
export const joinedSizeMax = 64

const compiledJoined = new WeakMap<ResolvedTable, Map<number, Template>>()

/**
 * The statement of several records of one workspace. A loose collation may give rows beside those that were asked
 * for, so whoever reads the answer looks for each id as it is shown.
 *
 * @param plans 1 to `joinedSizeMax` plans of one source and workspace.
 */
export function renderItems(plans: readonly ItemPlan[]): Statement {
  const [first] = plans
  if (first === undefined) throw new Error('No record is asked for')
  const size = joinedSizes.find((one) => one >= plans.length) ?? joinedSizeMax
  const values = new Map(first.values)
  for (let at = 0; at < size; at += 1) {
    const id = plans[Math.min(at, plans.length - 1)]?.values.get('id')
    if (id !== undefined) values.set(`id${at}`, id)
  }
  return bindTemplate(findJoined(first.table, size), values)
}

function findJoined(source: ResolvedTable, size: number): Template {
  const templates = compiledJoined.get(source) ?? new Map<number, Template>()
  compiledJoined.set(source, templates)
  const template = templates.get(size) ?? compileJoined(source, size)
  templates.set(size, template)
  return template
}

function compileJoined(source: ResolvedTable, size: number): Template {
  const plain = toTemplate(buildJoined(source, size, quoteName(source.name)))
  const index = chooseItemIndex(source)
  if (index === undefined) return plain
  // With many ids the optimizer may take the whole workspace for the shorter way.
  const hinted = raw('? force index (?)', quoteName(source.name), quoteName(index.name))
  return { ...toTemplate(buildJoined(source, size, hinted)), withoutIndexHint: plain.sql }
}

function buildJoined(source: ResolvedTable, size: number, table: Knex.Raw): Knex.QueryBuilder {
  const { column } = source.id
  const ids = Array.from({ length: size }, (_, at) => placeholder(column, slot(`id${at}`)))
  const query = builder
    .select(listProjection(source))
    .from(table)
    .where(raw(`? in (${ids.map(() => '?').join(', ')})`, quoteName(column.name), ...ids))
  applyVisibility(query, source)
  return query
}

/** An index that begins with the id, or with the workspace and then the id. */
function chooseItemIndex(source: ResolvedTable): Index | undefined {
  const id = source.id.column.name.toLowerCase()
  const workspace = source.workspace.column.name.toLowerCase()
  return source.indexes.find(
    ({ columns: [first, second] }) => first === id || (first === workspace && second === id),
  )
}

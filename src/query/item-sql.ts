import type { Knex } from 'knex'
import { bindTemplate, equalsExactly, placeholder, quoteName, raw, slot } from '../database/fragments-sql.js'
import type { Template } from '../database/fragments-sql.js'
import type { Index } from '../database/column.js'
import type { BoundValue, Statement } from '../database/statement.js'
import { findWorkspaceColumn } from '../resources/resolved-table.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { bindIdentifier, bindWorkspace } from './bound-values.js'
import { applyVisibility } from './condition-sql.js'
import { compileWithIndex, createTemplateCache, selectRows } from './table-sql.js'

/** One record as data, from which `renderItem` makes its statement. */
export interface ItemPlan {
  readonly table: ResolvedTable
  readonly values: ReadonlyMap<string, BoundValue>
}

/** The plan of one record; undefined where no stored id can be shown as this text. */
export function planItem(table: ResolvedTable, workspaceId: string, id: string): ItemPlan | undefined {
  const workspace = bindWorkspace(table, workspaceId)
  const stored = bindIdentifier(table.id, id)
  if (workspace === undefined || stored === undefined) return undefined
  return {
    table,
    values: new Map([
      ['id', stored],
      ['workspace', workspace],
    ]),
  }
}

const findTemplate = createTemplateCache()

/** The statement of one record. Its text is built once for each table. */
export function renderItem({ table, values }: ItemPlan): Statement {
  return bindTemplate(
    findTemplate(table, 'item', () => compileItem(table)),
    values,
  )
}

function compileItem(table: ResolvedTable): Template {
  const { column } = table.id
  // The optimizer needs no hint for the one row of an id.
  return compileWithIndex(table, undefined, (from, isHinted) => {
    const restrict = (query: Knex.QueryBuilder): Knex.QueryBuilder => {
      query.where(equalsExactly(column, quoteName(column.name), slot('id')))
      applyVisibility(query, table)
      // A second row tells that the id is not unique.
      return query.limit(2)
    }
    return selectRows({ table, from, restrict, isHinted, isOrdered: false })
  })
}

/** The most records that one statement reads. */
export const batchSizeMax = 64

/**
 * The numbers of ids that the statement of a batch is built for; a batch in between repeats its last id. So there are
 * six texts for each table and not 64.
 */
const batchSizes = [2, 4, 8, 16, 32, batchSizeMax]

/**
 * The statement of several records of one workspace. A collation that ignores case may give rows that no plan asks
 * for, so the reader of the rows compares each id as it is shown.
 *
 * @param plans 1 to `batchSizeMax` plans of one table and workspace.
 */
export function renderBatch(plans: readonly ItemPlan[]): Statement {
  const [first] = plans
  if (first === undefined) throw new Error('A batch has at least one plan')
  const { table } = first
  const size = batchSizes.find((one) => one >= plans.length) ?? batchSizeMax
  const values = new Map(first.values)
  for (let at = 0; at < size; at += 1) {
    const id = plans[Math.min(at, plans.length - 1)]?.values.get('id')
    if (id !== undefined) values.set(`id${at}`, id)
  }
  return bindTemplate(
    findTemplate(table, `batch of ${size}`, () => compileBatch(table, size)),
    values,
  )
}

function compileBatch(table: ResolvedTable, size: number): Template {
  const { column } = table.id
  const ids = Array.from({ length: size }, (_, at) => placeholder(column, slot(`id${at}`)))
  // Without the hint, the optimizer may read the whole workspace where there are many ids.
  return compileWithIndex(table, chooseItemIndex(table), (from, isHinted) => {
    const restrict = (query: Knex.QueryBuilder): Knex.QueryBuilder => {
      query.where(raw(`? in (${ids.map(() => '?').join(', ')})`, quoteName(column.name), ...ids))
      applyVisibility(query, table)
      return query
    }
    return selectRows({ table, from, restrict, isHinted, isOrdered: false })
  })
}

/** An index that begins with the id, or with the workspace and then the id; undefined under a view. */
export function chooseItemIndex(table: ResolvedTable): Index | undefined {
  const [idName, workspaceName] = [table.id.column, findWorkspaceColumn(table)].map((one) =>
    one?.name.toLowerCase(),
  )
  return table.indexes.find(
    ({ columns: [first, second] }) => first === idName || (first === workspaceName && second === idName),
  )
}

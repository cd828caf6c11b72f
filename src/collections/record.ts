import type { Index } from '../database/column.js'
import { all, bind, equals, Hole, join, prepare, quote, sql, toOperand } from '../database/sql.js'
import type { Given, Sql } from '../database/sql.js'
import type { BoundValue, Statement } from '../database/statement.js'
import { findWorkspaceColumn } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import { bindIdentifier, bindWorkspace } from './filters.js'
import { createStatementCache, from, listVisible, selectRows, showsTypes } from './rows.js'

const findStatement = createStatementCache()

/** One record of a workspace, as values that are stored. */
export interface RecordPlan {
  readonly table: ResolvedTable
  readonly workspace: BoundValue
  readonly id: BoundValue
}

/** The plan of one record; undefined where no stored id can be shown as this text. */
export function planRecord(table: ResolvedTable, workspaceId: string, text: string): RecordPlan | undefined {
  const [workspace, id] = [bindWorkspace(table, workspaceId), bindIdentifier(table.id, text)]
  return workspace === undefined || id === undefined ? undefined : { table, workspace, id }
}

/** The statement of one record. A second row tells that the id, or the key of a lookup, is not unique. */
export function renderRecord({ table, workspace, id }: RecordPlan): Statement {
  const { column } = table.id
  const select = (): Sql => {
    const conditions = [equals(column, quote(column.name), new Hole('id')), ...listVisible(table)]
    const rest = sql`${from(table)} where ${all(conditions)} limit ${'2'}`
    return selectRows({ table, isOrdered: false }, rest)
  }
  return bind(
    findStatement(table, 'one', () => prepare(select(), showsTypes(table))),
    { workspace, id },
  )
}

/** The most records that one statement reads. */
export const joinedMax = 64

/**
 * The statement of several records of one workspace, up to `joinedMax`. A collation can find rows beside those that are asked
 * for: the reader of the rows looks for each id as it is shown. The last id is repeated up to a power of two, so that few
 * statements stay prepared.
 */
export function renderRecords(plans: readonly [RecordPlan, ...(readonly RecordPlan[])]): Statement {
  const [{ table, workspace }] = plans
  const { column } = table.id
  const size = 2 ** Math.ceil(Math.log2(plans.length))
  const given: Record<string, BoundValue> = { workspace }
  for (let at = 0; at < size; at += 1) given[`id${at}`] = plans[Math.min(at, plans.length - 1)]?.id ?? null
  const select = (): Sql => {
    const ids = Array.from({ length: size }, (_, at) => toOperand(column, new Hole(`id${at}`)))
    const conditions = [sql`${quote(column.name)} in (${join(ids, ', ')})`, ...listVisible(table)]
    // With many ids the optimizer could read the whole workspace.
    const rest = sql`${from(table, chooseIdIndex(table))} where ${all(conditions)}`
    return selectRows({ table, isOrdered: false }, rest)
  }
  return bind(
    findStatement(table, `some ${size}`, () => prepare(select(), showsTypes(table))),
    given satisfies Given,
  )
}

/** An index that begins with the id, or with the workspace and then the id; undefined under a view. */
export function chooseIdIndex(table: ResolvedTable): Index | undefined {
  const [id, workspace] = [table.id.column, findWorkspaceColumn(table)].map((one) => one?.name.toLowerCase())
  return table.indexes.find(
    ({ columns: [first, second] }) => first === id || (first === workspace && second === id),
  )
}

import type { Index } from '../database/column.js'
import { all, bind, equals, Hole, join, quote, sql, toOperand } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import { batchSizeMax } from '../database/statement.js'
import type { BoundValue, Caller, RunStatement, Statement } from '../database/statement.js'
import { findWorkspaceColumn } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import type { BoundCollection } from './collection.js'
import { bindIdentifier, bindWorkspace } from './filters.js'
import { createBatchReader } from './records.js'
import type { Records } from './records.js'
import { createStatementCache, from, listVisible, selectRows } from './rows.js'

/** The numbers of ids of a batch; one in between repeats its last id. So there are few texts for each table. */
const batchSizes = [2, 4, 8, 16, 32, batchSizeMax]

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
  const select = (isHinted: boolean): Sql => {
    const conditions = [equals(column, quote(column.name), new Hole('id')), ...listVisible(table)]
    const rest = sql`${from(table)} where ${all(conditions)} limit ${'2'}`
    return selectRows({ table, isHinted, isOrdered: false }, rest)
  }
  return bind(findStatement(table, 'one', select), { workspace, id })
}

/**
 * The statement of several records of one workspace. A collation that ignores case may give rows that no plan asks for, so
 * the reader of the rows compares each id as it is shown.
 *
 * @param plans 1 to `batchSizeMax` plans of one table and workspace.
 */
export function renderRecords(plans: readonly [RecordPlan, ...RecordPlan[]]): Statement {
  const [{ table, workspace }] = plans
  const size = batchSizes.find((one) => one >= plans.length) ?? batchSizeMax
  const names = Array.from({ length: size }, (_, at) => `id${at}`)
  const { column } = table.id
  const select = (isHinted: boolean): Sql => {
    const holes = names.map((name) => toOperand(column, new Hole(name)))
    const conditions = [sql`${quote(column.name)} in (${join(holes, ', ')})`, ...listVisible(table)]
    // Without the hint, the optimizer may read the whole workspace where there are many ids.
    const source = from(table, isHinted ? chooseIdIndex(table) : undefined)
    return selectRows({ table, isHinted, isOrdered: false }, sql`${source} where ${all(conditions)}`)
  }
  const given = names.map((name, at) => [name, plans[Math.min(at, plans.length - 1)]?.id ?? null] as const)
  return bind(findStatement(table, `batch of ${size}`, select), { workspace, ...Object.fromEntries(given) })
}

/** An index that begins with the id, or with the workspace and then the id; undefined under a view. */
export function chooseIdIndex(table: ResolvedTable): Index | undefined {
  const [id, workspace] = [table.id.column, findWorkspaceColumn(table)].map((one) => one?.name.toLowerCase())
  return table.indexes.find(
    ({ columns: [first, second] }) => first === id || (first === workspace && second === id),
  )
}

/** A request for one record. */
interface ItemRequest {
  readonly collection: BoundCollection
  readonly workspaceId: string
  readonly id: string
  readonly plan: RecordPlan
  readonly caller?: Caller | undefined
}

type FoundRecords = ReadonlyMap<string, Records>

interface RecordStatement extends Statement<FoundRecords> {
  readonly plan: RecordPlan
}

/** Reads one record; undefined where the workspace has no row of it. @throws Problem */
export async function readItem(
  runQuery: RunStatement,
  { collection, workspaceId, id, plan, caller }: ItemRequest,
): Promise<Records | undefined> {
  const createReader = (): ReturnType<typeof createBatchReader> => createBatchReader(collection)
  const merge = ([first, ...others]: readonly [
    RecordStatement,
    ...RecordStatement[],
  ]): Statement<FoundRecords> => ({
    ...renderRecords([first.plan, ...others.map((other) => other.plan)]),
    createReader,
  })
  const batch = { key: `${collection.name} ${workspaceId}`, merge }
  const statement: RecordStatement = { ...renderRecord(plan), plan, batch, createReader }
  const found = await runQuery(statement, { caller, workspaceId, table: plan.table.name })
  return found.get(id)
}

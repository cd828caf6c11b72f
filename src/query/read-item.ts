import type { Caller, RunStatement, Statement } from '../database/statement.js'
import type { ResolvedResource } from '../resources/resource.js'
import { renderRecord, renderRecords } from './record.js'
import type { RecordPlan } from './record.js'
import { createBatchReader } from './records.js'
import type { Records } from './records.js'

/** A request for one record. */
export interface ItemRequest {
  readonly resource: ResolvedResource
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
  { resource, workspaceId, id, plan, caller }: ItemRequest,
): Promise<Records | undefined> {
  const createReader = (): ReturnType<typeof createBatchReader> => createBatchReader(resource)
  const merge = ([first, ...others]: readonly [
    RecordStatement,
    ...RecordStatement[],
  ]): Statement<FoundRecords> => ({
    ...renderRecords([first.plan, ...others.map((other) => other.plan)]),
    createReader,
  })
  const batch = { key: `${resource.name} ${workspaceId}`, merge }
  const statement: RecordStatement = { ...renderRecord(plan), plan, batch, createReader }
  const found = await runQuery(statement, { caller, workspaceId, table: plan.table.name })
  return found.get(id)
}

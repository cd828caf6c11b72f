import type { Caller, FoundRows, Row, RunQuery, Statement } from '../database/statement.js'
import { RowFault } from '../errors.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { readIdentifier } from '../values/identifier.js'
import { renderRecord, renderRecords } from './record.js'
import type { RecordPlan } from './record.js'

/** A request for one record. */
export interface ItemRequest {
  /** The name of the collection: its records of one workspace are read together while they wait. */
  readonly collection: string
  readonly workspaceId: string
  readonly id: string
  readonly plan: RecordPlan
  readonly caller?: Caller | undefined
}

interface RecordStatement extends Statement {
  readonly plan: RecordPlan
}

/** Reads the rows of one record; undefined where the workspace has none. @throws Problem */
export async function readItem(
  runQuery: RunQuery,
  { collection, workspaceId, id, plan, caller }: ItemRequest,
): Promise<FoundRows | undefined> {
  const batch = { key: `${collection} ${workspaceId}`, merge: mergeRecords }
  const statement: RecordStatement = { ...renderRecord(plan), plan, batch }
  const rows = await runQuery(statement, { caller, workspaceId, table: plan.table.name })
  return findById(rows, plan.table).get(id)
}

function mergeRecords([first, ...others]: readonly [RecordStatement, ...RecordStatement[]]): Statement {
  return renderRecords([first.plan, ...others.map(({ plan }) => plan)])
}

const rowsById = new WeakMap<readonly Row[], ReadonlyMap<string, FoundRows>>()

/**
 * Rows by the id as it is shown, so that the comparison is exact whatever the collation of the column. All records that
 * were read by one statement have the same rows.
 */
function findById(rows: readonly Row[], table: ResolvedTable): ReadonlyMap<string, FoundRows> {
  const known = rowsById.get(rows)
  if (known !== undefined) return known
  const found = new Map<string, FoundRows>()
  for (const row of rows) {
    const id = readId(row, table)
    if (id === undefined) continue
    const [first, ...others] = found.get(id) ?? [row]
    found.set(id, found.has(id) ? [first, ...others, row] : [row])
  }
  if (rows.length > 1) rowsById.set(rows, found)
  return found
}

/** Undefined where it cannot be shown: then it is not the id that anybody asked for. */
function readId(row: Row, table: ResolvedTable): string | undefined {
  try {
    return readIdentifier(row['id'], table.id.identifier)
  } catch (error) {
    if (error instanceof RowFault) return undefined
    throw error
  }
}

import { combineCallers } from '../database/statement.js'
import type { Caller, Row, RunQuery } from '../database/statement.js'
import { Problem } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import { joinedSizeMax, renderItem, renderItems } from './item-sql.js'
import type { ItemPlan } from './item-sql.js'
import { createWorkspaceGroups } from './workspace-groups.js'

/** One record that is asked for. */
export interface Wanted {
  readonly workspaceId: string
  readonly id: string
  readonly plan: ItemPlan
  readonly caller?: Caller | undefined
}

/** The row of one record, or undefined where the workspace has none. @throws Problem */
export type ReadItem = (wanted: Wanted) => Promise<Row | undefined>

interface JoinInput {
  readonly runQuery: RunQuery
  /** Where requests are traced: keeps the statement of one that waits within what traces it. */
  readonly bindQuery: ((runQuery: RunQuery) => RunQuery) | undefined
  /** Requests that may wait to be joined; beyond it they are refused. */
  readonly waitingMax: number
  /** Makes the error of one too many, and of one whose caller is gone. */
  readonly refuse: () => Error
}

/** How long a statement under way keeps others back at most, in milliseconds: it may wait for a lock. */
const patienceMs = 20

interface Waiting extends Wanted {
  readonly runQuery: RunQuery
  readonly resolve: (row: Row | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads single records of a collection, and while a statement is under way joins those that are asked for
 * meanwhile, of one workspace, into the next. What is joined has not been sent, so nobody sees data older than
 * the own request; a lone request goes out at once.
 */
export function createItemReader({ runQuery, bindQuery, waitingMax, refuse }: JoinInput): ReadItem {
  const groups = createWorkspaceGroups<Waiting>(waitingMax, refuse)
  /** The statement under way that keeps others back. */
  let flight: object | undefined
  let patience: NodeJS.Timeout | undefined

  const launch = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    const own = {}
    flight = own
    if (groups.count() > 0) beginToWait()
    try {
      return await read()
    } finally {
      land(own)
    }
  }

  const land = (landed: object | undefined): void => {
    if (flight !== landed) return
    flight = undefined
    clearTimeout(patience)
    patience = undefined
    const batch = groups.take(joinedSizeMax)
    if (batch.length > 0) void launch(() => answer(batch))
  }

  /** Only where somebody waits, so that a lone request pays for no timer. */
  const beginToWait = (): void => {
    patience ??= setTimeout(land, patienceMs, flight)
  }

  return async (wanted) => {
    if (flight === undefined) return launch(() => readOne(wanted, runQuery))
    return new Promise((resolve, reject) => {
      const { workspaceId, id, plan, caller } = wanted
      // Each by its name: of a spread V8 makes a new kind of object for every request.
      groups.add({
        workspaceId,
        id,
        plan,
        caller,
        runQuery: bindQuery?.(runQuery) ?? runQuery,
        resolve,
        reject,
      })
      beginToWait()
    })
  }
}

async function readOne({ workspaceId, plan, caller }: Wanted, runQuery: RunQuery): Promise<Row | undefined> {
  const [row] = await runQuery(renderItem(plan), { caller, workspaceId, table: plan.table.name })
  return row
}

/** Never throws: whatever goes wrong is told to those who wait. */
async function answer(batch: readonly Waiting[]): Promise<void> {
  const [first] = batch
  if (first === undefined) return
  if (batch.length === 1) {
    await settle(first)
    return
  }
  try {
    const statement = renderItems(batch.map(({ plan }) => plan))
    const { workspaceId, plan } = first
    const caller = combineCallers(batch.map((one) => one.caller))
    const rows = indexRows(
      await first.runQuery(statement, { caller, workspaceId, table: plan.table.name }),
      plan,
    )
    for (const { id, resolve } of batch) resolve(rows.get(id))
  } catch (error) {
    if (error instanceof Problem) for (const { reject } of batch) reject(error)
    // One caller's id may be what the server cannot take; the others must not suffer for it.
    else await Promise.all(batch.map((one) => settle(one)))
  }
}

async function settle(one: Waiting): Promise<void> {
  try {
    one.resolve(await readOne(one, one.runQuery))
  } catch (error) {
    one.reject(error)
  }
}

/** Rows by the id as it is shown, which is what makes the comparison exact whatever the column's collation. */
function indexRows(rows: readonly Row[], { table: source }: ItemPlan): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [readIdentifier(row['id'], source.id.identifier), row]))
}

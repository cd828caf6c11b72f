import type { Row, RunQuery } from '../db/statement.js'
import { Problem } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import { joinedSizeMax, renderItem, renderItems } from './item-sql.js'
import type { ItemPlan } from './item-sql.js'

/** The row of one record, or undefined where the workspace has none. @throws Problem */
export type ReadItem = (workspaceId: string, id: string, plan: ItemPlan) => Promise<Row | undefined>

interface JoinInput {
  readonly runQuery: RunQuery
  /** Requests that may wait to be joined; beyond it they are refused. */
  readonly waitingMax: number
  /** Makes the error of one too many. */
  readonly refuse: () => Error
}

/** How long a statement under way keeps others back at most, in milliseconds: it may wait for a lock. */
const patienceMs = 20

interface Waiting {
  readonly id: string
  readonly plan: ItemPlan
  readonly resolve: (row: Row | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads single records of a collection, and while a statement is under way joins those that are asked for
 * meanwhile, of one workspace, into the next. What is joined has not been sent, so nobody sees data older than
 * the own request; a lone request goes out at once.
 */
export function createItemReader({ runQuery, waitingMax, refuse }: JoinInput): ReadItem {
  const groups = new Map<string, Waiting[]>()
  let waiting = 0
  /** The statement under way that keeps others back. */
  let flight: object | undefined
  let patience: NodeJS.Timeout | undefined

  const launch = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    const own = {}
    flight = own
    if (waiting > 0) beginToWait()
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
    next()
  }

  /** Only where somebody waits, so that a lone request pays for no timer. */
  const beginToWait = (): void => {
    patience ??= setTimeout(land, patienceMs, flight)
  }

  const next = (): void => {
    const [group] = groups
    if (group === undefined) return
    const [workspaceId, line] = group
    const batch = line.splice(0, joinedSizeMax)
    waiting -= batch.length
    // The rest of a workspace goes to the end, so that a busy one does not hold up the others.
    groups.delete(workspaceId)
    if (line.length > 0) groups.set(workspaceId, line)
    void launch(() => answer(batch, runQuery))
  }

  return async (workspaceId, id, plan) => {
    if (flight === undefined) return launch(() => readOne(plan, runQuery))
    if (waiting >= waitingMax) throw refuse()
    waiting += 1
    beginToWait()
    return new Promise((resolve, reject) => {
      const one = { id, plan, resolve, reject }
      const line = groups.get(workspaceId)
      if (line === undefined) groups.set(workspaceId, [one])
      else line.push(one)
    })
  }
}

async function readOne(plan: ItemPlan, runQuery: RunQuery): Promise<Row | undefined> {
  const [row] = await runQuery(renderItem(plan))
  return row
}

/** Never throws: whatever goes wrong is told to those who wait. */
async function answer(batch: readonly Waiting[], runQuery: RunQuery): Promise<void> {
  const [first] = batch
  if (first === undefined) return
  if (batch.length === 1) {
    await settle(first, runQuery)
    return
  }
  try {
    const rows = indexRows(await runQuery(renderItems(batch.map(({ plan }) => plan))), first.plan)
    for (const { id, resolve } of batch) resolve(rows.get(id))
  } catch (error) {
    if (error instanceof Problem) for (const { reject } of batch) reject(error)
    // One caller's id may be what the server cannot take; the others must not suffer for it.
    else await Promise.all(batch.map((one) => settle(one, runQuery)))
  }
}

async function settle({ plan, resolve, reject }: Waiting, runQuery: RunQuery): Promise<void> {
  try {
    resolve(await readOne(plan, runQuery))
  } catch (error) {
    reject(error)
  }
}

/** Rows by the id as it is shown, which is what makes the comparison exact whatever the column's collation. */
function indexRows(rows: readonly Row[], { source }: ItemPlan): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [readIdentifier(row['id'], source.id.identifier), row]))
}

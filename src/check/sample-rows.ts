import type { ResolvedResource } from '../resources/collection.js'
import { isAccessDenied } from '../database/driver-errors.js'
import type { Row, RunQuery } from '../database/statement.js'
import { Problem } from '../errors.js'
import { bindIdentifier } from '../query/list-plan.js'
import { readIdentifier } from '../values/identifier.js'
import { renderLatest, renderNewestIds } from './sample-sql.js'

/** Recent rows of a collection, of all workspaces. */
export interface Sample {
  readonly collection: ResolvedResource
  /** Those that changed last come first. */
  readonly rows: readonly Row[]
  /** Why there are none, where the database refused them or did not give them in time. */
  readonly failure: string | null
}

/** Rows of the whole sample, workspaces that are looked into, and rows of each. */
const sizes = { rows: 1000, workspaces: 20, ofWorkspace: 100 } as const

/**
 * A sample of recent rows, by indexes alone: the newest ids, then what changed last in the workspaces that those
 * belong to. Sorting a whole production table by its time of change would be no kindness.
 */
export async function sampleRows(collection: ResolvedResource, runQuery: RunQuery): Promise<Sample> {
  const { table: source } = collection
  try {
    const newest = await runQuery(renderNewestIds(source, sizes.rows))
    const found = new Map(newest.map((row) => [toKey(row), row]))
    for (const workspace of listWorkspaces(collection, newest).slice(0, sizes.workspaces)) {
      const bound = bindIdentifier(source.workspace, workspace)
      if (bound === undefined) continue
      for (const row of await runQuery(renderLatest(source, bound, sizes.ofWorkspace)))
        found.set(toKey(row), row)
    }
    const rows = [...found.values()].sort((a, b) => compareTexts(toTimeText(b), toTimeText(a)))
    return { collection, rows: rows.slice(0, sizes.rows), failure: null }
  } catch (error) {
    if (!(error instanceof Problem) && !isAccessDenied(error)) throw error
    const cause = error instanceof Problem ? (error.cause ?? error) : error
    return { collection, rows: [], failure: cause instanceof Error ? cause.message : String(cause) }
  }
}

function listWorkspaces({ table: source }: ResolvedResource, rows: readonly Row[]): readonly string[] {
  const texts = rows.flatMap((row) => {
    try {
      return [readIdentifier(row['workspace'], source.workspace.identifier)]
    } catch {
      return []
    }
  })
  return [...new Set(texts)]
}

function toKey(row: Row): string {
  return JSON.stringify([row['workspace'], row['id']])
}

/** As the database wrote it, which sorts by time within one column. */
function toTimeText(row: Row): string {
  return typeof row['updatedAt'] === 'string' ? row['updatedAt'] : ''
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

import type { Finding } from '../audit/finding.js'
import { isAccessDenied } from '../database/errors.js'
import type { Row, RunQuery } from '../database/statement.js'
import { Problem, RowFault } from '../errors.js'
import { bindWorkspace } from '../query/list-plan.js'
import type { ResolvedResource } from '../resources/resource.js'
import { readIdentifier } from '../values/identifier.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'
import { renderLatest, renderNewestIds } from './sample-sql.js'

/** Recent rows of a collection, of all workspaces. */
export interface Sample {
  readonly collection: ResolvedResource
  /** Last changed first. */
  readonly rows: readonly Row[]
  /** Why there are none, where the database denied them or did not answer in time. */
  readonly failure: string | null
}

/** Rows of a sample, the number of workspaces that it reads the last changes of, and the rows for each of these. */
const sizes = { rows: 1000, workspaces: 20, ofWorkspace: 100 } as const

/**
 * Reads recent rows by indexes only: the greatest ids, then the last changes in the workspaces of these rows. To sort a
 * whole table by its time of change would be expensive for a production server.
 */
export async function readSample(collection: ResolvedResource, runQuery: RunQuery): Promise<Sample> {
  const { table } = collection
  const toKey = (row: Row): string => JSON.stringify([row['workspace'], row['id']])
  try {
    const newest = await runQuery(renderNewestIds(table, sizes.rows))
    const found = new Map(newest.map((row) => [toKey(row), row]))
    for (const workspace of listWorkspaces(collection, newest).slice(0, sizes.workspaces)) {
      const value = bindWorkspace(table, workspace)
      if (value === undefined) continue
      for (const row of await runQuery(renderLatest(table, value, sizes.ofWorkspace)))
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

function listWorkspaces({ table }: ResolvedResource, rows: readonly Row[]): readonly string[] {
  const texts = rows.flatMap((row) => {
    try {
      return [
        'constant' in table.workspace
          ? table.workspace.constant
          : readIdentifier(row['workspace'], table.workspace.identifier),
      ]
    } catch {
      return []
    }
  })
  return [...new Set(texts)]
}

/** The text of the database, which sorts by time within a column. */
function toTimeText(row: Row): string {
  return typeof row['updatedAt'] === 'string' ? row['updatedAt'] : ''
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Converts the rows of the samples: how many are invalid, and why. No row is named, and no value is shown.
 *
 * @param units the findings of `checkMinorUnits`.
 */
export function checkSample(samples: readonly Sample[], units: readonly Finding[]): CheckSection {
  const evaluated = samples.map((sample) => ({ ...sample, reasons: countReasons(sample) }))
  return {
    id: 'sample',
    title: 'A sample of real rows',
    intro:
      'Recent rows of every workspace, converted by the code that answers requests. With invalidRows: skip, a row that cannot be shown correctly is left out of lists, logged and counted; with fail, the request fails.',
    tables: [
      toTable(
        'samples',
        {
          collection: 'Collection',
          rows: 'Rows',
          shown: 'Shown',
          refused: 'Cannot be shown',
          mode: 'invalidRows',
        },
        evaluated.map(({ collection, rows, reasons }) => {
          const invalid = [...reasons.values()].reduce((sum, count) => sum + count, 0)
          return {
            collection: collection.name,
            rows: rows.length,
            shown: rows.length - invalid,
            refused: invalid,
            mode: collection.invalidRows,
          }
        }),
      ),
      toTable(
        'reasons',
        { collection: 'Collection', reason: 'Reason', rows: 'Rows' },
        evaluated.flatMap(({ collection, reasons }) =>
          [...reasons].map(([reason, rows]) => ({ collection: collection.name, reason, rows })),
        ),
      ),
    ],
    notes: samples.flatMap(({ collection, rows, failure }) =>
      rows.length === 0 && failure === null ? [`The table has no ${collection.name}.`] : [],
    ),
    findings: [...evaluated.flatMap(listFindings), ...units],
  }
}

function countReasons({ collection, rows }: Sample): ReadonlyMap<string, number> {
  const reasons = new Map<string, number>()
  for (const row of rows) {
    try {
      collection.toView(row)
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      reasons.set(error.message, (reasons.get(error.message) ?? 0) + 1)
    }
  }
  return reasons
}

interface EvaluatedSample extends Sample {
  /** Rows that are invalid, by reason. */
  readonly reasons: ReadonlyMap<string, number>
}

function listFindings({ collection, failure, reasons }: EvaluatedSample): readonly Finding[] {
  const about = { object: collection.table.name, privilege: null }
  const failures: readonly Finding[] =
    failure === null
      ? []
      : [
          {
            ...about,
            severity: 'warning',
            problem: `the sample could not be read: ${failure}`,
            fix: 'remove the reason; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS',
          },
        ]
  const invalid = [...reasons].map(([reason, rows]): Finding => ({
    ...about,
    // Under `fail`, callers cannot read the page of such a row.
    severity: collection.invalidRows === 'fail' ? 'error' : 'warning',
    problem: `${rows} rows of the sample cannot be shown: ${reason}`,
    fix: 'correct the rows, or the mapping if it does not say what they mean',
  }))
  return [...failures, ...invalid]
}

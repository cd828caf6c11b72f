import type { Finding } from '../audit/finding.js'
import { RowFault } from '../errors.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'
import type { Sample } from './sample-rows.js'

/**
 * Recent rows through the mappers: how many cannot be shown, and why; never which, and nothing that they hold.
 *
 * @param units what `checkMinorUnits` found.
 */
export function checkSample(samples: readonly Sample[], units: readonly Finding[]): CheckSection {
  const judged = samples.map((sample) => ({ sample, reasons: countReasons(sample) }))
  return {
    id: 'sample',
    title: 'A sample of real rows',
    intro:
      'Recent rows of every workspace, put through the same code that answers requests. A row that cannot be shown truthfully is left out of lists, logged and counted, or fails the request, as invalidRows says.',
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
        judged.map(({ sample, reasons }) => {
          const refused = [...reasons.values()].reduce((sum, count) => sum + count, 0)
          return {
            collection: sample.collection.name,
            rows: sample.rows.length,
            shown: sample.rows.length - refused,
            refused,
            mode: sample.collection.invalidRows,
          }
        }),
      ),
      toTable(
        'reasons',
        { collection: 'Collection', reason: 'Reason', rows: 'Rows' },
        judged.flatMap(({ sample, reasons }) =>
          [...reasons].map(([reason, rows]) => ({ collection: sample.collection.name, reason, rows })),
        ),
      ),
    ],
    notes: samples.flatMap(({ collection, rows, failure }) =>
      rows.length === 0 && failure === null ? [`There are no ${collection.name} to look at.`] : [],
    ),
    findings: [
      ...judged.flatMap(({ sample, reasons }) => [...listFailures(sample), ...listFaults(sample, reasons)]),
      ...units,
    ],
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

function listFailures({ collection, failure }: Sample): readonly Finding[] {
  if (failure === null) return []
  return [
    {
      severity: 'warning',
      object: collection.table.name,
      privilege: null,
      problem: `no sample could be had: ${failure}`,
      fix: 'fix what the reason says; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS',
    },
  ]
}

/** Under `fail` one such row takes a whole page away from callers, so there it is an error. */
function listFaults({ collection }: Sample, reasons: ReadonlyMap<string, number>): readonly Finding[] {
  return [...reasons].map(([reason, rows]) => ({
    severity: collection.invalidRows === 'fail' ? 'error' : 'warning',
    object: collection.table.name,
    privilege: null,
    problem: `${rows} of the sample's rows cannot be shown: ${reason}`,
    fix: 'correct the rows, or the mapping where it does not say what they mean',
  }))
}

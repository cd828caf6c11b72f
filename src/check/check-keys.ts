import type { RunQuery } from '../database/statement.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import type { Finding } from '../report/report.js'
import { warnOfSome } from './failure.js'
import { renderZeroDates } from './sample-sql.js'

/** A warning for each time of the key table that has zero dates, which count as NULL. */
export async function checkKeys(keys: ResolvedKeyTable, runQuery: RunQuery): Promise<readonly Finding[]> {
  const meanings = { expiresAt: 'they never expire', revokedAt: 'they are not revoked' } as const
  const findings: Finding[] = []
  for (const name of ['expiresAt', 'revokedAt'] as const) {
    const column = keys[name]?.column
    const statement = column && renderZeroDates(keys.table, column)
    if (column === undefined || statement === undefined) continue
    const counted = {
      object: `${keys.table}.${column.name}`,
      what: 'zero dates',
      statement,
      describe: (count: number) => `${count} keys have a zero date, which counts as NULL: ${meanings[name]}`,
      fix: 'store the time that is meant, or NULL',
    }
    findings.push(...(await warnOfSome(counted, runQuery)))
  }
  return findings
}

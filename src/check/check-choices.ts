import { createWarning } from '../audit/finding.js'
import type { Finding } from '../audit/finding.js'
import type { RunQuery } from '../database/statement.js'
import { listChain } from '../query/lookups.js'
import type { ResolvedResource } from '../resources/resource.js'
import type { FoundColumn, Lookup, ResolvedTable } from '../resources/resolved-table.js'
import { renderSeveralRows } from './groups-sql.js'
import { createFailure, describeFailure } from './report.js'

/** A warning for each lookup with `where` that leaves several rows for a key: the one with the lowest primary key counts. */
export async function checkChoices(
  { table }: Pick<ResolvedResource, 'table'>,
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const lookup of listChoices(table)) findings.push(...(await countSeveral(lookup, runQuery)))
  return findings
}

/** The lookups that choose, each once. */
function listChoices({ where, archived, workspace, eventId, projection }: ResolvedTable): readonly Lookup[] {
  const columns: readonly (FoundColumn | undefined)[] = [
    ...where,
    ...archived,
    'constant' in workspace ? undefined : workspace,
    eventId === undefined || 'event' in eventId ? undefined : eventId,
    ...projection.map((one) => ('cases' in one ? undefined : one)),
  ]
  const choices = columns
    .flatMap((found) => listChain(found?.lookup))
    .filter(({ choice }) => choice !== undefined)
  return [
    ...new Map(choices.map((one) => [JSON.stringify([one.table, one.key.name, one.choice]), one])).values(),
  ]
}

async function countSeveral(lookup: Lookup, runQuery: RunQuery): Promise<readonly Finding[]> {
  const object = `${lookup.table}.${lookup.key.name}`
  try {
    const [row] = await runQuery(renderSeveralRows(lookup))
    const count = Number(row?.['keys'] ?? 0)
    if (count === 0) return []
    const problem = `${count} of its values have several rows that pass the where of the lookup: the one with the lowest primary key counts`
    const fix = 'add a test to the where of the lookup that leaves one row, if another row should count'
    return [createWarning(object, problem, fix)]
  } catch (error) {
    const problem = `the values with several rows could not be counted: ${describeFailure(error)}`
    return [createFailure(object, problem)]
  }
}

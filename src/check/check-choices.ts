import type { Finding } from '../audit/finding.js'
import type { RunQuery } from '../database/statement.js'
import { Problem } from '../errors.js'
import { listChain } from '../query/lookup-sql.js'
import type { ResolvedResource } from '../resources/resource.js'
import type { FoundColumn, Lookup, ResolvedTable } from '../resources/resolved-table.js'
import { renderSeveral } from './groups-sql.js'

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
  const { table, key } = lookup
  const warn = (problem: string, fix: string): readonly Finding[] => [
    { severity: 'warning', object: `${table}.${key.name}`, privilege: null, problem, fix },
  ]
  try {
    const [row] = await runQuery(renderSeveral(lookup))
    const count = Number(row?.['keys'] ?? 0)
    if (count === 0) return []
    return warn(
      `${count} of its values have several rows that pass the where of the lookup: the one with the lowest primary key counts`,
      'add a test to the where of the lookup that leaves one row, if another row should count',
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    return warn(
      `the values with several rows could not be counted: ${reason}`,
      'remove the reason; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS',
    )
  }
}

import { isEnumerated } from '../database/column.js'
import type { RunQuery } from '../database/statement.js'
import { listChain } from '../query/lookups.js'
import type { ResolvedResource } from '../resources/resource.js'
import { listEventColumns, listProjectedColumns } from '../resources/resolved-table.js'
import type { FoundColumn, Lookup, ResolvedTable } from '../resources/resolved-table.js'
import { renderSeveralRows } from './groups-sql.js'
import type { Finding } from '../report/report.js'
import { warnOfSome } from './failure.js'

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
    ...listEventColumns(eventId),
    ...listProjectedColumns(projection),
  ]
  const choices = columns
    .flatMap((found) => listChain(found?.lookup))
    .filter(({ choice }) => choice !== undefined && choice.order.length > 0)
  return [
    ...new Map(choices.map((one) => [JSON.stringify([one.table, one.key.name, one.choice]), one])).values(),
  ]
}

function countSeveral(lookup: Lookup, runQuery: RunQuery): Promise<readonly Finding[]> {
  const counted = {
    object: `${lookup.table}.${lookup.key.name}`,
    what: 'the values with several rows',
    statement: renderSeveralRows(lookup),
    describe: (count: number) =>
      `${count} of its values have several rows that pass the where of the lookup: the one with the lowest primary key counts${describeOrder(lookup)}`,
    fix: 'add a test to the where of the lookup that leaves one row, if another row should count',
  }
  return warnOfSome(counted, runQuery)
}

function describeOrder({ choice }: Lookup): string {
  const enumerated = (choice?.order ?? []).filter(isEnumerated).map(({ name }) => name)
  return enumerated.length === 0
    ? ''
    : `, and ${enumerated.join(', ')} is an ENUM or SET, whose labels are in the order of their definition`
}

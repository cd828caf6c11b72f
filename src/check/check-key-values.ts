import type { RunQuery } from '../database/statement.js'
import type { ResolvedResource } from '../resources/resource.js'
import { listRecordColumns } from '../resources/resolved-table.js'
import type { FoundColumn } from '../resources/resolved-table.js'
import { createWarning } from '../report/report.js'
import type { Finding } from '../report/report.js'
import { createFailure, describeFailure } from './failure.js'
import { renderOtherKeys } from './groups-sql.js'
import type { KeyedValues } from './groups-sql.js'

/** Keys that are named. */
const shownMax = 10

/** A warning for each column of a key-value table: the database user can read the values of its other keys too. */
export async function checkKeyValues(
  resources: readonly ResolvedResource[],
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const values of listKeyedValues(resources)) findings.push(...(await findOthers(values, runQuery)))
  return findings
}

/** The columns that lookups read of the rows with some words, each once with all its words. */
function listKeyedValues(resources: readonly ResolvedResource[]): readonly KeyedValues[] {
  const found = new Map<string, KeyedValues>()
  const columns = resources.flatMap(({ table }) => listRecordColumns(table))
  for (const values of columns.flatMap(toKeyedValues)) {
    const name = JSON.stringify([values.table, values.value, values.key.column.name])
    const known = found.get(name)?.words ?? []
    found.set(name, { ...values, words: [...new Set([...known, ...values.words])] })
  }
  return [...found.values()]
}

function toKeyedValues({ column, lookup }: FoundColumn): readonly KeyedValues[] {
  // Without a value, only the row itself is tested.
  if (lookup?.choice === undefined || column.name === lookup.key.name) return []
  if (column.kind !== 'text' && column.kind !== 'json') return []
  const { table } = lookup
  const { order } = lookup.choice
  return lookup.choice.tests.flatMap((key) =>
    typeof key.is === 'string' || key.isNegated === true || key.column.kind !== 'text'
      ? []
      : [{ table, value: column.name, key, order, words: key.is }],
  )
}

async function findOthers(values: KeyedValues, runQuery: RunQuery): Promise<readonly Finding[]> {
  const object = `${values.table}.${values.value}`
  try {
    const rows = await runQuery(renderOtherKeys(values, shownMax + 1))
    if (rows.length === 0) return []
    const shown = rows.slice(0, shownMax).map((row) => String(row['value']).slice(0, 64))
    const more = rows.length > shownMax ? ', and others' : ''
    const problem = `has the values of other keys too, all of which the database user can read: ${shown.join(', ')}${more}`
    const fix =
      'if one of them is a secret, map a view of the keys that are shown: docs/product-team.md, "Key-value tables"'
    return [createWarning(object, problem, fix)]
  } catch (error) {
    return [createFailure(object, `its other keys could not be read: ${describeFailure(error)}`)]
  }
}

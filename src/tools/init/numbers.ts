import type { DescribedTable } from '../description.js'
import type { Candidate } from './candidate.js'
import type { Search } from './columns.js'
import { findKind } from './forbidden.js'
import { listIds } from './ids.js'
import { toSubstitute } from './times.js'

/** What the values of a number are worth without a name. */
const numberedPoints = 7

/** Texts of which each row has another that ends like a number, and the id, where nothing looks like one. */
export async function listNumbers(
  { content, graph }: Search,
  table: DescribedTable,
): Promise<readonly Candidate[]> {
  const filled = await content.readFilled(table)
  const keys = [...table.primary, ...graph.listParents(table).map(({ column }) => column.name)]
  const counted = table.columns.filter((column) => {
    const { rows = 0, filled: all = 0, differing, numbered } = filled.get(column.name) ?? {}
    const isNumber = all > 1 && all >= rows / 2 && differing === all && numbered === all
    return isNumber && !keys.includes(column.name) && findKind(table, column) === undefined
  })
  const found = counted.map(({ name }): Candidate => ({
    value: name,
    label: name,
    evidence: [[numberedPoints, 'each row has another value, which ends with a number']],
    verify: 'is it the number that is printed on the invoice?',
  }))
  return [...found, ...listIdNumbers(table)]
}

function listIdNumbers(table: DescribedTable): readonly Candidate[] {
  return listIds(table)
    .slice(0, 1)
    .map((id) => ({
      ...id,
      evidence: toSubstitute(id, 3, 'no column looks like a number'),
      verify: 'is the id the number that is printed on the invoice?',
    }))
}

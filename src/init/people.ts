import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { findColumns, listCandidates, toCandidate } from './column-rule.js'
import type { Search } from './column-rule.js'
import type { DescribedTable } from './description.js'
import { rules } from './rules.js'
import { personWords } from './vocabulary.js'
import { listWays, toOwnWay } from './ways.js'
import type { Way } from './ways.js'
import { toNoun, toSnake } from './words.js'

/** What the way to a person is worth. */
const weights = { step: -3, second: -2, unknown: -1.5, staff: -6, nullable: -0.5 } as const

const staffColumn =
  /creat|updat|modif|delet|check|by$|by_|owner|assign|staff|author|sales|user_valid|closing|recommend|referr|parent|guardian|teacher|organi[sz]er|host|cruser|transferred/

/** A way to a table of people, or of orders that name one; undefined for any other. */
export function weighPerson({ steps, table }: Way): Evidence | undefined {
  const word = personWords[toNoun(table.name)]
  const hasName = findColumns(table, rules.fullName).length + findColumns(table, rules.lastName).length > 0
  // A table with an address and a name is one of people, whatever it is called.
  if (word === undefined && !(hasName && findColumns(table, rules.email).length > 0)) return undefined
  const isStaff = steps.some(({ column }) => staffColumn.test(toSnake(column.name)))
  const points =
    (word ?? weights.unknown) +
    weights.step +
    (steps.length > 1 ? weights.second : 0) +
    (isStaff ? weights.staff : 0) +
    (steps.some(({ column }) => column.nullable) ? weights.nullable : 0)
  return { points, reason: isStaff ? `${table.name} are staff here` : `${table.name} are people` }
}

/** The e-mail address of the person: in the row, or in the table of people that it leads to. */
export function listEmails(search: Search, table: DescribedTable): Promise<readonly Candidate[]> {
  return listCandidates(search, table, rules.email, { weighWay: weighPerson })
}

/** The name of the person: one column, or first and last name. */
export async function listNames(search: Search, table: DescribedTable): Promise<readonly Candidate[]> {
  const single = await listCandidates(search, table, rules.fullName, { weighWay: weighPerson })
  const ways = [toOwnWay(table), ...listWays(table, search.listParents)]
  const pairs = ways.flatMap((way) => {
    const onWay = way.steps.length === 0 ? undefined : weighPerson(way)
    if (way.steps.length > 0 && onWay === undefined) return []
    return listPairs(way, onWay === undefined ? [] : [onWay])
  })
  // Among columns that only fit by their type, no name is to be found.
  return rankCandidates([...pairs, ...single.filter((one) => pairs.length === 0 || countPoints(one) >= 1)])
}

function listPairs(way: Way, onWay: readonly Evidence[]): readonly Candidate[] {
  const [first] = findColumns(way.table, rules.firstName)
  const last = findColumns(way.table, rules.lastName).find(({ column }) => column !== first?.column)
  if (first === undefined || last === undefined) return []
  const points = (countPoints(first) + countPoints(last)) / 2 - 0.5
  const reading = { columns: [first.column.name, last.column.name], separator: ' ' }
  return [toCandidate(way, { reading, evidence: [] }, [...onWay, { points, reason: 'first and last name' }])]
}

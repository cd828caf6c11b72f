import type { DescribedTable } from '../description.js'
import { countPoints } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { findColumns, hasColumn, toCandidate } from './columns.js'
import { weighEventTable } from './events.js'
import type { Graph, Way } from './graph.js'
import { nouns, patterns } from './names.js'
import { toNoun, toSnake } from './words.js'

/** What the steps of the way to a person are worth: an alias of a person is nearer than the person of an order. */
const stepPoints = [0, -3, -5] as const

/** A table with so many is one of events: who has made an event is no guest of it. */
const eventPoints = 5

/** Whether a table has the name of a person, in one column or two. */
export function hasPersonName(table: DescribedTable): boolean {
  return hasColumn(table, 'fullName') || hasColumn(table, 'lastName')
}

/** Whether the rows of a table are people: it has an address and a name, whatever it is called. */
export function isOfPeople(table: DescribedTable): boolean {
  return hasPersonName(table) && hasColumn(table, 'email')
}

/**
 * A way to a table of people, or of orders that name one; undefined for any other, for members of staff, and for people of
 * the event.
 */
export function weighPerson({ steps, table, of = table }: Way): Evidence | undefined {
  const [first] = steps
  if (first !== undefined && countPoints({ evidence: weighEventTable(first.parent) }) >= eventPoints)
    return undefined
  const word = nouns.person.get(toNoun(of.name)) ?? (isOfPeople(of) ? 0 : undefined)
  const isStaff = steps.some(({ column }) => patterns.staff.test(toSnake(column.name)))
  return word === undefined || isStaff
    ? undefined
    : [word + (stepPoints[steps.length] ?? 0), `${of.name} are people`]
}

/** Whether a way leads to the person of a row, and to no order, user or member of staff. */
export function isAttendee(way: Way): boolean {
  const [points] = weighPerson(way) ?? [-100]
  return points >= 0 && hasPersonName(way.table)
}

/** First and last name, in the row or in the table of people that it leads to. */
export function listNamePairs(graph: Graph, table: DescribedTable): readonly Candidate[] {
  return graph.listWays(table).flatMap((way): readonly Candidate[] => {
    const onWay = way.steps.length === 0 ? [] : [weighPerson(way)]
    const [first] = findColumns(way.table, 'firstName')
    const last = findColumns(way.table, 'lastName').find(({ column }) => column !== first?.column)
    if (onWay.includes(undefined) || first === undefined || last === undefined) return []
    const points = (countPoints(first) + countPoints(last)) / 2
    const reading = { columns: [first.column.name, last.column.name], separator: ' ' }
    const evidence = onWay.filter((one) => one !== undefined)
    return [toCandidate(way, { reading }, [...evidence, [points, 'first and last name']])]
  })
}

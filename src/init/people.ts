import { countPoints } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { findColumns, isFlag, toCandidate } from './column-rule.js'
import type { Search } from './column-rule.js'
import type { DescribedTable, Description } from '../database/description.js'
import { rules } from './rules.js'
import { personWords } from './vocabulary.js'
import { listWays } from './ways.js'
import type { Way } from './ways.js'
import { toNoun, toSnake } from './words.js'

/** What each step of the way to a person is worth. */
const stepPoints = -3

const staffColumn =
  /creat|updat|modif|delet|check|by$|by_|owner|assign|staff|author|sales|user_valid|closing|recommend|referr|parent|guardian|teacher|organi[sz]er|host|cruser|transferred/

/** Whether a table has the name of a person, in one column or two. */
export function hasPersonName(table: DescribedTable): boolean {
  return [rules.fullName, rules.lastName].some((rule) => findColumns(table, rule).length > 0)
}

/** A way to a table of people, or of orders that name one; undefined for any other, and for members of staff. */
export function weighPerson({ steps, table }: Way): Evidence | undefined {
  // A table with an address and a name is one of people, whatever it is called.
  const isOfPeople = hasPersonName(table) && findColumns(table, rules.email).length > 0
  const word = personWords[toNoun(table.name)] ?? (isOfPeople ? 0 : undefined)
  const isStaff = steps.some(({ column }) => staffColumn.test(toSnake(column.name)))
  return word === undefined || isStaff
    ? undefined
    : [word + steps.length * stepPoints, `${table.name} are people`]
}

/** Whether a way leads to the person of a row, and to no order, user or member of staff. */
export function isAttendee(way: Way): boolean {
  const [points] = weighPerson(way) ?? [-100]
  return points >= 0 && hasPersonName(way.table)
}

/** First and last name, in the row or in the table of people that it leads to. */
export function listNamePairs({ listParents }: Search, table: DescribedTable): readonly Candidate[] {
  return listWays(table, listParents).flatMap((way): readonly Candidate[] => {
    const onWay = way.steps.length === 0 ? [] : [weighPerson(way)]
    const [first] = findColumns(way.table, rules.firstName)
    const last = findColumns(way.table, rules.lastName).find(({ column }) => column !== first?.column)
    if (onWay.includes(undefined) || first === undefined || last === undefined) return []
    const points = (countPoints(first) + countPoints(last)) / 2 - 0.5
    const reading = { columns: [first.column.name, last.column.name], separator: ' ' }
    const evidence = onWay.filter((one) => one !== undefined)
    return [toCandidate(way, { reading }, [...evidence, [points, 'first and last name']])]
  })
}

/** The address of a person among several in a table of their own, by the flag that marks one of them. */
export function listMarkedAddresses(
  { listParents }: Search,
  table: DescribedTable,
  description: Description,
): readonly Candidate[] {
  const [, ...ways] = listWays(table, listParents)
  return ways.flatMap((way) => {
    const [step, ...more] = way.steps
    const onWay = weighPerson(way)
    if (step === undefined || more.length > 0 || onWay === undefined) return []
    return [...description.values()].flatMap((child): readonly Candidate[] => {
      const key = listParents(child).find(({ parent, key }) => parent === way.table && key === step.key)
      const flag = child.columns.find((column) => isFlag(column) && markNames.test(toSnake(column.name)))
      const [address] = findColumns(child, rules.email)
      if (child.isView || key === undefined || flag === undefined || address === undefined) return []
      const reading = { where: [{ column: flag.name, equals: 1 }], column: address.column.name }
      return [
        {
          value: { from: child.name, on: step.column.name, key: key.column.name, ...reading },
          label: `${child.name}.${address.column.name} where ${flag.name} is 1`,
          evidence: [onWay, ...address.evidence, [0, `${flag.name} marks one of several`]],
        },
      ]
    })
  })
}

const markNames = /^(?:is_)?(?:primary|main|default|preferred)$/

import { canFollow, describeReference, findByRule, listDirect, listLookups, toLookup } from './column-rule.js'
import { sortByScore } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import type { DescribedTable } from './description.js'
import type { FindReferences, Reference } from './references.js'
import { rules } from './rules.js'
import { listTimes } from './times.js'
import { personWords } from './vocabulary.js'
import { listTableWords, toSnake } from './words.js'

/** The e-mail address of the person: in the row, or in the table of people that it refers to. */
export function listEmails(table: DescribedTable, findReferences: FindReferences): readonly Candidate[] {
  return sortByScore([
    ...listDirect(table, rules.email),
    ...listLookups(table, rules.email, {
      findReferences: (one) => findReferences(one).filter(isPerson),
      weigh: weighPerson,
    }),
  ])
}

/** The name of the person: one column, or first and last name. */
export function listNames(table: DescribedTable, findReferences: FindReferences): readonly Candidate[] {
  const lookups = findReferences(table)
    .filter(isPerson)
    .flatMap((reference) =>
      listOwnNames(reference.target).map((candidate) => ({
        value: toNameLookup(reference, candidate.value),
        label: `${candidate.label} by ${reference.column.name}`,
        score: candidate.score + weighPerson(reference),
        reasons: [describeReference(reference), ...candidate.reasons],
      })),
    )
  return sortByScore([...listOwnNames(table), ...lookups])
}

/** Whether a reference leads to a table of people, or of orders that name one. */
function isPerson(reference: Reference): boolean {
  return canFollow(reference) && personWords[toNoun(reference)] !== undefined
}

function toNoun({ target }: Reference): string {
  return listTableWords(target.name).at(-1) ?? ''
}

function toNameLookup(reference: Reference, value: MappingValue): MappingValue {
  if (typeof value === 'string') return toLookup(reference, reference.column.name, { column: value })
  const { columns, separator } = value as { columns: readonly string[]; separator: string }
  return toLookup(reference, reference.column.name, { columns, separator })
}

function listOwnNames(table: DescribedTable): readonly Candidate[] {
  const [first] = findByRule(table, rules.firstName)
  const [last] = findByRule(table, rules.lastName)
  const pair: readonly Candidate[] =
    first === undefined || last === undefined
      ? []
      : [
          {
            value: { columns: [first.column.name, last.column.name], separator: ' ' },
            label: `${table.name}.${first.column.name} and ${last.column.name}`,
            score: (first.score + last.score) / 2 - 0.5,
            reasons: ['first and last name'],
          },
        ]
  return [...pair, ...listDirect(table, rules.fullName)]
}

/** Below a column of the row itself; an attendee before the customer who paid, and both before a user who typed it. */
function weighPerson(reference: Reference): number {
  const { column } = reference
  const points = personWords[toNoun(reference)] ?? 0
  const isStaff = /creat|updat|modif|delet|check|by$|by_|owner|assign|staff|author|sales/.test(
    toSnake(column.name),
  )
  return points - 6 - (isStaff ? 6 : 0) - (column.nullable ? 0.5 : 0)
}

/** Whether and when a person was checked in, as the two fields of the mapping. */
export interface CheckIn {
  readonly checkedIn: readonly Candidate[]
  readonly checkedInAt: readonly Candidate[]
}

/** The columns of the check-in; the time alone says both. */
export function findCheckIn(table: DescribedTable): CheckIn {
  const times = listTimes(table, rules.checkedInAt)
  const flags = listDirect(table, rules.checkedIn)
  const [time] = times
  const fromTime: readonly Candidate[] =
    time === undefined
      ? []
      : [
          {
            value: { from: 'checkedInAt' },
            label: `whether ${time.label} is set`,
            score: 5,
            reasons: [`${time.label} has the time`],
          },
        ]
  const never: Candidate = {
    value: { constant: false },
    label: 'false for every record',
    score: 0,
    reasons: ['no column looks like a check-in'],
  }
  return { checkedIn: sortByScore([...flags, ...fromTime, never]), checkedInAt: times }
}

import { matches, weighNoun } from '../facts/names.js'
import type { Facts } from '../facts/read-facts.js'
import { toNoun, toSnake } from '../facts/words.js'
import { listWays, rank } from './candidate.js'
import type { Candidate, Input } from './candidate.js'
import { hasRole, listEvents, weighEvent, weighPerson } from './lists.js'
import type { places } from './places.js'

/** The collections that a mapping can have. */
export type Collection = keyof typeof places

/** What speaks for a table of a collection, and against it. */
type Sign = readonly [points: number, holds: (input: Input) => boolean]

const has =
  (role: string) =>
  ({ table }: Input): boolean =>
    hasRole(table, role)
const nounOf = (kind: string, { name }: { readonly name: string }): number => weighNoun(kind, toNoun(name))

const signs: Readonly<Record<Collection, readonly Sign[]>> = {
  registrations: [
    [5, (input) => listEvents(input).some(({ points }) => points >= 3)],
    [3, (input) => listWays(input).some((way) => way.steps.length > 0 && weighPerson(way) !== undefined)],
    [3, has('email')],
    [2, has('lastName')],
    [2, has('checkedIn')],
    [1, has('status')],
    [-6, ({ table }) => weighEvent(table) >= 8],
    [1, has('createdAt')],
    [1, has('updatedAt')],
    [-2, ({ table }) => nounOf('registration', table) === 0],
    [-6, ({ table }) => matches('staff', toNoun(table.name))],
    // Each of several people of an order is a row of another table.
    [-6, (input) => isHead(input)],
  ],
  invoices: [
    [6, has('total')],
    [2, has('number')],
    [2, has('dueDate')],
    [2, has('issueDate')],
    [1, has('currency')],
    [1, has('status')],
    [-6, ({ table }) => ['line', 'received'].some((pattern) => matches(pattern, toSnake(table.name)))],
  ],
}

function isHead({ facts, table }: Input): boolean {
  return [...facts.tables.values()].some((child) => {
    const isOfPeople = hasRole(child, 'email') || hasRole(child, 'lastName')
    const isChild = child.columns.some(({ reference }) => reference?.parent.name === table.name)
    return isChild && isOfPeople && nounOf('registration', child) > 3
  })
}

/** All tables by how well they fit a collection: the word for their rows, and the signs. */
export function rankTables(facts: Facts, collection: Collection): readonly Candidate[] {
  const noun = collection === 'invoices' ? 'invoice' : 'registration'
  return rank(
    [...facts.tables.values()].map((table) => {
      const held = signs[collection].filter(([, holds]) => holds({ facts, table }))
      const points = held.reduce((sum, [one]) => sum + one, nounOf(noun, table) * 0.6)
      const { name, read = 0 } = table
      return { value: name, points: points - (read === 0 ? 8 : 0), why: `fits best, ${read} rows` }
    }),
  )
}

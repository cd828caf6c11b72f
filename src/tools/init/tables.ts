import { matches, weighNoun } from '../facts/names.js'
import type { Facts } from '../facts/read-facts.js'
import type { TableFacts } from '../facts/table-facts.js'
import { toNoun, toSnake } from '../facts/words.js'
import { rank } from './candidate.js'
import type { Candidate } from './candidate.js'
import { hasRole } from './lists.js'
import { noColumn, places } from './places.js'
import type { Collection } from './places.js'

const nounOf = (kind: string, { name }: { readonly name: string }): number => weighNoun(kind, toNoun(name))

/** What speaks against a table, in points. Those that belong to what is billed or paid for are no invoices. */
function weighAgainst({ tables }: Facts, collection: Collection, table: TableFacts): number {
  if (collection === 'invoices') return matches('noInvoice', toSnake(table.name)) ? 6 : 0
  const own = nounOf('registration', table)
  // Each of several people of an order is a row of another table.
  const isHead = [...tables.values()].some(
    (child) =>
      nounOf('registration', child) > 3 &&
      (hasRole(child, 'email') || hasRole(child, 'lastName')) &&
      child.columns.some(({ reference }) => reference?.parent.name === table.name),
  )
  const isOther = matches('staff', toNoun(table.name)) || (own === 0 && nounOf('event', table) >= 7)
  return (own === 0 ? 2 : 0) + (isHead ? 6 : 0) + (isOther ? 6 : 0)
}

/**
 * All tables by how well they fit a collection: the places that a column of theirs can fill, and the word for their rows. There is
 * no second list of signs: a table fits as far as its mapping can be written.
 */
export function rankTables(facts: Facts, collection: Collection): readonly Candidate[] {
  const kind = collection === 'invoices' ? 'invoice' : 'registration'
  return rank(
    [...facts.tables.values()].map((table) => {
      const { name, read = 0 } = table
      const filled = places[collection].filter(
        ({ list, weight }) =>
          weight > 0 && list({ facts, table }).some(({ points, why }) => points >= 3 && why !== noColumn),
      )
      const fit = filled.reduce((sum, { weight }) => sum + weight, nounOf(kind, table) * 0.6)
      const points = fit - weighAgainst(facts, collection, table) - (read === 0 ? 8 : 0)
      return { value: name, points, why: `fits best, ${read} rows` }
    }),
  )
}

import type { RunQuery } from '../database/statement.js'
import type { Pick } from './candidate.js'
import { createReadCodes } from './codes.js'
import { readDescription } from './description.js'
import { propose } from './propose.js'
import type { Proposal } from './propose.js'
import { createReadScopes } from './scopes.js'

/** A database for which no mapping can be proposed. */
export class NoProposal extends Error {
  override readonly name = 'NoProposal'
}

/**
 * Proposes a mapping file for the database of a session. Reads `information_schema`, and at most 1,000 rows of each
 * column that looks like a status, a type or the scopes of keys.
 *
 * @throws NoProposal where the user sees no tables, or none that looks like registrations or invoices.
 */
export async function proposeMapping(runQuery: RunQuery, pick: Pick): Promise<Proposal> {
  const description = await readDescription(runQuery)
  if (description.size === 0) {
    throw new NoProposal(
      'This user sees no table of the database. init needs a user with SELECT on the tables of the product.',
    )
  }
  const proposal = await propose({
    description,
    readCodes: createReadCodes(runQuery),
    readScopes: createReadScopes(runQuery),
    pick,
  })
  if (proposal !== undefined) return proposal
  throw new NoProposal(
    `None of the ${description.size} tables that this user sees looks like registrations or invoices. Write the mapping file by hand: docs/product-team.md explains it.`,
  )
}

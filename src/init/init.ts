import type { RunQuery } from '../database/statement.js'
import type { Answers } from './answers.js'
import { collectionNames } from './choose-tables.js'
import type { NamedTables } from './choose-tables.js'
import { createContent } from './content.js'
import { readDescription } from '../database/description.js'
import { propose } from './propose.js'
import type { Proposal } from './propose.js'

/** A database for which no mapping can be proposed. */
export class NoProposal extends Error {
  override readonly name = 'NoProposal'
}

/**
 * Proposes a mapping file for the database of a session. Reads `information_schema`, and the distinct values of columns
 * that look like a status, a type or the scopes of keys.
 *
 * @param named the tables that the command line names.
 * @throws NoProposal where the user sees no tables, or not the one that is named.
 */
export async function proposeMapping(
  runQuery: RunQuery,
  answers: Answers,
  named: NamedTables = {},
): Promise<Proposal> {
  const description = await readDescription(runQuery)
  if (description.size === 0) {
    throw new NoProposal(
      'This user sees no table of the database. init needs a user with SELECT on the tables of the product.',
    )
  }
  for (const name of collectionNames) {
    const table = named[name]
    if (table !== undefined && table !== 'none' && !description.has(table))
      throw new NoProposal(
        `--${name} ${JSON.stringify(table)} is none of the ${description.size} tables that this user sees.`,
      )
  }
  if (collectionNames.every((name) => named[name] === 'none'))
    throw new NoProposal('--registrations none and --invoices none leave nothing to propose.')
  const proposal = await propose({ description, content: createContent(runQuery), answers, named })
  if (collectionNames.some((name) => name in proposal.mapping)) return proposal
  throw new NoProposal('Both collections were left out, so there is nothing to map.')
}

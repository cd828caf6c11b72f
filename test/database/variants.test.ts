import { expect, test } from 'vitest'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/index.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import type { WholeMapping } from '../support/whole-mapping.js'

/*
 * Ways to store and to map things that neither product has; the administrator's own user reads here, since what
 * is granted is not the question.
 */

const throwaway = useThrowaway()

async function startChanged(
  statements: readonly string[],
  change: (mapping: WholeMapping) => Mapping,
): Promise<{ database: ProductDatabase; client: Client }> {
  const database = await throwaway.createProduct('plain')
  await runStatements(database.adminUrl, statements)
  const service = await startService({ ...database, readUrl: database.adminUrl }, { change })
  return { database, client: createClient(service) }
}

test('a view serves as a table, page by page and filtered', async () => {
  const { database, client } = await startChanged(
    [
      'CREATE VIEW shown AS SELECT id AS no, workspace_id AS ws, event_id AS ev, reg_status AS st, attendee_name AS nm, attendee_email AS em, checked_in_at AS ci, archived_at AS ar, created_at AS ca, updated_at AS ua FROM event_registrations',
    ],
    (mapping) => ({
      ...mapping,
      registrations: {
        table: 'shown',
        workspace: 'ws',
        archived: { column: 'ar', is: 'set' },
        fields: {
          id: 'no',
          eventId: 'ev',
          status: 'st',
          name: 'nm',
          email: 'em',
          checkedIn: { from: 'checkedInAt' },
          checkedInAt: 'ci',
          createdAt: 'ca',
          updatedAt: 'ua',
        },
      },
    }),
  )
  const expected = listExpected(database, 'registrations')
  expect(await client.crawl('registrations', { limit: 20 })).toEqual(expected.map(({ view }) => view))
  const ofEvent = expected.filter(({ truth }) => truth.event === 1).map(({ view }) => view)
  expect(await client.crawl('registrations', { limit: 3, eventId: database.product.eventId(1) })).toEqual(
    ofEvent,
  )
})

import { beforeAll, describe, expect, test } from 'vitest'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { startService, useThrowaway } from '../support/service.js'
import { stringify } from 'yaml'
import { requireWhole } from '../support/whole-mapping.js'
import type { WholeMapping } from '../support/whole-mapping.js'

/*
 * The safeguard from the other side: a mapping that points at a forbidden column, in whatever spelling the server
 * might take for it, and a user who could read everything. The process must not start.
 */

const throwaway = useThrowaway()
let database: ProductDatabase
let mapping: WholeMapping
let schema: string

beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 20 })
  mapping = requireWhole(await loadMapping(database.mappingFile))
  schema = decodeURIComponent(new URL(database.adminUrl).pathname.slice(1))
  await runStatements(database.adminUrl, [
    'CREATE VIEW aliased AS SELECT id, workspace_id, event_id, reg_status, badge_qr_token AS attendee_name, attendee_email, checked_in_at, archived_at, created_at, updated_at FROM event_registrations',
  ])
})

/** Through the file's text, as a team would change it, with a user for whom the server refuses nothing. */
async function start(changed: Mapping, audit: 'enforce' | 'warn'): Promise<unknown> {
  const text = stringify(changed)
  return startService(
    { ...database, readUrl: database.adminUrl },
    { env: { AUDIT: audit }, change: () => readMapping(text) },
  ).then(
    () => 'started',
    (error: unknown) => error,
  )
}

const withName = (name: string): WholeMapping => ({
  ...mapping,
  registrations: {
    ...mapping.registrations,
    fields: { ...mapping.registrations.fields, name },
  },
})

describe('a mapping that points at a badge token does not start, even under AUDIT=warn:', () => {
  test.each([
    'badge_qr_token',
    'BADGE_QR_TOKEN',
    'badge_qr_token ',
    '`badge_qr_token`',
    'event_registrations.badge_qr_token',
    'badge_qr_to\u212Aen',
    'badge_qr_token`, `attendee_name',
    'concat(badge_qr_token)',
    '*',
  ])('%j', async (spelling) => {
    const outcome = await start(withName(spelling), 'warn')
    expect(outcome).toBeInstanceOf(Error)
    expect(String(outcome)).toMatch(/registrations\.fields\.name/)
  })

  test('with its table in other letters, or named with its schema', async () => {
    for (const table of [
      'EVENT_REGISTRATIONS',
      `${schema}.event_registrations`,
      `\`${schema}\`.\`event_registrations\``,
    ]) {
      const changed = withName('badge_qr_token')
      const outcome = await start({ ...changed, registrations: { ...changed.registrations, table } }, 'warn')
      expect(outcome, table).toBeInstanceOf(Error)
    }
  })
})

test('a view that shows it under a harmless name is refused', async () => {
  const changed = { ...mapping, registrations: { ...mapping.registrations, table: 'aliased' } }
  const outcome = await start(changed, 'enforce')
  expect(String(outcome)).toMatch(/a view that reads event_registrations\.badge_qr_token/)
})

test('the mapping as it is starts with that user under warn, so that the refusals above mean something', async () => {
  expect(await start(mapping, 'warn')).toBe('started')
})

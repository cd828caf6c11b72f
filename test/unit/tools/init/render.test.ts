import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Proposal } from '../../../../src/tools/init/propose.js'
import { renderMapping } from '../../../../src/tools/init/render-mapping.js'
import { renderSummary } from '../../../../src/tools/init/render-summary.js'

const proposal: Proposal = {
  mapping: {
    timezone: '+00:00',
    apiKeys: {
      table: 'vitrine_api_keys',
      hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
    },
    invoices: {
      table: 'in\nvoices',
      workspace: 'tenant.id',
      archived: [],
      fields: {
        id: 'id',
        status: { column: 's', values: { 1: 'PAID' } },
        currency: 'TODO',
        updatedAt: 'at: #1',
      },
    },
    neverRead: ['in\nvoices.iban'],
  },
  choices: [
    {
      path: 'invoices.table',
      wanted: 'the table',
      value: 'in\nvoices',
      confidence: 'likely',
      reasons: ['its\nname'],
      runnersUp: [{ label: 'bills', points: 9, value: 'bills' }],
    },
    {
      path: 'invoices.fields.id',
      wanted: 'the id',
      value: 'id',
      confidence: 'sure',
      reasons: ['the primary key (+10)'],
      runnersUp: [{ label: 'invoices.uuid', points: 5, value: 'uuid' }],
      undecided: 'is it?',
    },
    {
      path: 'invoices.fields.currency',
      wanted: 'the currency',
      value: 'TODO',
      confidence: undefined,
      reasons: ['nothing fits'],
      runnersUp: [{ label: 'one for all', points: 0, value: { constant: 'EUR' } }],
      undecided: 'the currency',
    },
    {
      path: 'registrations.table',
      wanted: 'the table of the registrations',
      value: undefined,
      confidence: undefined,
      reasons: ['no table fits'],
      runnersUp: [{ label: 'people', points: 3, value: 'people' }],
      undecided: 'the registrations were not found',
    },
  ],
  forbidden: [{ pattern: 'in\nvoices.iban', reason: 'a secret' }],
  newKeyTable: { table: 'vitrine_api_keys', ddl: 'CREATE TABLE `vitrine_api_keys` (…);' },
  missingIndexes: [
    {
      table: 'invoices',
      ddl: 'CREATE INDEX `i` ON `invoices` (`at`);',
      reason: 'pages',
      name: 'ix_vitrine_sync',
      estimatedBytes: 3_000_000,
    },
  ],
}

test('the file has the proposed content, whatever the names, and the reasons above each choice', () => {
  const text = renderMapping(proposal)
  expect(parse(text)).toEqual(proposal.mapping)
  expect(parse(text, { version: '1.1' })).toMatchObject({ timezone: '+00:00' })
  expect(text).toContain(
    '    # The id, sure: the primary key (+10). Others: invoices.uuid (+5).\n    # VERIFY: is it?\n    id: id\n',
  )
  expect(text).toContain(
    '    # TODO: The currency: nothing fits.\n    # Candidate: {"constant":"EUR"} is one for all (0)\n    currency: TODO # the currency\n',
  )
  expect(text).toContain('  # The table, likely: its name. Others: bills (+9).\n')
  expect(text).toContain('# The table of the registrations: the registrations were not found.\n')
})

test('the summary has what is undecided, the table of keys, the indexes with their size, and the next commands', () => {
  const surroundings = {
    file: "it's.yaml",
    program: 'npm run -s vitrine --',
    serve: 'npm start',
    url: 'mysql://vitrine:PASSWORD@db:3307/tickets',
    adminUrl: 'mysql://admin:PASSWORD@db:3307/tickets',
  }
  expect(renderSummary(proposal, surroundings)).toBe(`Tables:
  invoices: "in\\nvoices" (likely); instead: --invoices bills
  registrations: not found, left out; instead: --registrations people

To decide (TODO) and to verify:
  verify invoices.fields.id: is it?
  TODO   invoices.fields.currency: the currency
  verify registrations.table: the registrations were not found

A new table of API keys:

CREATE TABLE \`vitrine_api_keys\` (…);
Indexes that are missing:
  CREATE INDEX \`i\` ON \`invoices\` (\`at\`); -- about 3 MB; pages

Next, after each TODO has a value and an administrator has created the table of keys and the indexes:
  MAPPING_FILE='it'\\''s.yaml' DATABASE_URL=mysql://admin:PASSWORD@db:3307/tickets npm run -s vitrine -- grants --user vitrine --host '%'
  MAPPING_FILE='it'\\''s.yaml' DATABASE_URL=mysql://vitrine:PASSWORD@db:3307/tickets npm run -s vitrine -- check
  MAPPING_FILE='it'\\''s.yaml' DATABASE_URL=mysql://vitrine:PASSWORD@db:3307/tickets npm start
`)
})

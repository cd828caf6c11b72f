import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Proposal } from '../../../src/init/propose.js'
import { renderMapping } from '../../../src/init/render-mapping.js'
import { renderSummary } from '../../../src/init/render-summary.js'

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
      reasons: ['its\nname'],
      runnersUp: [],
    },
    {
      path: 'invoices.fields.id',
      wanted: 'the id',
      value: 'id',
      reasons: ['the primary key'],
      runnersUp: [{ label: 'invoices.uuid', score: 5, value: 'uuid' }],
      undecided: 'is it?',
    },
    {
      path: 'invoices.fields.currency',
      wanted: 'the currency',
      value: 'TODO',
      reasons: ['nothing fits'],
      runnersUp: [],
      undecided: 'the currency',
    },
  ],
  forbidden: [{ pattern: 'in\nvoices.iban', reason: 'a secret' }],
  newKeyTable: { table: 'vitrine_api_keys', ddl: 'CREATE TABLE `vitrine_api_keys` (…);' },
  missingIndexes: [
    {
      table: 'invoices',
      ddl: 'CREATE INDEX `i` ON `invoices` (`at`);',
      reason: 'pages',
      estimatedBytes: 3_000_000,
    },
  ],
}

test('the file has the proposed content, whatever the names, and the reasons above each choice', () => {
  const text = renderMapping(proposal)
  expect(parse(text)).toEqual(proposal.mapping)
  expect(parse(text, { version: '1.1' })).toMatchObject({ timezone: '+00:00' })
  expect(text).toContain(
    '    # The id: the primary key. Others: invoices.uuid (5).\n    # VERIFY: is it?\n    id: id\n',
  )
  expect(text).toContain('    currency: TODO # the currency\n')
  expect(text).toContain('  # The table: its name.\n')
})

test('the summary has what is undecided, the table of keys, the indexes with their size, and the next commands', () => {
  expect(renderSummary(proposal, "it's.yaml")).toBe(`To decide (TODO) and to verify:
  verify invoices.fields.id: is it?
  TODO   invoices.fields.currency: the currency

A new table of API keys:

CREATE TABLE \`vitrine_api_keys\` (…);
Indexes that are missing:
  CREATE INDEX \`i\` ON \`invoices\` (\`at\`); -- about 3 MiB; pages

Next, after an administrator has created the table of keys and the indexes:
  MAPPING_FILE='it'\\''s.yaml' vitrine grants --user vitrine --host '%'
  MAPPING_FILE='it'\\''s.yaml' vitrine check
  MAPPING_FILE='it'\\''s.yaml' vitrine serve
`)
})

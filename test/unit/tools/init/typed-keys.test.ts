import { expect, test } from 'vitest'
import { createContent } from '../../../../src/tools/init/content.js'
import { createGraph, writeReading } from '../../../../src/tools/init/graph.js'
import { readTypedKeys } from '../../../../src/tools/init/typed-keys.js'
import { describeTables } from '../../../support/described.js'

test('an address in a table of several kinds of owners is that of the person, by the code of its kind', async () => {
  const tables = describeTables({
    contacts: ['id BIGINT PRIMARY KEY', 'first_name VARCHAR(80)', 'last_name VARCHAR(80)'],
    emails: [
      'id BIGINT PRIMARY KEY',
      'owner_id BIGINT NOT NULL',
      'owner_type VARCHAR(80) NOT NULL',
      'email VARCHAR(255) NOT NULL',
      'is_primary TINYINT(1) NOT NULL',
    ],
    registrations: ['id BIGINT PRIMARY KEY', 'contact_id BIGINT NOT NULL'],
  })
  const codes = ['App\\Models\\Company', 'App\\Models\\Contact'].map((code) => ({ code: Buffer.from(code) }))
  const typedKeys = await readTypedKeys(
    tables,
    createContent(() => Promise.resolve(codes)),
  )
  const graph = createGraph(tables, {
    typedKeys,
    findMark: ({ columns }) => columns.find(({ name }) => name === 'is_primary'),
  })
  const ways = graph.listMarked(tables.get('registrations')!)
  expect(ways.map((way) => writeReading(way, { column: 'email' }))).toEqual([
    {
      from: 'emails',
      on: 'contact_id',
      key: 'owner_id',
      where: [
        { column: 'owner_type', equals: 'App\\Models\\Contact' },
        { column: 'is_primary', equals: 1 },
      ],
      column: 'email',
    },
  ])
})

import { expect, test } from 'vitest'
import { listLookups } from '../../../src/collections/lookup.js'
import { buildColumn } from '../../support/schema.js'

test('a table is read once for each column that refers to it', () => {
  const lookUp = (on: string) => ({
    as: on,
    column: buildColumn('email', 'varchar(80) ascii_bin'),
    lookup: {
      table: 'people',
      key: buildColumn('id', 'int'),
      index: 'PRIMARY',
      on: { column: buildColumn(on, 'int'), lookup: undefined },
      choice: undefined,
    },
  })
  const lookups = listLookups([lookUp('buyer'), lookUp('guest'), lookUp('buyer')])
  expect(lookups.map(({ on }) => on.column.name)).toEqual(['buyer', 'guest'])
})

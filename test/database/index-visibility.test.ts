import { beforeAll, expect, test } from 'vitest'
import { readSchema } from '../../src/database/schema.js'
import { useAuditedProduct } from '../support/audited.js'
import { withDatabase } from '../support/own-database.js'

const { database, run } = useAuditedProduct()
beforeAll(() =>
  run(
    `CREATE TABLE pairs (
       id INT PRIMARY KEY, a INT NOT NULL, b INT NOT NULL, c VARCHAR(300) NOT NULL,
       UNIQUE KEY ab (a, b), UNIQUE KEY ba (b, a), UNIQUE KEY alone (a), UNIQUE KEY prefixed (c(10)), KEY ca (c, a)
     )`,
    'GRANT SELECT (a, c) ON `$db`.pairs TO $u',
  ),
)

// MySQL shows every part of every index; MariaDB hides an index with a part that the user may not read, unless it has
// SHOW VIEW or another privilege on the whole table. A part alone would make (a, b) look unique by a.
test.each([
  ['one column of it', []],
  ['one column of it, and see the definition of the table', ['GRANT SHOW VIEW ON `$db`.pairs TO $u']],
])('an index is read whole or not at all by a user who may read %s', async (_, grants) => {
  await run(...grants)
  const schema = await withDatabase(database().readUrl, (runQuery) => readSchema(runQuery, ['pairs']))
  const indexes = new Map(schema.get('pairs')?.indexes.map(({ name, columns }) => [name, columns]))
  expect(indexes.get('alone')?.[0]).toBe('a')
  for (const [name, parts] of [
    ['ab', ['a', 'b']],
    ['ba', ['b', 'a']],
    ['ca', ['c', 'a']],
  ] as const)
    expect([undefined, parts]).toContainEqual(indexes.get(name)?.slice(0, 2))
  // Only the first characters of it are unique.
  expect(indexes.get('prefixed') ?? []).toEqual([])
})

import { beforeAll, expect, inject, test } from 'vitest'
import { readSchema } from '../../src/database/schema.js'
import { useAuditedProduct } from '../support/audited.js'
import { runStatements } from '../product/server.js'
import { findSection, runCheck } from '../support/checking.js'
import { createClient } from '../support/client.js'
import { withDatabase } from '../support/own-database.js'
import { startService, useThrowaway } from '../support/service.js'

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

const throwaway = useThrowaway()
const { isMariaDb } = inject('server')
const [hide, show] = isMariaDb ? ['IGNORED', 'NOT IGNORED'] : ['INVISIBLE', 'VISIBLE']

test('an index that the optimizer does not use is not the one of lists, and check says how it is put into use again', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const alter = (how: string) => `ALTER TABLE \`event_registrations\` ALTER INDEX \`ix_reg_sync\` ${how}`
  await runStatements(product.adminUrl, [
    alter(hide),
    'CREATE TABLE words (id INT PRIMARY KEY, word VARCHAR(20) NOT NULL, UNIQUE KEY alone (word))',
    `ALTER TABLE words ALTER INDEX alone ${hide}`,
  ])
  const service = await startService(product)
  const metrics = (await service.ops.inject('/metrics')).body
  expect(metrics).toContain('vitrine_paging_index{collection="registrations"} 0')
  expect((await createClient(service).get('registrations')).body.data.length).toBeGreaterThan(0)
  const { findings } = findSection(await runCheck(product), 'cost')
  expect(findings.filter(({ object }) => object === 'event_registrations').map(({ fix }) => fix)).toContain(
    `${alter(show)};`,
  )
  expect(JSON.stringify(findings)).not.toMatch(/doesn't exist|no index helps/)
  const schema = await withDatabase(product.adminUrl, (runQuery) => readSchema(runQuery, ['words']))
  // It makes the key of a lookup unique all the same.
  const hidden = schema.get('words')?.indexes.find(({ uniqueOn }) => uniqueOn === 'word')
  expect(hidden).toMatchObject({ name: '', columns: [] })
})

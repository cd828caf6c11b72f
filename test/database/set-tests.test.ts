import { expect, test } from 'vitest'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'

/* A product can mark its rows with a column of any type: a test of NULL reads no value of it. */

const throwaway = useThrowaway()

test('a column of any type can be tested for NULL', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 40 })
  const types = ['YEAR', 'TIME', 'BLOB', 'GEOMETRY', "SET('a', 'b')", 'JSON', 'BIT(4)', 'DOUBLE', 'DATE']
  const values = [
    '2026',
    "'10:00:00'",
    "'x'",
    "ST_GeomFromText('POINT(1 1)')",
    "'a'",
    "'{}'",
    '0',
    '0',
    "'2026-01-01'",
  ]
  await runStatements(database.adminUrl, [
    `ALTER TABLE event_registrations ${types.map((type, at) => `ADD mark_${at} ${type} NULL`).join(', ')}, ADD KEY ix_mark (workspace_id, mark_0, updated_at, id)`,
    `UPDATE event_registrations SET ${values.map((value, at) => `mark_${at} = ${value}`).join(', ')} WHERE reg_status = 'CONFIRMED'`,
  ])
  const read = async (is: 'set' | 'unset'): Promise<readonly unknown[]> => {
    const service = await startService(
      { ...database, readUrl: database.adminUrl },
      {
        change: (mapping) => ({
          ...mapping,
          registrations: {
            ...mapping.registrations,
            where: types.map((_, at) => ({ column: `mark_${at}`, is })),
          },
        }),
      },
    )
    const { body } = await createClient(service).get('registrations', { limit: 100 })
    expect((await createClient(service).get('registrations', { eventId: 'none' })).body.data).toEqual([])
    return [...new Set(body.data.map((record) => record['status'] === 'CONFIRMED'))]
  }
  expect(await read('set')).toEqual([true])
  expect(await read('unset')).toEqual([false])
})

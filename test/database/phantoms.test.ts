import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { keys, runStatements } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { createClient } from '../support/client.js'
import { makeFolder } from '../support/folder.js'
import { readNdjson, sortById, startPull } from '../support/pulling.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * The drill of lost commits: a server that flushes its log once a second loses its last transactions in a crash, and so does
 * a Galera cluster whose nodes crash together. Here an older state of the table takes their place.
 */

const throwaway = useThrowaway()
const file = join(makeFolder(), 'copy.ndjson')
let database: ProductDatabase
let readShown: () => Promise<readonly View[]>
let pull: (...flags: readonly string[]) => Promise<readonly View[]>
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 400 })
  const service = await startService(database)
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  readShown = async () => sortById(await createClient(service).crawl('registrations', { limit: 100 }))
  pull = async (...flags) => {
    const args = ['registrations', '--url', url, '--key-env', 'K', '--to', file, ...flags]
    expect(await startPull(args, { K: keys.both }).outcome).toMatchObject({ status: 0 })
    return readNdjson(file)
  }
})

test('a copy has what the product lost in a crash; the scrub makes it equal again', async () => {
  const kept = await pull()
  const [updated, deleted] = kept.map(({ id }) => `'${String(id)}'`)
  const id = '9'.repeat(26)
  await runStatements(database.adminUrl, [
    'CREATE TABLE before_crash AS SELECT * FROM event_registrations',
    `INSERT INTO event_registrations SELECT '${id}', workspace_id, event_id, reg_status, 'Phantom', attendee_email, NULL, NULL, NULL,
       NULL, NULL, badge_qr_token, NULL, NULL, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM before_crash WHERE id = ${updated!}`,
    `UPDATE event_registrations SET attendee_name = 'Phantom', updated_at = UTC_TIMESTAMP(3) WHERE id = ${updated!}`,
  ])
  const phantoms = await pull('--scrub', '0')
  expect(phantoms.filter(({ name }) => name === 'Phantom')).toHaveLength(2)
  await runStatements(database.adminUrl, [`DELETE FROM event_registrations WHERE id = ${deleted!}`])
  await pull('--full')
  await runStatements(database.adminUrl, [
    'DELETE FROM event_registrations',
    'INSERT INTO event_registrations SELECT * FROM before_crash',
  ])
  const shown = await readShown()
  expect(shown).toEqual(kept)

  // No sync can find it: nothing has changed since.
  const broken = await pull('--scrub', '0')
  expect(broken).toHaveLength(kept.length)
  expect(broken.map(({ id }) => id)).toContain(id)
  expect(broken.map(({ id }) => `'${String(id)}'`)).not.toContain(deleted)

  let last = broken
  // A cycle of 4 runs.
  for (let run = 0; run < 4; run += 1) last = await pull('--scrub', '25')
  expect(last).toEqual(shown)
})

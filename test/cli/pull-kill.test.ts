import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { createRandom } from '../product/random.js'
import { createClient } from '../support/client.js'
import { hasSqlite, readNdjson, readSqlite, sortById, startGate, startPull } from '../support/pulling.js'
import type { Gate, Moment } from '../support/pulling.js'
import type { Outcome } from '../support/vitrine.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'
import { makeFolder } from '../support/folder.js'

const seed = Number(process.env['PULL_KILL_SEED'] ?? Date.now() % 1_000_000)
const kills = 50

const throwaway = useThrowaway()
const folder = makeFolder()
let database: ProductDatabase
let service: TestService
let gate: Gate
let product: mysql.Connection
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 700 })
  // So that a sync reads what changed since the last one, and not the whole test's changes every time.
  service = await startService(database, { env: { SYNC_OVERLAP_SECONDS: '1' } })
  gate = await startGate(service)
  product = await mysql.createConnection({ uri: database.adminUrl, timezone: 'Z' })
})
afterAll(() => product.end())

/** Lets a few of the product's records change, as they do all the time. */
async function change(random: ReturnType<typeof createRandom>, count: number): Promise<void> {
  await product.query(
    `UPDATE event_registrations SET attendee_name = ?, updated_at = UTC_TIMESTAMP(3)
      WHERE workspace_id = ? AND archived_at IS NULL ORDER BY sha2(concat(id, ?), 256) LIMIT ?`,
    [`Name\u2028${random.hex(6)}`, database.product.workspaceId(0), random.hex(6), count],
  )
}

async function archive(random: ReturnType<typeof createRandom>, count: number): Promise<void> {
  await product.query(
    `UPDATE event_registrations SET archived_at = UTC_TIMESTAMP(3), updated_at = UTC_TIMESTAMP(3)
      WHERE workspace_id = ? AND archived_at IS NULL ORDER BY sha2(concat(id, ?), 256) LIMIT ?`,
    [database.product.workspaceId(0), random.hex(6), count],
  )
}

async function pull(to: string, ...flags: readonly string[]): Promise<Outcome> {
  const args = ['registrations', '--url', gate.url, '--key-env', 'K', '--to', to, ...flags]
  return startPull(args, { K: keys.both }).outcome
}

/** Pulls until the given moment, and kills it there, or a random time after; false where it was done before. */
async function pullAndKill(
  to: string,
  at: { readonly moment: Moment; readonly request: number; readonly lateMs: number },
  flags: readonly string[],
  onAsked: () => Promise<void>,
): Promise<boolean> {
  const args = ['registrations', '--url', gate.url, '--key-env', 'K', '--to', to, ...flags]
  gate.requests = 0
  const { child, outcome } = startPull(args, { K: keys.both })
  gate.onMoment = async (moment, request) => {
    if (moment === 'asked') await onAsked()
    if (moment !== at.moment || request < at.request) return
    await delay(at.lateMs)
    child.kill('SIGKILL')
  }
  const { status, stderr } = await outcome
  gate.onMoment = () => undefined
  expect(['SIGKILL', 0], stderr).toContain(status)
  return status === 'SIGKILL'
}

const shown = async (): Promise<readonly View[]> =>
  sortById(await createClient(service).crawl('registrations', { limit: 100 }))

const forms: readonly [name: string, read: (file: string) => Promise<readonly View[]>, skipped: boolean][] = [
  ['copy.ndjson', readNdjson, false],
  ['copy.sqlite', (file) => Promise.resolve(readSqlite(file, 'registrations')), !hasSqlite],
]

describe.each(forms)('%s', (name, read, skipped) => {
  const reason = skipped ? `: skipped, Node ${process.version} has no node:sqlite` : ''
  test.skipIf(skipped)(
    `is right after ${kills} kills at random instants of pulls from a changing table, seed ${seed}${reason}`,
    async () => {
      const random = createRandom(seed)
      const file = join(folder, name)
      let killed = 0
      for (let round = 0; killed < kills && round < 6 * kills; round += 1) {
        await change(random, random.whole(250))
        if (round % 7 === 0) await archive(random, 3)
        const moment = random.pick<Moment>(['asked', 'half', 'answered', 'answered'])
        const at = { moment, request: 1 + random.whole(12), lateMs: random.pick([0, 0, 1, 3, 8, 20]) }
        const flags = round % 5 === 4 ? ['--full'] : ['--scrub', '40']
        if (await pullAndKill(file, at, flags, () => change(random, 2))) killed += 1
        // Whatever the instant was: what is there is whole.
        if (name.endsWith('.ndjson')) await read(file)
      }
      expect(killed).toBe(kills)
      expect(await pull(file, '--scrub', '0')).toMatchObject({ status: 0 })
      const truth = await shown()
      const copied = new Map((await read(file)).map((record) => [record['id'], record]))
      // What was archived may still be there; everything else is, in its newest state.
      expect(truth.filter(({ id }) => copied.get(id)?.['updatedAt'] === undefined)).toEqual([])
      expect(truth.map(({ id }) => copied.get(id))).toEqual(truth)
      // The rest of the cycle under way, and a whole one.
      for (const _ of [1, 2]) expect(await pull(file, '--scrub', '100')).toMatchObject({ status: 0 })
      expect(await read(file)).toEqual(truth)
    },
  )
})

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import { createClient } from '../../src/client/index.js'
// Here already, because the loader of this program cannot load it twice at once.
import '../../src/client/mirror.js'
import type { Registration, SyncState } from '../../src/client/index.js'
import { runStatements, startThrowaway } from '../product/index.js'
import type { Throwaway } from '../product/index.js'
import { createRandom } from '../product/random.js'
import type { TestDatabase } from '../product/test-database.js'
import { closeAll } from '../support/after-file.js'
import { makeFolder } from '../support/folder.js'
import { createMemoryStore } from '../support/memory-store.js'
import { plainYaml } from '../support/plain-mapping.js'
import { hasSqlite, readNdjson, readSqlite } from '../support/pulling.js'
import { listBlocks } from '../support/readme.js'
import { startServing } from '../support/serving.js'
import { startWriters } from './writers.js'

/*
 * `node .ci/prepare.mjs test/soak/copies.ts`: a product that writes for COPIES_MINUTES (10), and every kind of copy of it, each with and without the
 * oldest open transaction. In the middle, records change without `updatedAt` and the epoch is raised. Ends with 1 where a
 * copy is not equal to the product afterwards. `pull` into SQLite needs Node 22.13.
 */

const minutes = Number(process.env['COPIES_MINUTES'] ?? 10)
/** Longer than a transaction of the writers; and shorter, so that only the oldest open transaction can help. */
const overlapSeconds = { without: 120, with: 30 }
const seeded = 1000
/** A cycle is 20 runs; a record can be archived behind the place of the cycle under way. */
const scrubRunsMax = 45

/** Versions by id. */
type Versions = ReadonlyMap<string, string>

interface Copy {
  readonly name: string
  readonly run: () => Promise<unknown>
  readonly read: () => Promise<Versions>
  /** Reads everything anew; undefined where runs scrub. */
  readonly readAnew?: () => Promise<unknown>
}

interface Target {
  readonly name: string
  readonly url: string
  readonly key: string
}

const toVersions = (records: Iterable<object>): Versions =>
  new Map(
    [...(records as Iterable<Record<'id' | 'updatedAt' | 'name', string>>)].map(
      ({ id, updatedAt, name }) => [id, `${updatedAt} ${name}`] as const,
    ),
  )

function createSyncCopy({ name, url, key }: Target): Copy {
  const client = createClient({ url, key })
  let records = new Map<string, Registration>()
  let state: SyncState | undefined
  const run = async (): Promise<void> => {
    const next = await client.sync('registrations', {
      ...state,
      onPage: ({ data }) => {
        for (const one of data) records.set(one.id, one)
      },
    })
    const isRaised = state !== undefined && next.epoch > state.epoch
    state = isRaised ? undefined : next
    if (isRaised) await readAnew()
  }
  const readAnew = async (): Promise<void> => {
    records = new Map()
    state = undefined
    await run()
  }
  return {
    name: `client.sync ${name}`,
    run,
    readAnew,
    read: () => Promise.resolve(toVersions(records.values())),
  }
}

function createMirrorCopy({ name, url, key }: Target): Copy {
  const client = createClient({ url, key })
  const { records, store } = createMemoryStore()
  return {
    name: `client.mirror ${name}`,
    run: () => client.mirror('registrations', store),
    read: () => Promise.resolve(toVersions(records.values())),
  }
}

const run = promisify(execFile)
const toEnv = ({ url, key }: Target) => ({ PATH: process.env['PATH'], VITRINE_URL: url, VITRINE_KEY: key })

function createPullCopy(target: Target, form: 'ndjson' | 'sqlite'): Copy {
  const file = join(makeFolder(), `copy.${form}`)
  const args = ['dist/vitrine-client/vitrine-pull.js', 'registrations', '--to', file]
  return {
    name: `pull ${form} ${target.name}`,
    run: () => run(process.execPath, args, { env: toEnv(target) }),
    read: async () =>
      toVersions(form === 'ndjson' ? await readNdjson(file) : readSqlite(file, 'registrations')),
  }
}

function createCopies(target: Target): readonly Copy[] {
  return [
    createSyncCopy(target),
    createMirrorCopy(target),
    createPullCopy(target, 'ndjson'),
    ...(hasSqlite ? [createPullCopy(target, 'sqlite')] : []),
  ]
}

function createDatabase(throwaway: Throwaway): Promise<TestDatabase> {
  const [table = ''] = heartbeatSql()
  return throwaway.createProduct({
    schema: [new URL('../product/plain.sql', import.meta.url), { text: table }],
    mapping: { text: toMapping('with', 0) },
  })
}

const heartbeatSql = (): readonly string[] =>
  listBlocks('sql', 'docs/deploy.md').filter((block) => block.includes('vitrine_heartbeat'))

const toMapping = (kind: keyof typeof overlapSeconds, epoch: number): string =>
  `epoch: ${String(epoch)}\n${kind === 'with' ? 'heartbeat: { table: vitrine_heartbeat, column: ts, oldestOpen: oldest_open }\n' : ''}${plainYaml}`

async function play(throwaway: Throwaway): Promise<number> {
  const database = await createDatabase(throwaway)
  const admin = await mysql.createConnection({ uri: database.adminUrl, dateStrings: true, timezone: 'Z' })
  const [, onMySql = '', onMariaDb = ''] = heartbeatSql()
  await admin.query('SET GLOBAL event_scheduler = ON')
  const [[server]] = await admin.query<mysql.RowDataPacket[]>('SELECT VERSION() AS version')
  const isMariaDb = String(server?.['version']).includes('MariaDB')
  await runStatements(database.adminUrl, [isMariaDb ? onMariaDb : onMySql])
  const writers = await startWriters(database.adminUrl, createRandom(1), seeded)
  const key = await database.mintKey({
    workspace: 'W',
    scopes: ['registration.read'],
    columns: { label: 'x' },
  })
  const services = await Promise.all(
    (['without', 'with'] as const).map(async (kind) => {
      const mappingFile = join(makeFolder(), 'mapping.yaml')
      await writeFile(mappingFile, toMapping(kind, 0))
      const env = {
        DATABASE_URL: database.readUrl,
        MAPPING_FILE: mappingFile,
        SYNC_OVERLAP_SECONDS: String(overlapSeconds[kind]),
        // The one without reads no heartbeat, which its user may.
        AUDIT: 'warn',
      }
      const { child, api } = await startServing(throwaway, { env, keptMax: 4096 })
      const name = `${kind} oldestOpen, overlap ${String(overlapSeconds[kind])} s`
      return { kind, mappingFile, child, target: { name, url: api, key } }
    }),
  )
  const copies = services.flatMap(({ target }) => createCopies(target))
  const runs = new Map<string, number>()
  let isWriting = true
  const loops = copies.map(async (copy) => {
    while (isWriting) {
      await copy.run()
      runs.set(copy.name, (runs.get(copy.name) ?? 0) + 1)
      await delay(3000)
    }
  })
  const writing = writers.write(minutes * 60_000)
  await Promise.race([delay(minutes * 30_000), writing])
  const changed = await changeInSilence(admin)
  for (const { kind, mappingFile, child } of services) {
    await writeFile(mappingFile, toMapping(kind, 1))
    child.kill('SIGHUP')
  }
  say(`epoch raised after ${String(changed)} rows changed without updatedAt`)
  const tally = await writing
  isWriting = false
  await Promise.all(loops)
  say(JSON.stringify(tally))
  let wrong = 0
  const [rows] = await admin.query<mysql.RowDataPacket[]>(
    "SELECT id, attendee_name AS name, CONCAT(REPLACE(updated_at, ' ', 'T'), 'Z') AS updatedAt FROM event_registrations WHERE archived_at IS NULL",
  )
  const stored = toVersions(rows)
  say(`${String(stored.size)} records in the product`)
  await Promise.all(
    copies.map(async (copy) => {
      for (let again = 0; again < 2; again += 1) await copy.run()
      const synced = compare(await copy.read(), stored)
      let last = synced
      let scrubs = 0
      for (; copy.readAnew === undefined && scrubs < scrubRunsMax && last.left > 0; scrubs += 1) {
        await copy.run()
        last = compare(await copy.read(), stored)
      }
      if (copy.readAnew !== undefined) {
        await copy.readAnew()
        last = compare(await copy.read(), stored)
      }
      const end = copy.readAnew ? 'reading anew' : `${String(scrubs)} more runs`
      say(
        `${copy.name}: ${String(runs.get(copy.name) ?? 0)} runs; ${JSON.stringify(synced)}; after ${end} ${JSON.stringify(last)}`,
      )
      wrong += synced.missing + synced.stale + last.missing + last.stale + last.left
    }),
  )
  for (const { child } of services) child.kill('SIGTERM')
  await admin.end()
  return wrong
}

/** Changes records without `updatedAt`, other than those that a writer holds. */
async function changeInSilence(admin: mysql.Connection): Promise<number> {
  await admin.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')
  await admin.query('START TRANSACTION')
  const [rows] = await admin.query<mysql.RowDataPacket[]>(
    'SELECT id FROM event_registrations WHERE archived_at IS NULL ORDER BY id LIMIT 500 FOR UPDATE SKIP LOCKED',
  )
  const ids = rows.map(({ id }) => String(id))
  await admin.query(
    "UPDATE event_registrations SET attendee_name = CONCAT(attendee_name, ' again') WHERE id IN (?)",
    [ids],
  )
  await admin.query('COMMIT')
  return ids.length
}

function compare(copy: Versions, stored: Versions) {
  const [missing, stale, left] = [
    [...stored.keys()].filter((id) => !copy.has(id)),
    [...stored].filter(([id, version]) => copy.has(id) && copy.get(id) !== version),
    [...copy.keys()].filter((id) => !stored.has(id)),
  ]
  return { missing: missing.length, stale: stale.length, left: left.length }
}

function say(text: string): void {
  process.stderr.write(`copies: ${text}\n`)
}

const throwaway = await startThrowaway()
say(`${String(minutes)} minutes on ${throwaway.origin}`)
try {
  process.exitCode = (await play(throwaway)) === 0 ? 0 : 1
} finally {
  await closeAll()
  await throwaway.stop()
}

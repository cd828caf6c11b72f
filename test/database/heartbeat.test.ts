import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keys, runStatements } from '../product/index.js'
import { withDatabase } from '../../src/tools/commands/with-database.js'
import { checkFreshness, readServerState } from '../../src/tools/check/server.js'
import { parseConfig } from '../../src/config.js'
import { startService, useProduct } from '../support/service.js'
import type { TestService } from '../support/service.js'

const overlapSeconds = 60
const database = useProduct('plain', { registrations: 20 })

/** A beat of a writer as its job wrote it, with the start of the oldest transaction. */
type Beat = readonly [ts: string | null, oldest: string | null]

/** A time, in seconds from now. */
const times = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -90_000, max: -20 }) },
  { weight: 1, arbitrary: fc.constantFrom(2, 300, 4 * 3600) },
)
const endings = fc.constantFrom('', '.5', '.123', '.123456', 'Z', '.25Z')
const written = fc
  .tuple(times, fc.constantFrom(' ', 'T'), endings)
  .map(([seconds, separator, ending]) => toText(seconds, separator) + ending)
const odd = fc.constantFrom(
  ...[null, '', 'soon', '2026-02-30 00:00:00', '0000-00-00 00:00:00', '1969-12-31 23:59:59'],
  ...[
    '2026-03-01',
    '2026-03-01 09:30:00+03:00',
    '2026-03-01 09:30:00.1234567',
    '2026-03-01 09:30:00 and more',
  ],
)
const texts = fc.oneof({ weight: 20, arbitrary: written }, { weight: 1, arbitrary: odd })
const stored = fc.oneof(
  { weight: 20, arbitrary: times.map((seconds) => toText(seconds, ' ')) },
  { weight: 1, arbitrary: fc.constant(null) },
)
const ofRows = <Time>(cell: fc.Arbitrary<Time>): fc.Arbitrary<[Time, Time][]> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.array(fc.tuple(cell, cell), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(fc.tuple(cell, cell), { minLength: 16, maxLength: 18 }) },
  )

function toText(seconds: number, separator: string): string {
  return new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19).replace('T', separator)
}

/** What beats prove, in milliseconds since 1970; undefined for nothing. */
function prove(beats: readonly Beat[], now: number, withOldest: boolean): number | undefined {
  const used = beats.flatMap(([ts, oldest]) => (withOldest ? [ts, oldest] : [ts]))
  const known = used.flatMap((text) => {
    const form = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,6})?)Z?$/.exec(text ?? '')
    const time = form === null ? NaN : Date.parse(`${form[1]!}T${form[2]!}Z`)
    // A day that does not exist becomes another one.
    return time >= 0 && new Date(time).toISOString().startsWith(form![1]!) && time <= now + 5000 ? [time] : []
  })
  if (beats.length === 0 || beats.length > 16 || known.length < used.length) return undefined
  return Math.min(now, ...known) - (withOldest ? 10 : overlapSeconds) * 1000
}

/** What is expected of pages with these beats, one after the other. */
function proveAll(pages: readonly (readonly Beat[])[], now: number, withOldest: boolean): number {
  const proofs = pages.map((beats) => prove(beats, now, withOldest))
  return proofs.some((one) => one === undefined) ? 0 : Math.min(...proofs.map(Number))
}

async function read({ app }: TestService, search: string) {
  const headers = { authorization: `Bearer ${keys.both}` }
  const answer = await app.inject({ url: `/api/public/v1/registrations${search}`, headers })
  expect(answer.statusCode, answer.body).toBe(200)
  const { meta } = answer.json<{ meta: { nextUpdatedSince: string; cursor: string | null } }>()
  return { next: Date.parse(meta.nextUpdatedSince), cursor: meta.cursor ?? '' }
}

async function start(type: string, withOldest: boolean) {
  const table = `heartbeat_${type.replace(/\W/g, '')}`
  const heartbeat = { table, column: 'ts', ...(withOldest ? { oldestOpen: 'oldest' } : {}) }
  await runStatements(database.adminUrl, [
    `CREATE TABLE ${table} (server_id INT PRIMARY KEY AUTO_INCREMENT, ts ${type} NULL, oldest ${type} NULL)`,
  ])
  const env = { SYNC_OVERLAP_SECONDS: String(overlapSeconds) }
  const admin = { ...database, readUrl: database.adminUrl }
  const service = await startService(admin, { env, change: (mapping) => ({ ...mapping, heartbeat }) })
  const write = (beats: readonly Beat[]): Promise<void> =>
    runStatements(database.adminUrl, [
      "SET time_zone = '+00:00'",
      `DELETE FROM ${table}`,
      ...beats.map((beat) => `INSERT INTO ${table} (ts, oldest) VALUES (${beat.map(quote).join()})`),
    ])
  const config = parseConfig({ DATABASE_URL: database.adminUrl, MAPPING_FILE: database.mappingFile })
  const check = async (): Promise<readonly string[]> =>
    withDatabase(config, async ({ runTask }) => {
      const state = await runTask((run) => readServerState(run, heartbeat, Date.now))
      return checkFreshness(config, state, heartbeat).findings.map(({ problem }) => problem)
    })
  return { table, service, write, check }
}
const quote = (text: string | null): string => (text === null ? 'NULL' : `'${text}'`)

test.each<[type: string, withOldest: boolean, cell: fc.Arbitrary<string | null>]>([
  ['VARCHAR(40)', true, texts],
  ['VARCHAR(40) CHARACTER SET latin1', false, texts],
  ['DATETIME(6)', false, stored],
  ['TIMESTAMP(3)', true, stored],
])('all pages and check prove the same of any beats: %s, oldestOpen %s', async (type, withOldest, cell) => {
  const { service, write, check, table } = await start(type, withOldest)
  const rows = ofRows(cell)
  await fc.assert(
    fc.asyncProperty(rows, rows, async (first, second) => {
      /** A page is as complete as these beats say at some time while it is read. */
      const expectPage = async (search: string, ...pages: readonly (readonly Beat[])[]): Promise<string> => {
        const from = proveAll(pages, Date.now(), withOldest)
        const { next, cursor } = await read(service, search)
        expect(next).toBeGreaterThanOrEqual(from)
        expect(next).toBeLessThanOrEqual(proveAll(pages, Date.now(), withOldest))
        return cursor
      }
      await write(first)
      const cursor = await expectPage('?limit=1', first)
      await expectPage('?eventId=none', first)
      expect((await check()).length > 0).toBe(prove(first, Date.now(), withOldest) === undefined)
      await write(second)
      await expectPage(`?limit=1&cursor=${cursor}`, first, second)
    }),
    { numRuns: 25 },
  )
  await runStatements(database.adminUrl, [`DROP TABLE ${table}`])
  for (const search of ['', '?eventId=none'])
    await expect
      .poll(() =>
        read(service, search).then(
          ({ next }) => next,
          () => -1,
        ),
      )
      .toBe(0)
})

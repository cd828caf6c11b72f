import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runStatements } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { createClient } from '../support/client.js'
import { lost, startObstacles } from '../support/obstacles.js'
import type { ObstacleProxy } from '../support/obstacles.js'
import { sortById } from '../support/pulling.js'
import { installSample, isMissing, samples } from '../support/samples.js'
import type { InstalledSample } from '../support/samples.js'
import { html, problem } from '../support/scripted-server.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let service: TestService
/** The same with a higher epoch. */
let raised: TestService
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 1200 })
  service = await startService(database)
  raised = await startService(database, { change: (mapping) => ({ ...mapping, epoch: 1 }) })
})

/** Longer than the wait of every sample after a first failure without `Retry-After`. */
const retryAfterSeconds = 2
const toWait = { 'retry-after': String(retryAfterSeconds) }

const readShown = async (): Promise<readonly View[]> =>
  sortById(await createClient(service).crawl('registrations', { limit: 100 }))

/** Runs a sample to its end. */
async function sync(sample: InstalledSample, { url }: ObstacleProxy): Promise<void> {
  // The rest of the outcome is in the message of a failure.
  expect(await sample.start(url).outcome).toMatchObject({ status: 0 })
}

const readSince = (path: string | undefined): string | null =>
  new URL(path ?? '', 'http://localhost').searchParams.get('updatedSince')

for (const language of samples) {
  const missing = isMissing(language)
  const title = missing ? `: skipped, without ${language.needs}` : ''
  describe.skipIf(missing)(`the documented sync in ${language.language}${title}`, () => {
    let sample: InstalledSample
    beforeAll(async () => {
      sample = await installSample(language)
    })
    afterAll(() => sample.remove())

    test('ends with a right copy whatever interrupts it, without reading a page twice', async () => {
      const proxy = await startObstacles(service)
      const { requests } = proxy
      const listPaths = () => requests.map(({ path }) => path)

      // Page 1, page 2 at the second attempt, page 3 at the second attempt; ended while page 4 is awaited.
      const limited = problem('rate_limited', 429, toWait)
      const overloaded = problem('overloaded', 503, toWait)
      let run = { kill: (): void => undefined }
      proxy.place([
        'none',
        limited,
        'none',
        overloaded,
        'none',
        () => {
          run.kill()
        },
      ])
      const first = sample.start(proxy.url)
      run = first
      expect(await first.outcome).toMatchObject({ status: null })
      expect(requests).toHaveLength(6)
      for (const [refused, again] of [
        [requests[1]!, requests[2]!],
        [requests[3]!, requests[4]!],
      ] as const) {
        expect(again.path).toBe(refused.path)
        // Clocks of programs round to a millisecond or less.
        expect(again.at - refused.at).toBeGreaterThan(retryAfterSeconds * 1000 - 10)
      }

      await sample.tear()
      // Page 4 at the second attempt, page 5 at the third, page 6 at the third.
      // Not a number: a proxy may send a date, or what no program reads.
      const unclear = problem('overloaded', 503, { 'retry-after': 'soon' })
      proxy.place([lost, 'none', html(502), 'half', 'none', problem('internal_error', 500), unclear])
      await sync(sample, proxy)
      expect(requests[6]!.path).toBe(requests[5]!.path)
      expect(requests.length - new Set(listPaths()).size).toBe(2 + 1 + 5)
      const before = await readShown()
      expect(before.length).toBeGreaterThan(500)
      expect(await sample.readCopy()).toEqual(before)

      await runStatements(database.adminUrl, [
        `UPDATE event_registrations SET attendee_name = 'Änne \u2028 "x"', updated_at = UTC_TIMESTAMP(3)
        WHERE workspace_id = '${database.product.workspaceId(0)}' AND archived_at IS NULL ORDER BY id LIMIT 150`,
      ])
      // The second page is refused, so the changes are read from their start.
      const start = requests.length
      proxy.place(['none', 'other cursor'])
      await sync(sample, proxy)
      const [changes, second, again, ...rest] = listPaths().slice(start)
      expect(readSince(changes)).not.toBeNull()
      expect(second).toContain('cursor=')
      expect(again).toBe(changes)
      expect(rest).toHaveLength(1)
      const after = await readShown()
      expect(after).not.toEqual(before)
      expect(await sample.readCopy()).toEqual(after)

      const end = requests.length
      await sync(sample, proxy)
      const later = readSince(listPaths()[end])
      expect(Date.parse(later ?? '')).toBeGreaterThan(Date.parse(readSince(changes) ?? ''))
      expect(await sample.readCopy()).toEqual(after)
    })

    test('is read anew after a higher epoch, and a lower one does not change it', async () => {
      const current = { app: service.app }
      const proxy = await startObstacles(current)
      await sync(sample, proxy)
      const where = `WHERE workspace_id = '${database.product.workspaceId(0)}' AND archived_at IS NULL ORDER BY id LIMIT 1`
      await runStatements(database.adminUrl, [
        `UPDATE event_registrations SET archived_at = UTC_TIMESTAMP(3) ${where}`,
      ])
      const shown = await readShown()
      await sync(sample, proxy)
      expect(await sample.readCopy()).not.toEqual(shown)

      current.app = raised.app
      // The client says the higher epoch at the end of a sync, and the next run reads everything.
      for (const _ of ['seen', 'read anew']) await sync(sample, proxy)
      expect(proxy.requests.filter(({ path }) => !/cursor|updatedSince/.test(path))).toHaveLength(1)
      expect(await sample.readCopy()).toEqual(shown)

      const start = proxy.requests.length
      current.app = service.app
      await runStatements(database.adminUrl, [
        `UPDATE event_registrations SET attendee_name = 'Later', updated_at = UTC_TIMESTAMP(3) ${where}`,
      ])
      await sample.start(proxy.url).outcome
      current.app = raised.app
      await sync(sample, proxy)
      expect(await sample.readCopy()).toEqual(await readShown())
      const again = proxy.requests.slice(start)
      expect(again.filter(({ path }) => !/cursor|updatedSince/.test(path))).toEqual([])
    })
  })
}

import mysql from 'mysql2/promise'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../product/test-database.js'
import { expectDown } from '../support/down.js'
import type { EndSignal } from '../support/running-service.js'
import { countLockedOut } from '../support/server-sessions.js'
import { useThrowaway } from '../support/service.js'
import { createTable, mintKey } from '../torture/table.js'
import { startMachine } from './machine.js'
import type { Machine } from './machine.js'
import { form, openProductAtWork } from './product-at-work.js'
import type { ProductAtWork } from './product-at-work.js'
import { startReverseProxy } from './reverse-proxy.js'
import type { ReverseProxy } from './reverse-proxy.js'
import { createWalk } from './walk.js'
import type { Walk } from './walk.js'

/*
 * Three processes behind one address. A walk reads on, page by page, while they are ended and started again and
 * the product's rows change: what is done when is counted in pages, never in seconds.
 */

const throwaway = useThrowaway()
const closers: (() => Promise<unknown>)[] = []
let database: TestDatabase
let key: string
let machines: readonly Machine[]
let proxy: ReverseProxy
beforeAll(async () => {
  database = await createTable(throwaway, form)
  key = await mintKey(database)
  machines = await Promise.all([1, 2, 3].map(() => startMachine(throwaway, database)))
  proxy = await startReverseProxy(() => machines.map((machine) => machine.current()))
})
afterAll(async () => {
  await proxy.close()
  await Promise.all(closers.map((close) => close()))
  await Promise.all(machines.map((machine) => machine.end('SIGTERM')))
})

/** A walk by small pages, and the product that changes under it. */
async function begin(): Promise<{ walk: Walk; product: ProductAtWork }> {
  const product = await openProductAtWork(database)
  closers.push(() => product.close())
  return { walk: createWalk(proxy.origin, key, 2), product }
}

/** Reads on until the next page is this machine's. */
async function readUpTo(walk: Walk, machine: Machine): Promise<void> {
  const before = machines.at(machines.indexOf(machine) - 1)!.current().api
  while ((await walk.readPage()) !== before);
}

/** Ends a machine in the middle of its page, which waits for a lock. Returns who gave that page in the end. */
async function endWithin(walk: Walk, machine: Machine, signal: EndSignal): Promise<string> {
  const admin = await mysql.createConnection({ uri: database.adminUrl })
  try {
    await admin.query('LOCK TABLES people WRITE')
    const page = walk.readPage()
    await expect.poll(() => countLockedOut(admin), { timeout: 60_000 }).toBe(1)
    const ended = machine.end(signal)
    await expectDown(machine.current().api)
    await admin.query('UNLOCK TABLES')
    await ended
    return await page
  } finally {
    await admin.end()
  }
}

/** Nothing lost, nothing shown that was never there, and never two pages in turn from the same process. */
async function expectAllSeen(walk: Walk, product: ProductAtWork): Promise<void> {
  const visible = await product.readVisible()
  expect(visible.size).toBeGreaterThan(100)
  const archived = new Set(product.archivedIds())
  expect(new Map([...walk.seen].filter(([id]) => !archived.has(id)))).toEqual(visible)
  expect(walk.servedBy.filter((api, page) => api === walk.servedBy[page - 1])).toEqual([])
}

test('a cursor goes on over machines that are ended and started again, and nothing is lost', async () => {
  const { walk, product } = await begin()
  const processes = new Set(machines.map((machine) => machine.current().api))
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const machine of machines) {
      const { api } = machine.current()
      await readUpTo(walk, machine)
      const heir = await endWithin(walk, machine, signal)
      // Who is asked to end answers what is under way; who is killed leaves it to the next one.
      if (signal === 'SIGTERM') expect(heir).toBe(api)
      else expect(heir).not.toBe(api)
      const [pages] = await Promise.all([walk.readPages(4), product.changeRows(3)])
      expect(pages).not.toContain(api)
      await Promise.all([machine.start(), walk.readPages(4), product.changeRows(3)])
      processes.add(machine.current().api)
      expect(await walk.readPages(4)).toContain(machine.current().api)
    }
  }
  await walk.readOut()
  await expectAllSeen(walk, product)
  expect(processes.size).toBe(9)
  expect(new Set(walk.servedBy)).toEqual(processes)
  expect(walk.instants.size).toBe(1)
})

test('a cursor goes on while a release with other settings replaces one machine after the other', async () => {
  const { walk, product } = await begin()
  for (const machine of machines) {
    await readUpTo(walk, machine)
    await machine.end('SIGTERM')
    await Promise.all([walk.readPages(3), product.changeRows(3)])
    await machine.start({
      KEY_CACHE_MAX: '5',
      KEY_CACHE_TTL_SECONDS: '0',
      DATABASE_POOL_SIZE: '2',
      DATABASE_QUEUE_LIMIT: '50',
      RATE_LIMIT_PER_MINUTE: '100000',
      SYNC_OVERLAP_SECONDS: '7',
      PUBLIC_URL: 'https://api.example.com/vitrine',
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'debug',
    })
    expect(await walk.readPages(4)).toContain(machine.current().api)
  }
  await walk.readOut()
  await expectAllSeen(walk, product)
  // The overlap is the one setting that shows: the start of the crawl that the cursor holds is the same.
  expect(walk.instants.size).toBe(2)
})

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { keys } from '../product/index.js'
import { startProxy } from '../support/proxy.js'
import type { Proxy } from '../support/proxy.js'
import { startServing, toServingEnv } from '../support/serving.js'
import type { ServingProcess } from '../support/serving.js'
import { useThrowaway } from '../support/service.js'

/*
 * What each kind of answer costs, counted and not timed: statements and answers of the database, bytes that are allocated,
 * and bytes that two minor collections do not free. `answer-costs.json` has the numbers, the bytes for each version of Node
 * that is in use. Write it again with ANSWER_COSTS=write; a commit that does so says why.
 *
 * Instructions are not counted: `perf` has no counter of them on a virtual machine.
 */

const file = fileURLToPath(new URL('answer-costs.json', import.meta.url))

/** The counters of one answer. */
interface Cost {
  readonly statements: number
  readonly trips: number
  readonly allocated: number
  readonly promoted: number
}

type Costs = Readonly<Record<string, Cost>>

/** What is asked for, by what the answer is. */
interface Request {
  readonly path: string
  readonly key?: string
  readonly again?: true
}

interface List {
  readonly data: readonly { readonly id?: string; readonly eventId?: string }[]
}

const requests: Readonly<Record<string, Request>> = {
  'list of 25': { path: 'registrations' },
  'list of 100': { path: 'registrations?limit=100' },
  'list of invoices': { path: 'invoices' },
  'list by event and status': { path: 'registrations?eventId=$event&status=CONFIRMED' },
  'list, 304': { path: 'registrations', again: true },
  'empty list': { path: 'registrations?updatedSince=2999-01-01' },
  record: { path: 'registrations/$id' },
  invoice: { path: 'invoices/$id' },
  'record, 304': { path: 'registrations/$id', again: true },
  'record, 404': { path: 'registrations/none' },
  'parameter, 400': { path: 'registrations?limit=0' },
  'key, 401': { path: 'registrations', key: 'evk_unknown' },
}

const throwaway = useThrowaway()
const isWriting = process.env['ANSWER_COSTS'] === 'write'
/** Of MySQL and MariaDB, which answer in other packets. */
const server = inject('server').isMariaDb ? 'MariaDB' : 'MySQL'
const name = `Node ${process.versions.node.split('.')[0]}, ${server}`
const known = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Costs>>
let service: ServingProcess
let proxy: Proxy

const ask = async (
  path: string,
  { key = keys.both, etag = '' }: { readonly key?: string | undefined; readonly etag?: string } = {},
): Promise<{ readonly etag: string; readonly text: string }> => {
  const headers = { authorization: `Bearer ${key}`, 'if-none-match': etag }
  const answer = await fetch(`${service.api}/api/public/v1/${path}`, { headers })
  return { etag: answer.headers.get('etag') ?? '', text: await answer.text() }
}

beforeAll(async () => {
  const product = await throwaway.createProduct('plain', { registrations: 2000 })
  proxy = await startProxy(product.readUrl)
  service = await startServing(throwaway, {
    env: {
      ...toServingEnv({ ...product, readUrl: proxy.url }),
      // Neither a comparison with the schema nor a new session belongs to an answer.
      SCHEMA_CHECK_SECONDS: '3600',
      DATABASE_CONNECTION_MAX_AGE_SECONDS: '3600',
      KEY_CACHE_TTL_SECONDS: '3600',
    },
    // Without compilers, which leave out allocations when they are done. Nothing is collected while it is counted.
    nodeArgs: [
      '--no-opt',
      '--no-sparkplug',
      '--no-maglev',
      '--expose-gc',
      '--min-semi-space-size=128',
      '--max-semi-space-size=256',
      '--import',
      new URL('meter.mjs', import.meta.url).href,
    ],
  })
})

const tell = (what: 'begin' | 'end'): Promise<{ readonly allocated?: number; readonly promoted: number }> =>
  new Promise((resolve) => {
    service.child.once('message', resolve)
    service.child.send(what)
  })

const isOfCheck = (messages: readonly string[]): boolean =>
  messages.some((message) => /^query show (replica|slave|all slaves) status/.test(message))

/** The messages of the sessions that answer requests. */
const listMessages = (): readonly string[] =>
  proxy
    .listMessages()
    .filter((messages) => !isOfCheck(messages))
    .flat()
    .filter((message) => !message.startsWith('query show variables'))

const countChecks = (): number => proxy.listMessages().filter(isOfCheck).flat().length

const burst = 10
const roundsWanted = 9
const roundsMax = 60

/** The path with an id and an event of the workspace. */
async function fill(path: string): Promise<string> {
  const { data } = JSON.parse((await ask(path.split(/[/?]/)[0] ?? '')).text) as List
  const { id = '', eventId = '' } = data[0] ?? {}
  return path.replace('$id', id).replace('$event', encodeURIComponent(eventId))
}

const findMedian = (counts: readonly number[]): number =>
  [...counts].sort((one, other) => one - other)[counts.length >> 1] ?? 0

/**
 * Counts in rounds between two health checks and without a collection, however slow the machine is. What else happens in a
 * round can only add to what it sends and allocates, so that the lowest counts. Of what is promoted it is the median, because
 * something older can become free.
 */
async function measure({ path, key, again }: Request): Promise<Cost> {
  const filled = await fill(path)
  const etag = again === true ? (await ask(filled)).etag : ''
  const counts: Cost[] = []
  for (let round = 0; counts.length < roundsWanted; round += 1) {
    if (round === roundsMax) throw new Error(`No ${burst} requests were answered between two health checks`)
    await tell('begin')
    const [before, checks] = [listMessages().length, countChecks()]
    for (let at = 0; at < burst; at += 1) await ask(filled, { key, etag })
    const { allocated, promoted } = await tell('end')
    if (allocated === undefined || countChecks() > checks) continue
    const messages = listMessages().slice(before)
    const statements = messages.filter((message) => !message.startsWith('prepare')).length
    counts.push({ statements, trips: messages.length, allocated, promoted })
  }
  const of = (counter: keyof Cost): number => Math.min(...counts.map((one) => one[counter])) / burst
  return {
    statements: of('statements'),
    trips: of('trips'),
    allocated: Math.round(of('allocated')),
    promoted: Math.round(findMedian(counts.map(({ promoted }) => promoted)) / burst),
  }
}

/** Of bytes: the same code differs by less than 3 percent, on a loaded machine too; a fifth more is found. */
const tolerance = 0.15
/** Of what is promoted, which differs by up to 5,000 bytes; an answer whose objects are all promoted has ten times as many. */
const promotedSlack = 8000

const isWithin = (found: number, expected: number, slack: number): boolean =>
  found - expected <= Math.max(expected * tolerance, slack)

const found: Record<string, Cost> = {}

test.each(Object.entries(requests))('the answer %s costs what it did', async (what, request) => {
  const cost = await measure(request)
  found[what] = cost
  if (isWriting) return
  // Bytes of other versions of Node are not known.
  const expected = known[name]?.[what] ?? {
    ...known[`Node 20, ${server}`]?.[what],
    allocated: Infinity,
    promoted: Infinity,
  }
  const isSame =
    cost.statements === expected.statements &&
    cost.trips === expected.trips &&
    isWithin(cost.allocated, expected.allocated, 0) &&
    isWithin(cost.promoted, expected.promoted, promotedSlack)
  expect(isSame ? expected : cost).toEqual(expected)
})

afterAll(() => {
  if (isWriting) writeFileSync(file, `${JSON.stringify({ ...known, [name]: found }, null, 2)}\n`)
})

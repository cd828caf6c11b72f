import { createHash } from 'node:crypto'
import { mintKey } from '../../src/keys/key.js'
import { createCrawler, createReader } from '../faults/callers.js'
import type { Caller } from '../faults/callers.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import type { Random } from '../product/random.js'
import { base } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import type { CollectionName } from '../support/expected.js'

/** Those who read all that they are given, each with an own way of asking. */
export function createSoakCallers(database: ProductDatabase, random: Random): readonly Caller[] {
  return [
    createCrawler(database, { collection: 'registrations', limit: 100 }),
    createCrawler(database, { collection: 'registrations', limit: 25, status: 'CONFIRMED' }),
    createCrawler(database, { collection: 'invoices', limit: 100 }),
    createCrawler(database, { collection: 'registrations', limit: 40, workspace: 1 }),
    ...collections.map((collection) => createReader(database, collection)),
    ...collections.map((collection) => createPoller(database, random, collection)),
    createGuesser(random),
    ...Object.entries(requests).map(([name, list]) => createRequester(name, random, list)),
  ]
}

/** Sends the same again with the entity tag that it was given, and must get no body. */
function createPoller(database: ProductDatabase, random: Random, collection: CollectionName): Caller {
  const ids = listExpected(database, collection).map(({ view }) => String(view['id']))
  let path = ''
  let [etag, left] = ['', 0]
  return {
    name: `polling ${collection}`,
    key: keys.both,
    toPath: () => {
      if (left > 0) return path
      etag = ''
      path = `${base}/${collection}${random.pick([`/${random.pick(ids)}`, `?limit=${1 + random.whole(50)}`])}`
      return path
    },
    ifNoneMatch: () => etag,
    findError: ({ status, headers, text }) => {
      left = etag === '' ? 10 : left - 1
      if (etag !== '') return status === 304 && text === '' ? undefined : `status ${status}, not 304`
      etag = headers.get('etag') ?? ''
      return status === 200 && etag !== '' ? undefined : `status ${status}, entity tag ${etag}`
    },
  }
}

/** Guesses keys, of which each is another. */
function createGuesser(random: Random): Caller {
  return {
    name: 'unknown keys',
    get key() {
      return mintKey('evk_', createHash('sha256').update(random.hex(16)).digest())
    },
    toPath: () => `${base}/invoices?limit=1`,
    findError: ({ status }) => (status === 401 ? undefined : `status ${status}, not 401`),
  }
}

type Requests = readonly (readonly [toPath: (random: Random) => string, status: number])[]

/** What takes another form each time, so that nothing that is kept for a form may be kept for ever. */
const requests: Readonly<Record<string, Requests>> = {
  'any list': [
    [({ whole }) => `registrations?limit=${1 + whole(100)}&updatedSince=${drawTime(whole)}`, 200],
    [({ whole }) => `registrations?limit=${1 + whole(100)}&status=${whole(1e9)}`, 200],
    [({ whole, hex }) => `invoices?limit=${1 + whole(100)}&eventId=${hex(20)}`, 200],
    [({ hex }) => `invoices/${hex(30)}`, 404],
  ],
  'bad requests': [
    [() => 'registrations?limit=0', 400],
    [() => 'registrations?limit=1&limit=2', 400],
    [() => 'invoices?updatedSince=2026-02-30', 400],
    [({ hex }) => `invoices?cursor=${hex(40)}`, 400],
    [({ hex }) => `invoices?x${hex(8)}=total`, 400],
    [() => 'registrations/%zz', 400],
    [({ hex }) => hex(10), 404],
    [() => `registrations/${'x'.repeat(9000)}`, 414],
  ],
}

function drawTime(whole: Random['whole']): string {
  return new Date(Date.UTC(2026, 0, 5) + whole(1e10)).toISOString()
}

function createRequester(name: string, random: Random, list: Requests): Caller {
  let wanted = 0
  return {
    name,
    key: keys.both,
    toPath: () => {
      const [toPath, status] = random.pick(list)
      wanted = status
      return `${base}/${toPath(random)}`
    },
    findError: ({ status }) => (status === wanted ? undefined : `status ${status}, not ${wanted}`),
  }
}

import { createCrawler, createReader } from '../faults/callers.js'
import type { Caller } from '../faults/callers.js'
import { createHash } from 'node:crypto'
import { mintKey } from '../../src/keys/key-format.js'
import { keys } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import type { Random } from '../product/random.js'
import { base } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import type { CollectionName } from '../support/expected.js'

/** One request, and what is wrong with its answer; undefined where nothing is. */
export interface Question {
  readonly path: string
  readonly key: string
  readonly ifNoneMatch?: string | undefined
  readonly findError: (reply: {
    readonly status: number
    readonly text: string
    readonly etag: string | undefined
  }) => string | undefined
}

/** Somebody who asks one thing after the other for as long as the soak lasts. */
export interface Asker {
  readonly name: string
  readonly next: () => Question
}

/** Those who read all that they are given, each with an own way of asking. */
export function createAskers(database: ProductDatabase, random: Random): readonly Asker[] {
  return [
    ...[
      createCrawler(database, { collection: 'registrations', limit: 100 }),
      createCrawler(database, { collection: 'registrations', limit: 25, status: 'CONFIRMED' }),
      createCrawler(database, { collection: 'invoices', limit: 100 }),
      createCrawler(database, { collection: 'registrations', limit: 40, workspace: 1 }),
      createReader(database, 'registrations'),
      createReader(database, 'invoices'),
    ].map(toAsker),
    ...collections.map((collection) => createBrowser(database, random, collection)),
    ...collections.map((collection) => createPoller(database, random, collection)),
    createStranger(random),
    createBlunderer(random),
  ]
}

function toAsker(caller: Caller): Asker {
  return {
    name: caller.name,
    next: () => ({
      path: caller.toPath(),
      key: caller.key,
      findError: ({ status, text }) => caller.findError({ status, text, headers: new Headers() }),
    }),
  }
}

/** A page from any instant on, with any filter, and the two behind it. */
function createBrowser(database: ProductDatabase, random: Random, collection: CollectionName): Asker {
  const all = listExpected(database, collection)
  let following:
    { readonly cursor: string; readonly rest: readonly View[]; readonly pages: number } | undefined
  const comparePage =
    (wanted: readonly View[], limit: number, pages: number): Question['findError'] =>
    ({ status, text }) => {
      following = undefined
      if (status !== 200) return `status ${status}`
      const { data, meta } = JSON.parse(text) as { data: View[]; meta: { cursor: string | null } }
      if (JSON.stringify(data) !== JSON.stringify(wanted.slice(0, data.length))) return 'another page'
      if (data.length > limit || (meta.cursor === null && data.length !== wanted.length))
        return 'another length'
      if (meta.cursor !== null && pages < 3)
        following = { cursor: meta.cursor, rest: wanted.slice(data.length), pages: pages + 1 }
      return undefined
    }
  return {
    name: `any page of ${collection}`,
    next: () => {
      const limit = 1 + random.whole(100)
      const path = `${base}/${collection}?limit=${limit}`
      if (following !== undefined) {
        const { cursor, rest, pages } = following
        return {
          path: `${path}&cursor=${cursor}`,
          key: keys.both,
          findError: comparePage(rest, limit, pages),
        }
      }
      const { view, truth } = all[random.whole(all.length)]!
      const [bySince, byStatus, byEvent] = [random.whole(4) > 0, random.whole(2) === 0, random.whole(3) === 0]
      const wanted = all.filter(
        (one) =>
          (!bySince || String(one.view['updatedAt']) >= String(view['updatedAt'])) &&
          (!byStatus || one.view['status'] === view['status']) &&
          (!byEvent || truth.event === null || one.truth.event === truth.event),
      )
      const filters = [
        ...(bySince ? [`&updatedSince=${String(view['updatedAt'])}`] : []),
        ...(byStatus ? [`&status=${String(view['status'])}`] : []),
        ...(byEvent && truth.event !== null ? [`&eventId=${database.product.eventId(truth.event)}`] : []),
      ]
      const views = wanted.map((one) => one.view)
      return { path: `${path}${filters.join('')}`, key: keys.both, findError: comparePage(views, limit, 1) }
    },
  }
}

/** Asks the same again with the entity tag that it was given, and must get no body. */
function createPoller(database: ProductDatabase, random: Random, collection: CollectionName): Asker {
  const views = listExpected(database, collection).map(({ view }) => view)
  let known: { readonly path: string; readonly etag: string; left: number } | undefined
  return {
    name: `polling ${collection}`,
    next: () => {
      if (known !== undefined && known.left > 0) {
        known.left -= 1
        const findError: Question['findError'] = ({ status, text }) =>
          status === 304 && text === '' ? undefined : `status ${status}, not 304`
        return { path: known.path, key: keys.both, ifNoneMatch: known.etag, findError }
      }
      const id = String(views[random.whole(views.length)]!['id'])
      const path = `${base}/${collection}${random.whole(2) === 0 ? `/${id}` : `?limit=${1 + random.whole(50)}`}`
      const findError: Question['findError'] = ({ status, etag }) => {
        if (status !== 200 || etag === undefined) return `status ${status}`
        known = { path, etag, left: 10 }
        return undefined
      }
      return { path, key: keys.both, findError }
    },
  }
}

/** Guesses keys, of which each is another. */
function createStranger(random: Random): Asker {
  return {
    name: 'unknown keys',
    next: () => ({
      path: `${base}/invoices?limit=1`,
      key: mintKey(
        'evk_',
        createHash('sha256')
          .update(String(random.whole(1_000_000_000)))
          .digest(),
      ),
      findError: ({ status, text }) => compareProblem(status, text, [401, 'invalid_key']),
    }),
  }
}

const blunders = [
  ['registrations?limit=0', 400, 'invalid_parameter'],
  ['registrations?limit=1&limit=2', 400, 'invalid_parameter'],
  ['invoices?updatedSince=2026-02-30', 400, 'invalid_parameter'],
  ['invoices?cursor=AQID', 400, 'invalid_cursor'],
  ['invoices?sort=total', 400, 'unknown_parameter'],
  ['registrations/%zz', 400, 'malformed_request'],
  ['events', 404, 'not_found'],
  [`registrations/${'x'.repeat(9000)}`, 414, 'uri_too_long'],
] as const

function createBlunderer(random: Random): Asker {
  return {
    name: 'bad requests',
    next: () => {
      const [path, ...expected] = blunders[random.whole(blunders.length)]!
      const findError: Question['findError'] = ({ status, text }) => compareProblem(status, text, expected)
      return { path: `${base}/${path}`, key: keys.both, findError }
    },
  }
}

function compareProblem(
  status: number,
  text: string,
  expected: readonly [status: number, code: string],
): string | undefined {
  const { code } = JSON.parse(text) as { code?: string }
  return status === expected[0] && code === expected[1] ? undefined : `${status} ${String(code)}`
}

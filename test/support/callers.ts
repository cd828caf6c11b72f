import { setTimeout as delay } from 'node:timers/promises'
import { keys } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { base } from './client.js'
import { listExpected } from './expected.js'
import type { CollectionName } from './expected.js'

/** What came back. */
export interface Reply {
  readonly status: number
  readonly text: string
}

/** Somebody who asks one thing after the other and knows what is right. */
interface Caller {
  readonly name: string
  readonly key: string
  /** The path of the next request; the same again until it is answered. */
  readonly toPath: () => string
  /** What is wrong with an answer that is not a 503; undefined moves on to the next request. */
  readonly findError: (reply: Reply) => string | undefined
}

/** Follows cursors through a list for ever; each page must go on exactly where the one before ended. */
function crawl(database: ProductDatabase, collection: CollectionName, limit: number, status = ''): Caller {
  const expected = listExpected(database, collection)
    .map(({ view }) => view)
    .filter((view) => status === '' || view['status'] === status)
  const first = `${base}/${collection}?limit=${limit}${status === '' ? '' : `&status=${status}`}`
  let [path, at] = [first, 0]
  return {
    name: `crawl of ${collection} by ${limit}`,
    key: keys.both,
    toPath: () => path,
    findError: (reply) => {
      if (reply.status !== 200) return `status ${reply.status}`
      const { data, meta } = JSON.parse(reply.text) as { data: View[]; meta: { cursor: string | null } }
      const wanted = expected.slice(at, at + data.length)
      if (data.length > limit || JSON.stringify(data) !== JSON.stringify(wanted)) return `not page ${at}`
      at += data.length
      if (meta.cursor !== null) path = `${base}/${collection}?cursor=${meta.cursor}&limit=${limit}`
      else if (at !== expected.length) return `the end after ${at} of ${expected.length}`
      else [path, at] = [first, 0]
      return undefined
    },
  }
}

/** Reads one record after the other, and now and then one that is not there. */
function readOneByOne(database: ProductDatabase, collection: CollectionName): Caller {
  const views = listExpected(database, collection).map(({ view }) => view)
  let at = 0
  const find = (): View | undefined => (at % 7 === 6 ? undefined : views[at % views.length])
  return {
    name: `single ${collection}`,
    key: keys.both,
    toPath: () => `${base}/${collection}/${String(find()?.['id'] ?? 'none')}`,
    findError: ({ status, text }) => {
      const view = find()
      const isRight = view === undefined ? status === 404 : status === 200 && text === JSON.stringify(view)
      if (!isRight) return `status ${status}, not ${view === undefined ? '404' : 'the record'}`
      at += 1
      return undefined
    },
  }
}

/** A request and how it ended. */
interface Result {
  readonly caller: string
  readonly as: 'right' | '503' | 'wrong'
  /** By `performance.now()`. */
  readonly sentAt: number
  readonly detail: string
}

/** Callers of all kinds who ask all the time. */
export type Callers = ReturnType<typeof startCallers>

/** Between two requests of a caller: a few at a time, not as many as the machine can bear. */
const pauseMs = 15

/** Lets every caller ask, one request after the other, until they are stopped. */
export function startCallers(database: ProductDatabase, send: (path: string, key: string) => Promise<Reply>) {
  const callers = [
    crawl(database, 'registrations', 7),
    crawl(database, 'invoices', 25, 'PAID'),
    readOneByOne(database, 'registrations'),
    readOneByOne(database, 'invoices'),
  ]
  const results: Result[] = []
  let going = true
  const ask = async (caller: Caller, path: string): Promise<readonly [Result['as'], string]> => {
    try {
      const reply = await send(path, caller.key)
      if (reply.status === 503) return ['503', reply.text]
      const error = caller.findError(reply)
      return error === undefined ? ['right', ''] : ['wrong', `${error}: ${reply.text.slice(0, 200)}`]
    } catch (error) {
      return ['wrong', String(error instanceof Error ? (error.cause ?? error) : error)]
    }
  }
  const done = callers.map(async (caller) => {
    while (going) {
      const sentAt = performance.now()
      const path = caller.toPath()
      const [as, detail] = await ask(caller, path)
      results.push({ caller: caller.name, as, sentAt, detail: `${caller.name}: ${detail} at ${path}` })
      await delay(pauseMs)
    }
  })
  return {
    names: callers.map(({ name }) => name),
    /** Everything that has ended, in that order. */
    results: results as readonly Result[],
    stop: async (): Promise<void> => {
      going = false
      await Promise.all(done)
    },
  }
}

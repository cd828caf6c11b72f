import type { View } from '../product/index.js'
import { base } from '../support/client.js'
import { poolSize } from './service-process.js'
import type { ServiceProcess } from './service-process.js'
import { toVersion } from './table.js'
import type { Visible } from './table.js'
import type { Tally } from './tally.js'
import type { Trace } from './trace.js'

/** One way through a list, from its first page to `cursor: null`. */
export interface Crawl {
  /** The `updatedSince` that it began with. */
  readonly since: string | undefined
  readonly begunRound: number
  /** What every page of it says. */
  readonly next: string
  cursor: string | null
  /** `updatedAt` of the last record that it showed. */
  last: string | undefined
}

/** An integrator: it keeps a copy and knows of the service what `meta` says, nothing else. */
export interface Reader {
  readonly name: string
  /** Its number in the trace. */
  readonly number: number
  /** Versions of records by id, as they came last. */
  readonly copy: Visible
  /** The crawl under way, or the last one. */
  readonly crawl: () => Crawl | undefined
  /** Reads pages, at most up to the end of a crawl. Returns the crawl that ended with them. */
  readonly readPages: (count: number, round: number) => Promise<Crawl | undefined>
}

/** What readers share. */
interface ReaderDeps {
  readonly service: ServiceProcess
  readonly tally: Tally
  readonly trace: Trace
}

interface ReaderOptions {
  /** The page's size, drawn for each page. */
  readonly drawLimit: () => number
  readonly name: string
  readonly number: number
}

interface Page {
  readonly data: readonly View[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string }
}

/** A reader with an empty copy. */
export function createReader(
  { service, tally, trace }: ReaderDeps,
  { name, number, drawLimit }: ReaderOptions,
): Reader {
  const copy = new Map<string, string>()
  let crawl: Crawl | undefined

  const readPage = async (round: number): Promise<Crawl> => {
    const page = await ask(service, toQuery(drawLimit(), crawl))
    const before = crawl
    crawl = goOn(before, page, round)
    tally.pages += 1
    const versions = page.data.map((view) => [String(view['id']), toVersion(view)] as const)
    trace.read({ ...crawl, reader: number }, crawl !== before, new Map(versions))
    for (const [id, version] of versions) {
      tally.seen += 1
      tally.seenTwice += copy.get(id) === version ? 1 : 0
      // What comes later is newer: a product's own times may go back.
      copy.set(id, version)
    }
    crawl.last = versions.at(-1)?.[1].split(' ')[0] ?? crawl.last
    return crawl
  }

  return {
    name,
    number,
    copy,
    crawl: () => crawl,
    readPages: async (count, round) => {
      for (let page = 0; page < count; page += 1) {
        const now = await readPage(round)
        if (now.cursor === null) {
          tally.crawls += 1
          return now
        }
      }
      return undefined
    },
  }
}

/** A cursor alone goes on, an instant alone begins anew, and the very first page needs neither. */
function toQuery(limit: number, crawl: Crawl | undefined): Readonly<Record<string, string>> {
  if (crawl === undefined) return { limit: String(limit) }
  return crawl.cursor === null
    ? { limit: String(limit), updatedSince: crawl.next }
    : { limit: String(limit), cursor: crawl.cursor }
}

function goOn(before: Crawl | undefined, { meta }: Page, round: number): Crawl {
  const { cursor, nextUpdatedSince: next } = meta
  if (before === undefined || before.cursor === null)
    return { since: before?.next, begunRound: round, next, cursor, last: undefined }
  if (before.next !== next)
    throw new Error(`nextUpdatedSince changed from ${before.next} to ${next} on the way`)
  before.cursor = cursor
  return before
}

/**
 * A page, asked for again where the service was ended meanwhile, or has lost its connections to the database;
 * any other refusal is an error.
 */
async function ask(service: ServiceProcess, query: Readonly<Record<string, string>>): Promise<Page> {
  const path = `${base}/registrations?${new URLSearchParams(query).toString()}`
  for (let refusals = 0; ;) {
    const current = service.current()
    const answer = await fetchText(`${await current}${path}`, service.key).catch((error: unknown) => {
      if (service.current() === current) throw error
    })
    if (answer === undefined) continue
    if (answer.status === 200) return JSON.parse(answer.text) as Page
    refusals += 1
    if (answer.status !== 503 || service.cuts() === 0 || refusals > 2 * poolSize)
      throw new Error(`${path}: ${answer.status} ${answer.text}`)
  }
}

async function fetchText(
  url: string,
  key: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status, text: await answer.text() }
}

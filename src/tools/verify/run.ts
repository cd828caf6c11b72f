import type { Caller, KeyTexts } from './caller.js'
import { createNoAnswer } from './exchange.js'
import type { Call, Exchange, Json, KeyName } from './exchange.js'
import { crawl, readUpdatedAt } from './pages.js'
import type { Asking, Crawl, Page } from './pages.js'
import { Verdict } from './verdict.js'
import type { Rule } from './verdict.js'

/** The collections that the contract has. */
export const collectionNames = ['registrations', 'invoices'] as const
/** A collection of the contract. */
export type CollectionName = (typeof collectionNames)[number]

/** How the service answers the list of a collection. `absent`: it does not serve it. */
export type Access = 'readable' | 'forbidden' | 'absent' | 'broken'

/** What is known about a collection before the guarantees are verified. */
export interface Collection {
  readonly name: CollectionName
  /** The path of its list, below the base path. */
  readonly path: string
  /** With each of the keys that the run has. */
  readonly access: Readonly<Partial<Record<KeyName, Access>>>
  /** The first answer of its list. */
  readonly first: Exchange
}

/** What all guarantees share. */
export interface Shared {
  readonly caller: Caller
  readonly collections: readonly Collection[]
  /** The answer of `/openapi.json`. */
  readonly document: Exchange
  readonly keys: KeyTexts
  readonly maxRequests: number
  /** The first pages of each collection; undefined where its list cannot be read. Read when they are needed. */
  readonly samples: Map<CollectionName, Sample | undefined>
}

/** What a guarantee is verified with. */
export interface Run extends Shared, Asking {
  /** Every exchange so far, in order. */
  readonly exchanges: readonly Exchange[]
}

/** The first records of a collection, in pages of 100. */
export interface Sample extends Crawl {
  readonly path: string
  readonly collection: Collection
  readonly first: Page
  /** Records that changed before this instant are settled: no transaction that commits late brings more of them. */
  readonly settledBefore: string
  /** Until they are changed or archived, every crawl has them. */
  readonly settled: readonly Json[]
}

/** Verifies something. */
export type Check = (run: Run) => Promise<void> | void

/** A guarantee of the contract that is visible from outside. */
export interface Guarantee {
  /** Never renamed, because programs use it. */
  readonly name: string
  /** The guarantee as a sentence. */
  readonly title: string
  readonly checks: readonly Check[]
  /** Whether it looks at every answer of the run, so that it comes last. */
  readonly isWatching: boolean
}

/** A guarantee with requests of its own. */
export function guarantee(name: string, title: string, ...checks: readonly Check[]): Guarantee {
  return { name, title, checks, isWatching: false }
}

/** A guarantee of every answer of the run. */
export function watching(name: string, title: string, ...checks: readonly Check[]): Guarantee {
  return { name, title, checks, isWatching: true }
}

/** A table: what each of these things of the run must be. Without such a thing nothing is verified. */
export function byRules<Of extends { readonly exchange: Exchange }>(
  list: (run: Run) => readonly Of[],
  listRules: (one: Of) => readonly Rule[],
): Check {
  return (run) => {
    for (const one of list(run)) run.verdict.expectAll(one.exchange, listRules(one))
  }
}

/** The run of one guarantee. */
export function createRun(shared: Shared): Run {
  const { caller } = shared
  const verdict = new Verdict()
  const ask = async (call: Call): Promise<Exchange> => {
    const outcome = verdict.isStopped ? undefined : await caller.ask(call)
    if (outcome !== undefined && !('reason' in outcome)) return outcome
    if (outcome !== undefined) verdict.stop(outcome)
    return createNoAnswer(call)
  }
  return { ...shared, verdict, ask, exchanges: caller.exchanges }
}

/** The collections that the key can read. */
export function listReadable({ collections }: Pick<Run, 'collections'>): readonly Collection[] {
  return collections.filter(({ access }) => access.key === 'readable')
}

/** Five pages in a run of 600 requests, and one more for every ten requests beyond. */
function toPagesMax(maxRequests: number): number {
  const few = Math.min(5, Math.max(1, Math.floor(maxRequests / 60)))
  return Math.max(few, Math.floor((maxRequests - 550) / 10))
}

/** Reads the sample of a collection, once. */
export async function findSample(run: Run, collection: Collection): Promise<Sample | undefined> {
  const { samples, verdict } = run
  if (samples.has(collection.name)) return samples.get(collection.name)
  const { path } = collection
  const crawled = await crawl(run, { path, limits: [100], pagesMax: toPagesMax(run.maxRequests) })
  const [first] = crawled.pages
  const settledBefore = first?.nextUpdatedSince ?? ''
  const settled = crawled.records.filter((record) => readUpdatedAt(record) < settledBefore)
  const sample = first && { ...crawled, path, collection, first, settledBefore, settled }
  // The next guarantee reads it where this one got no answer.
  if (!verdict.isStopped) samples.set(collection.name, sample)
  return sample
}

/** A collection that is verified. */
export interface Place extends Run, Sample {}

/** Verifies something for one collection. The result says what the collection lacks for it, such as a second record. */
export type PlaceCheck = (place: Place) => Promise<string | undefined> | Promise<void>

/** Verifies something for each collection that the key can read; what one lacks is a reason, and the next one counts. */
export function forEachPlace(check: PlaceCheck): Check {
  return async (run) => {
    const readable = listReadable(run)
    for (const collection of readable) {
      const sample = await findSample(run, collection)
      const lacking = sample === undefined ? 'the list cannot be read' : await check({ ...run, ...sample })
      if (typeof lacking === 'string') run.verdict.skip(`${collection.name}: ${lacking}`)
    }
    if (readable.length === 0) run.verdict.skip('no list can be read')
  }
}

/** Why a collection of one record shows nothing of cursors. */
export const noCursor = 'fewer than two records, so that there is no cursor'
/** Why a collection without an older record shows nothing that must stay. */
export const noSettled = 'no record is older than nextUpdatedSince'

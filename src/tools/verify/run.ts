import type { Caller, KeyTexts } from './caller.js'
import { SkipError } from './caller.js'
import type { Exchange, Json, KeyName } from './exchange.js'
import { crawl, NoPageError, readUpdatedAt } from './pages.js'
import type { Crawl, Page } from './pages.js'
import type { Verdict } from './verdict.js'

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

/** What every guarantee is verified with. */
export interface Run {
  /** What is found out about the guarantee that is verified. */
  readonly verdict: Verdict
  readonly caller: Caller
  readonly collections: readonly Collection[]
  /** The answer of `/openapi.json`. */
  readonly document: Exchange
  readonly keys: KeyTexts
  /** Reads the first pages of a collection, once. */
  readonly findSample: (collection: Collection) => Promise<Sample>
}

/** The first records of a collection, in pages of 100. */
export interface Sample extends Crawl {
  readonly path: string
  readonly collection: Collection
  readonly first: Page
  /** Records that changed before this instant are settled: no transaction that commits late brings more of them. */
  readonly settledBefore: string
}

/** Verifies a guarantee. */
export type Check = (run: Run) => Promise<void> | void

/** How guarantees of one kind are verified, by name. */
export type Checks = Readonly<Record<string, Check>>

/** One thing that an answer must be: whether it is, what came, and what should have come. */
export type Rule = readonly [isMet: boolean, got: string, expected: string]

/** A guarantee that is a table: what each of these things of the run must be. Without such a thing it is not verified. */
export function byRules<Of extends { readonly exchange: Exchange }>(
  list: (run: Run) => readonly Of[],
  listRules: (one: Of, run: Run) => readonly Rule[],
): Check {
  return (run) => {
    for (const one of list(run)) run.verdict.expectAll(one.exchange, listRules(one, run))
  }
}

/** Checks one after the other. */
export function inTurn(...checks: readonly Check[]): Check {
  return async (run) => {
    for (const check of checks) await check(run)
  }
}

/**
 * The pages of a sample: five in a run of 600 requests, and one more for every ten requests beyond. The other guarantees
 * need about 500 requests, and a page is read again in parts.
 */
function toPagesMax(maxRequests: number): number {
  const few = Math.min(5, Math.max(1, Math.floor(maxRequests / 60)))
  return Math.max(few, Math.floor((maxRequests - 550) / 10))
}

/** Samples are read when the first guarantee needs them, and once. */
export function createSampler(caller: Caller, maxRequests: number): Run['findSample'] {
  const samples = new Map<CollectionName, Promise<Sample>>()
  const read = async (collection: Collection): Promise<Sample> => {
    const { path } = collection
    const pages = await crawl(caller, { path, limits: [100], pagesMax: toPagesMax(maxRequests) })
    const [first] = pages.pages
    if (first === undefined) throw new SkipError('no page was read')
    return { ...pages, path, collection, first, settledBefore: first.nextUpdatedSince }
  }
  return (collection) => {
    const sample = samples.get(collection.name) ?? read(collection)
    samples.set(collection.name, sample)
    // Each guarantee says for itself why requests are over.
    sample.catch((error: unknown) => {
      if (error instanceof SkipError) samples.delete(collection.name)
    })
    return sample
  }
}

/** The collections that the key can read. */
export function listReadable({ collections }: Pick<Run, 'collections'>): readonly Collection[] {
  return collections.filter(({ access }) => access.key === 'readable')
}

/** The settled records of a sample: until they are changed or archived, every crawl has them. */
export function listSettled({
  records,
  settledBefore,
}: Pick<Sample, 'records' | 'settledBefore'>): readonly Json[] {
  return records.filter((record) => readUpdatedAt(record) < settledBefore)
}

/** A collection lacks what a guarantee needs, such as a second record; the message says what. */
export class LackError extends Error {
  override readonly name = 'LackError'
}

/** @throws LackError where there are fewer of them */
export function requireSettled(sample: Sample, countMin = 1): readonly Json[] {
  const settled = listSettled(sample)
  if (settled.length >= countMin) return settled
  throw new LackError(`fewer than ${countMin} records older than nextUpdatedSince`)
}

/** The cursor of a page, for the page after it. @throws LackError if it is the last one */
export function requireCursor({ cursor }: Page): string {
  if (cursor === null) throw new LackError('fewer than two records, so that there is no cursor')
  return cursor
}

/** A collection that is verified. */
export interface Place extends Run, Sample {}

/** Verifies something for one collection. */
export type PlaceCheck = (place: Place) => Promise<void> | void

/** Verifies something for each collection that the key can read; what one lacks is a reason, and the next one counts. */
export function forEachPlace(check: PlaceCheck): Check {
  return async (run) => {
    const readable = listReadable(run)
    for (const collection of readable)
      try {
        await check({ ...run, ...(await readSample(run, collection)) })
      } catch (error) {
        if (!(error instanceof LackError)) throw error
        run.verdict.skip(`${collection.name}: ${error.message}`)
      }
    if (readable.length === 0) run.verdict.skip('no list can be read')
  }
}

function readSample(run: Run, collection: Collection): Promise<Sample> {
  return run.findSample(collection).catch((error: unknown) => {
    // The guarantee `lists` has the finding.
    throw error instanceof NoPageError ? new LackError('the list cannot be read') : error
  })
}

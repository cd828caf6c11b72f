import type { Caller, KeyTexts } from './caller.js'
import { SkipError } from './caller.js'
import type { Exchange, Json, KeyName } from './exchange.js'
import { crawl, NoPageError, readUpdatedAt } from './pages.js'
import type { Crawl, Page } from './pages.js'
import type { Attempt, Verdict } from './verdict.js'

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
  readonly collection: Collection
  readonly first: Page
  /** Records that changed before this instant are settled: no transaction that commits late brings more of them. */
  readonly settledBefore: string
}

/** A guarantee is verified by one function. */
export type Check = (run: Run, verdict: Verdict) => Promise<void> | void

/** A guarantee of the contract that is visible from outside. */
export interface Guarantee {
  /** Never renamed, because programs use it. */
  readonly name: string
  /** The guarantee as a sentence. */
  readonly title: string
  readonly check: Check
  /** Whether it looks at all answers of the run, and so comes last. */
  readonly isLast?: true
}

/** A guarantee that sends its own requests. */
export function defineGuarantee(name: string, title: string, check: Check): Guarantee {
  return { name, title, check }
}

/** A guarantee that looks at the answers of all others. */
export function defineLast(name: string, title: string, check: Check): Guarantee {
  return { name, title, check, isLast: true }
}

/** Verifies something for one collection. */
export type SampleCheck = (sample: Sample, run: Run, verdict: Verdict) => Promise<void> | void

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
    return { ...pages, collection, first, settledBefore: first.nextUpdatedSince }
  }
  return (collection) => {
    const sample = samples.get(collection.name) ?? read(collection)
    samples.set(collection.name, sample)
    return sample
  }
}

/** The collections that the key can read. */
export function listReadable({ collections }: Run): readonly Collection[] {
  return collections.filter(({ access }) => access.key === 'readable')
}

/** The settled records of a sample: until they are changed or archived, every crawl has them. */
export function listSettled({ records, settledBefore }: Sample): readonly Json[] {
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
  if (cursor === null) throw new LackError('too few records for a next page')
  return cursor
}

/** Verifies something for each collection that the key can read; what one lacks is a reason, and the next one counts. */
export function forEachSample(check: SampleCheck): Check {
  return async (run, verdict) => {
    for (const collection of listReadable(run))
      try {
        await check(await readSample(run, collection), run, verdict)
      } catch (error) {
        if (!(error instanceof LackError)) throw error
        verdict.skip(`${collection.name}: ${error.message}`)
      }
    if (listReadable(run).length === 0) verdict.skip('no list can be read')
  }
}

function readSample(run: Run, collection: Collection): Promise<Sample> {
  return run.findSample(collection).catch((error: unknown) => {
    // The guarantee `lists` has the finding.
    throw error instanceof NoPageError ? new LackError('the list cannot be read') : error
  })
}

/** Repeats an attempt that found a difference: a record that changed at that moment is no defect. */
export async function confirm(attempt: () => Promise<Attempt>): Promise<Attempt> {
  const first = await attempt()
  if (first === undefined) return undefined
  const second = await attempt()
  if (second === undefined || (first !== 'unsteady' && second !== 'unsteady')) return second
  return attempt()
}

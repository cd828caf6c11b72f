import { describe, noAnswer, readPage, readUpdatedAt } from './answer.js'
import type { Call, Exchange, Json, KeyName, Page } from './answer.js'
import type { Caller, CallerInput } from './caller.js'
import type { Finding, Outcome } from './report.js'

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
  /** The first answers of its list, with `limit=1`, to the same keys. */
  readonly firsts: Readonly<Partial<Record<KeyName, Exchange>>> & { readonly key: Exchange }
}

/** What all guarantees share. */
export interface Session extends Pick<CallerInput, 'keys' | 'maxRequests'> {
  readonly caller: Caller
  readonly collections: readonly Collection[]
  /** The answer of `/openapi.json`. */
  readonly document: Exchange
  /** The first pages of each collection; undefined where its list cannot be read. Read when they are needed. */
  readonly samples: Map<CollectionName, Sample | undefined>
}

/** Pages that follow each other, from the first one on. */
export interface Crawl {
  readonly pages: readonly Page[]
  readonly records: readonly Json[]
  /** Whether the last page was reached. */
  readonly isComplete: boolean
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

interface CrawlInput extends Pick<Call, 'path' | 'from'> {
  readonly query?: Exclude<Call['query'], string>
  /** Sizes of the pages, one after the other; the last one again and again. */
  readonly limits: readonly number[]
  readonly pagesMax: number
  /** Of records. */
  readonly enough?: number
}

/** One thing that an answer must be: whether it is, what came, and what should have come. */
export type Rule = readonly [isMet: boolean, got: string, expected: string]

/** So many pages without a record count for no limit: rows that cannot be shown stand there. */
const emptyMax = 20
/** Findings of one guarantee beyond this number say nothing new. */
const findingsMax = 5
const textMax = 300
const shorten = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text)

/** The verification of one guarantee: what asks, and what was found out. */
export class Run {
  readonly #findings: Finding[] = []
  readonly #reasons = new Set<string>()
  #suspicions: (() => void)[] = []
  #verified = 0
  #isStopped = false

  readonly session: Session

  constructor(session: Session) {
    this.session = session
  }

  /** Whether an answer did not come: nothing more is found out. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Every answer so far, of whichever guarantee. */
  get exchanges(): readonly Exchange[] {
    return this.session.caller.exchanges
  }

  /** The collections that the key can read. */
  get readable(): readonly Collection[] {
    return this.session.collections.filter(({ access }) => access.key === 'readable')
  }

  /** Asks the service. Without an answer the run stops: nothing more is found out. */
  async ask(call: Call): Promise<Exchange> {
    if (this.#isStopped) return noAnswer(call)
    const exchange = await this.session.caller.ask(call)
    const { failure, isLost = false } = exchange
    if (failure === undefined) return exchange
    if (isLost) this.expect(false, exchange, failure, 'an answer')
    this.#isStopped = true
    this.skip(failure)
    return noAnswer(call)
  }

  /** Reads one page. An answer that is none is a finding, and counts as a page without records. */
  async askPage(call: Call): Promise<Page> {
    const exchange = await this.ask(call)
    const page = readPage(exchange)
    if (page !== undefined) return page
    const got = exchange.status === 200 ? '200 with a body that is no page' : describe(exchange)
    this.expect(false, exchange, got, '200 with data, and with cursor and nextUpdatedSince in meta')
    return { exchange, records: [], cursor: null, nextUpdatedSince: '' }
  }

  /** Follows the cursor from the first page on. */
  async crawl({ query = {}, limits, pagesMax, enough = Infinity, ...call }: CrawlInput): Promise<Crawl> {
    const pages: Page[] = []
    const records: Json[] = []
    let [parameters, empty] = [query, 0]
    while (pages.length - Math.min(empty, emptyMax) < pagesMax && records.length < enough) {
      const limit = limits[Math.min(pages.length, limits.length - 1)] ?? 25
      const page = await this.askPage({ ...call, query: { ...parameters, limit } })
      if (page.nextUpdatedSince === '') break
      pages.push(page)
      records.push(...page.records)
      if (page.cursor === null) return { pages, records, isComplete: true }
      if (page.records.length === 0) empty += 1
      parameters = { cursor: page.cursor }
    }
    return { pages, records, isComplete: false }
  }

  /** Reads the sample of a collection, once. */
  async readSample(collection: Collection): Promise<Sample | undefined> {
    const { samples, maxRequests } = this.session
    const { name, path } = collection
    if (samples.has(name)) return samples.get(name)
    const crawled = await this.crawl({ path, limits: [100], pagesMax: toPagesMax(maxRequests) })
    const [first] = crawled.pages
    const settledBefore = first?.nextUpdatedSince ?? ''
    const settled = crawled.records.filter((record) => readUpdatedAt(record) < settledBefore)
    const sample = first && { ...crawled, path, collection, first, settledBefore, settled }
    // The next guarantee reads it where this one got no answer.
    if (!this.#isStopped) samples.set(name, sample)
    return sample
  }

  /** Notes whether one thing is as it must be. @returns whether it is */
  expect(isMet: boolean, exchange: Exchange, got: string, expected: string): boolean {
    if (this.#isStopped) return isMet
    this.#verified += 1
    if (!isMet) this.#note(exchange, got, expected)
    return isMet
  }

  /** Notes whether an answer is all that it must be. */
  expectAll(exchange: Exchange, rules: readonly Rule[]): void {
    for (const [isMet, got, expected] of rules) this.expect(isMet, exchange, got, expected)
  }

  /** As `expect`, where a record that changed meanwhile explains it too: it counts if the sample stays the same. */
  compare(isMet: boolean, exchange: Exchange, got: string, expected: string): void {
    if (isMet) this.expect(true, exchange, got, expected)
    else this.#suspicions.push(() => this.expect(false, exchange, got, expected))
  }

  /** Something that a person should look at, and that breaks no guarantee. */
  warn(exchange: Exchange, got: string, expected: string): void {
    this.#note(exchange, got, expected, { isWarning: true })
  }

  /** A part could not be verified. What was verified counts. */
  skip(reason: string): void {
    this.#reasons.add(reason)
  }

  /** Verifies something with the sample of a collection, again where its records changed in the middle of it. */
  async verifySample(collection: Collection, check: SampleCheck): Promise<void> {
    const { samples } = this.session
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const sample = await this.readSample(collection)
      const lacking = sample === undefined ? 'the list cannot be read' : await check(this, sample)
      if (typeof lacking === 'string') this.skip(`${collection.name}: ${lacking}`)
      const suspicions = this.#suspicions
      this.#suspicions = []
      if (suspicions.length === 0 || this.#isStopped) return
      samples.delete(collection.name)
      const again = await this.readSample(collection)
      if (JSON.stringify(again?.settled) !== JSON.stringify(sample?.settled)) continue
      for (const note of suspicions) note()
      return
    }
    this.skip(`${collection.name}: its records changed in each of ${attemptsMax} attempts`)
  }

  #note(exchange: Exchange, got: string, expected: string, kind: Pick<Finding, 'isWarning'> = {}): void {
    const [request, requestId] = [exchange.curl, exchange.headers['x-request-id'] ?? null]
    const finding = { request, requestId, got: shorten(got), expected: shorten(expected), ...kind }
    const isKnown = this.#findings.some((one) => one.request === request && one.expected === finding.expected)
    if (this.#findings.length < findingsMax && !isKnown) this.#findings.push(finding)
  }

  /** What was found out. */
  conclude(): { outcome: Outcome; reasons: readonly string[]; findings: readonly Finding[] } {
    const isBroken = this.#findings.some(({ isWarning }) => isWarning !== true)
    const isHeld = this.#verified > 0 && !this.#isStopped
    const outcome = isBroken ? 'broken' : isHeld ? 'held' : 'skipped'
    if (outcome === 'skipped' && this.#reasons.size === 0) this.skip('no answer of this run shows it')
    return { outcome, reasons: [...this.#reasons], findings: this.#findings }
  }
}

const attemptsMax = 3

/** Five pages in a run of 600 requests, and one more for every ten requests beyond. */
function toPagesMax(maxRequests: number): number {
  const few = Math.min(5, Math.max(1, Math.floor(maxRequests / 60)))
  return Math.max(few, Math.floor((maxRequests - 550) / 10))
}

/** Verifies something for one collection. The result says what the collection lacks for it, such as a second record. */
export type SampleCheck = (run: Run, sample: Sample) => Promise<string | undefined> | Promise<void>

/** Verifies something. */
export type Check = (run: Run) => Promise<void> | void

/** A guarantee of the contract that is visible from outside. */
export interface Guarantee {
  /** Never renamed, because programs use it. */
  readonly name: string
  /** The guarantee as a sentence. */
  readonly title: string
  readonly checks: readonly Check[]
}

/** A guarantee and what verifies it. */
export function guarantee(name: string, title: string, ...checks: readonly Check[]): Guarantee {
  return { name, title, checks }
}

/** Verifies something for each collection that the key can read; what one lacks is a reason, and the next one counts. */
export function forEachSample(check: SampleCheck): Check {
  return async (run) => {
    for (const collection of run.readable) await run.verifySample(collection, check)
    if (run.readable.length === 0) run.skip('no list can be read')
  }
}

/** Why a collection of one record shows nothing of cursors. */
export const noCursor = 'fewer than two records, so that there is no cursor'
/** Why a collection without an older record shows nothing that must stay. */
export const noSettled = 'no record is older than nextUpdatedSince'

import { describe, noAnswer, readPage } from './answer.js'
import type { CollectionName } from '../../client/records.js'
import type { Call, Exchange, Json, KeyName, Page } from './answer.js'
import type { Caller, CallerInput } from './caller.js'
import type { Finding, Outcome } from './report.js'

/** What is known about a collection before the guarantees are verified. */
export interface Collection {
  readonly name: CollectionName
  /** The path of its list, below the base path. */
  readonly path: string
  /** The first answers of its list, with `limit=1`, to the keys that the run has. */
  readonly firsts: Readonly<Partial<Record<KeyName, Exchange>>> & { readonly key: Exchange }
}

/** How the service answers the list of a collection to a key. `absent`: it does not serve it. */
export function toAccess(first: Exchange | undefined): 'readable' | 'forbidden' | 'absent' | 'broken' {
  if (first !== undefined && readPage(first) !== undefined) return 'readable'
  if (first?.status === 403) return 'forbidden'
  return first?.status === 404 ? 'absent' : 'broken'
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
  readonly first: Page
  /** Those that no transaction can still come before: until they are changed or archived, every crawl has them. */
  readonly settled: readonly Json[]
  /** Records that changed before this instant are settled, and all of them are in the sample. */
  readonly end: string
}

/** What all guarantees share. */
export interface Session extends Pick<CallerInput, 'keys' | 'maxRequests'> {
  readonly caller: Caller
  readonly collections: readonly Collection[]
  /** The answer of `/openapi.json`. */
  readonly document: Exchange
  /** By key and collection; undefined where the list cannot be read. Read when they are needed. */
  readonly samples: Map<string, Sample | undefined>
}

/** One thing that an answer must be: whether it is, what came, and what should have come. */
export type Rule = readonly [isMet: boolean, got: string, expected: string]

/** Findings of one guarantee beyond this number say nothing new. */
const findingsMax = 5
const textMax = 300
const shorten = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text)

/** The verification of one guarantee: what asks, and what was found out. */
export class Run {
  readonly #reasons = new Set<string>()
  #findings: readonly Finding[] = []
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

  /** What was found so far. */
  get findings(): readonly Finding[] {
    return this.#findings
  }

  /** Every answer so far, of whichever guarantee. */
  get exchanges(): readonly Exchange[] {
    return this.session.caller.exchanges
  }

  /** The collections that the key can read. */
  get readable(): readonly Collection[] {
    return this.session.collections.filter(({ firsts }) => toAccess(firsts.key) === 'readable')
  }

  /** Asks the service. Without an answer the run stops: nothing more is found out. */
  async ask(call: Call): Promise<Exchange> {
    if (this.#isStopped) return noAnswer(call)
    const exchange = await this.session.caller.ask(call)
    const { failure, isLost = false } = exchange
    if (failure === undefined) return exchange
    if (isLost) this.expect(exchange, [false, failure, 'an answer'])
    this.#isStopped = true
    this.skip(failure)
    return noAnswer(call)
  }

  /** Reads one page. An answer that is none is a finding, and counts as a page without records. */
  async askPage(call: Call): Promise<Page> {
    const exchange = await this.ask(call)
    const page = readPage(exchange)
    const got = exchange.status === 200 ? '200 with a body that is not a page' : describe(exchange)
    const expected = '200 with data, and with cursor and nextUpdatedSince in meta'
    this.expect(exchange, [page !== undefined, got, expected])
    return page ?? { exchange, records: [], cursor: null, nextUpdatedSince: '' }
  }

  /** Notes whether an answer is all that it must be. */
  expect(exchange: Exchange, ...rules: readonly Rule[]): void {
    if (this.#isStopped) return
    for (const [isMet, got, expected] of rules) {
      this.#verified += 1
      if (!isMet) this.#note(exchange, got, expected)
    }
  }

  /** Notes what callers can work with, and what an operator should change. */
  warn(exchange: Exchange, got: string, expected: string): void {
    if (!this.#isStopped) this.#note(exchange, got, expected, 'warning')
  }

  #note(exchange: Exchange, got: string, expected: string, severity: Finding['severity'] = 'error'): void {
    const [request, requestId] = [exchange.curl, exchange.headers['x-request-id'] ?? null]
    const finding = { request, requestId, got: shorten(got), expected: shorten(expected), severity }
    const isKnown = this.#findings.some((one) => one.request === request && one.expected === finding.expected)
    if (this.#findings.length < findingsMax && !isKnown) this.#findings = [...this.#findings, finding]
  }

  /** Takes back what was found after the first findings: something else explains it. */
  keepFindings(count: number): void {
    this.#findings = this.#findings.slice(0, count)
  }

  /** A part could not be verified. What was verified counts. */
  skip(reason: string): void {
    this.#reasons.add(reason)
  }

  /** What was found out. */
  conclude(): { outcome: Outcome; reasons: readonly string[]; findings: readonly Finding[] } {
    const isHeld = this.#verified > 0 && !this.#isStopped
    const outcome = this.#findings.some(({ severity }) => severity === 'error')
      ? 'broken'
      : isHeld
        ? 'held'
        : 'skipped'
    if (outcome === 'skipped' && this.#reasons.size === 0) this.skip('no answer of this run shows it')
    return { outcome, reasons: [...this.#reasons], findings: this.#findings }
  }
}

/** Verifies something. */
export type Check = (run: Run) => Promise<void> | void

/** A guarantee of the contract that is visible from outside. Its name is never changed, because programs use it. */
export type Guarantee = readonly [name: string, title: string, ...checks: Check[]]

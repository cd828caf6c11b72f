import type { Failure } from './caller.js'
import type { Exchange } from './exchange.js'
import type { Finding, Outcome } from './report.js'

/** An answer that is not as the contract has it. */
export interface Difference {
  readonly exchange: Pick<Exchange, 'curl' | 'headers'>
  readonly got: string
  readonly expected: string
}

/** What an attempt found: nothing, a difference, or records that changed all the time. */
export type Attempt = Difference | 'unsteady' | undefined

/** One thing that an answer must be: whether it is, what came, and what should have come. */
export type Rule = readonly [isMet: boolean, got: string, expected: string]

/** Findings of one guarantee beyond this number say nothing new. */
const findingsMax = 5
const textMax = 300
const shorten = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text)

/** What is found out about one guarantee, while it is verified. */
export class Verdict {
  readonly #findings: Finding[] = []
  readonly #reasons = new Set<string>()
  #verified = 0
  #isStopped = false

  /** Whether an answer did not come: nothing more is found out. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Notes the result of an attempt. */
  add(difference: Attempt): void {
    if (difference === 'unsteady' || this.#isStopped) return
    this.#verified += 1
    if (difference !== undefined) this.#note(difference, false)
  }

  #note({ exchange, got, expected }: Difference, isWarning: boolean): void {
    const [request, requestId] = [exchange.curl, exchange.headers['x-request-id'] ?? null]
    const finding = { request, requestId, got: shorten(got), expected: shorten(expected) }
    const isKnown = this.#findings.some((one) => one.request === request && one.expected === finding.expected)
    if (this.#findings.length < findingsMax && !isKnown)
      this.#findings.push(isWarning ? { ...finding, isWarning } : finding)
  }

  /** Repeats an attempt that found a difference: a record that changed at that moment is no defect. */
  async confirm(attempt: () => Promise<Attempt>): Promise<Attempt> {
    const first = await attempt()
    let last = first === undefined ? undefined : await attempt()
    if (last !== undefined && (first === 'unsteady' || last === 'unsteady')) last = await attempt()
    this.add(last)
    return last
  }

  /** Notes whether one thing is as it must be. @returns whether it is */
  expect(isMet: boolean, exchange: Difference['exchange'], got: string, expected: string): boolean {
    this.add(isMet ? undefined : { exchange, got, expected })
    return isMet
  }

  /** Notes whether an answer is all that it must be. */
  expectAll(exchange: Exchange, rules: readonly Rule[]): void {
    for (const [isMet, got, expected] of rules) this.expect(isMet, exchange, got, expected)
  }

  /** Something that a person should look at, and that breaks no guarantee. */
  warn(difference: Difference): void {
    this.#note(difference, true)
  }

  /** A part could not be verified. What was verified counts. */
  skip(reason: string): void {
    this.#reasons.add(reason)
  }

  /** An answer did not come, so that the guarantee does not count as held. */
  stop({ reason, curl, isLost }: Failure): void {
    if (isLost) this.add({ exchange: { curl, headers: {} }, got: reason, expected: 'an answer' })
    this.#isStopped = true
    this.skip(reason)
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

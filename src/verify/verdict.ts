import type { Exchange } from './exchange.js'
import type { Finding, Outcome } from './report.js'

/** An answer that is not as the contract has it. */
export interface Difference {
  readonly exchange: Exchange
  readonly got: string
  readonly expected: string
}

/** What an attempt found: nothing, a difference, or records that changed all the time. */
export type Attempt = Difference | 'unsteady' | undefined

/** Findings of one guarantee beyond this number say nothing new. */
const findingsMax = 5
const textMax = 300

/** What is found out about one guarantee, while it is verified. */
export class Verdict {
  readonly #findings: Finding[] = []
  readonly #reasons = new Set<string>()
  #verified = 0
  #isComplete = true

  /** Notes the result of an attempt. */
  add(difference: Attempt): void {
    if (difference === 'unsteady') return
    this.#verified += 1
    if (difference === undefined) return
    const { exchange, got, expected } = difference
    const request = exchange.curl
    const requestId = exchange.headers['x-request-id'] ?? null
    const isKnown = this.#findings.some(
      (one) => one.request === request && one.expected === shorten(expected),
    )
    if (this.#findings.length < findingsMax && !isKnown)
      this.#findings.push({ request, requestId, got: shorten(got), expected: shorten(expected) })
  }

  /** Notes whether one thing is as it must be. @returns whether it is */
  expect(isMet: boolean, difference: Difference): boolean {
    this.add(isMet ? undefined : difference)
    return isMet
  }

  /** A part could not be verified. What was verified counts. */
  skip(reason: string): void {
    this.#reasons.add(reason)
  }

  /** It could not be verified to the end, so that it does not count as held. */
  stop(reason: string): void {
    this.#isComplete = false
    this.skip(reason)
  }

  /** What was found out. */
  conclude(): { outcome: Outcome; reasons: readonly string[]; findings: readonly Finding[] } {
    const outcome =
      this.#findings.length > 0 ? 'broken' : this.#verified > 0 && this.#isComplete ? 'held' : 'skipped'
    const reasons = [...this.#reasons]
    if (outcome === 'skipped' && reasons.length === 0) reasons.push('no answer of this run shows it')
    return { outcome, reasons, findings: this.#findings }
  }
}

function shorten(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text
}

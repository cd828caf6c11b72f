import type { Exchange } from './exchange.js'
import type { Finding, Outcome } from './report.js'

/** A request with the headers of its answer; none where there was no answer. */
type Answered = Pick<Exchange, 'curl' | 'headers'>

/** An answer that is not as the contract has it. */
export interface Difference {
  readonly exchange: Answered
  readonly got: string
  readonly expected: string
}

/** What an attempt found: nothing, a difference, or records that changed all the time. */
export type Attempt = Difference | 'unsteady' | undefined

/** Repeats an attempt that found a difference: a record that changed at that moment is no defect. */
export async function confirm(attempt: () => Promise<Attempt>): Promise<Attempt> {
  const first = await attempt()
  if (first === undefined) return undefined
  const second = await attempt()
  if (second === undefined || (first !== 'unsteady' && second !== 'unsteady')) return second
  return attempt()
}

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
    const { request, got, expected, requestId } = toFinding(difference)
    const isKnown = this.#findings.some((one) => one.request === request && one.expected === expected)
    if (this.#findings.length < findingsMax && !isKnown)
      this.#findings.push({ request, requestId, got, expected })
  }

  /** Notes whether one thing is as it must be. @returns whether it is */
  expect(isMet: boolean, exchange: Answered, got: string, expected: string): boolean {
    this.add(isMet ? undefined : { exchange, got, expected })
    return isMet
  }

  /** Notes whether an answer is all that it must be. */
  expectAll(exchange: Exchange, rules: readonly (readonly [boolean, string, string])[]): void {
    for (const [isMet, got, expected] of rules) this.expect(isMet, exchange, got, expected)
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
    const isHeld = this.#verified > 0 && this.#isComplete
    const outcome = this.#findings.length > 0 ? 'broken' : isHeld ? 'held' : 'skipped'
    if (outcome === 'skipped' && this.#reasons.size === 0) this.skip('no answer of this run shows it')
    return { outcome, reasons: [...this.#reasons], findings: this.#findings }
  }
}

function toFinding({ exchange, got, expected }: Difference): Finding {
  const { curl: request, headers } = exchange
  return {
    request,
    requestId: headers['x-request-id'] ?? null,
    got: shorten(got),
    expected: shorten(expected),
  }
}

function shorten(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text
}

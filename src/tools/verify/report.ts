import type { Report } from '../report/report.js'

/** What `vitrine verify` prints as JSON. Members can be added; none is renamed or removed. */
export interface VerifyReport {
  /** The address that was verified, without the base path. */
  readonly url: string
  /** In UTC, by the clock of this machine. */
  readonly startedAt: string
  readonly durationMs: number
  /** Requests that were sent, retries among them. */
  readonly requests: number
  /** Those that were sent again because a proxy answered 502 or 504 instead of the service. */
  readonly retries: number
  readonly maxRequests: number
  /** Of the service, from its OpenAPI document; null if the document has none. */
  readonly serviceVersion: string | null
  /** The collections that the key can read. */
  readonly collections: readonly string[]
  /** The sample of each of them: how many records, and whether these are all. What was not read was not verified. */
  readonly examined: readonly {
    readonly collection: string
    readonly records: number
    readonly isComplete: boolean
  }[]
  /** Whether no guarantee is broken. */
  readonly ok: boolean
  readonly held: number
  readonly broken: number
  readonly skipped: number
  /** Every guarantee, always in the same order. */
  readonly guarantees: readonly GuaranteeReport[]
}

/** `held`: verified. `broken`: at least one finding. `skipped`: not verified, or not completely; `reasons` say why. */
export type Outcome = 'held' | 'broken' | 'skipped'

/** What was found out about one guarantee. */
export interface GuaranteeReport {
  /** Never renamed, because programs use it. */
  readonly name: string
  readonly title: string
  readonly outcome: Outcome
  /** Requests that were sent for this guarantee alone. */
  readonly requests: number
  readonly durationMs: number
  /** Why it was skipped, or why a part of it was: too few records, no second key, no requests left. */
  readonly reasons: readonly string[]
  readonly findings: readonly Finding[]
}

/** A difference between the contract and an answer. */
export interface Finding {
  /** The request as a curl command, with the variable of the key instead of the key. */
  readonly request: string
  /** `X-Request-Id` of the answer; null if it has none. */
  readonly requestId: string | null
  /** What came. */
  readonly got: string
  /** What should have come. */
  readonly expected: string
  /** A warning breaks no guarantee: callers can work with it. */
  readonly severity: 'error' | 'warning'
}

const statuses = { held: 'ok', broken: 'error', skipped: 'skipped' } as const

/** The report for readers: a section for each guarantee. */
export function toReport(report: VerifyReport): Report {
  const { url, serviceVersion, examined, held, broken, skipped, requests, retries, durationMs } = report
  // Records that were not read were not verified.
  const records = examined.map(
    (one) => `${one.collection} (${one.isComplete ? 'all' : 'the first'} ${one.records} examined)`,
  )
  const again = retries === 0 ? '' : `, ${retries} of them again after 502 or 504`
  return {
    title: `Vitrine${serviceVersion === null ? '' : ` ${serviceVersion}`} at ${url}: ${records.join(' and ')}`,
    sections: report.guarantees.map(({ name, outcome, reasons, findings, ...one }) => ({
      ...one,
      id: name,
      status: outcome === 'held' && findings.length > 0 ? 'warning' : statuses[outcome],
      notes: outcome === 'skipped' ? reasons : reasons.map((reason) => `not verified: ${reason}`),
      findings: findings.map(({ request, requestId, got, expected, severity }) => ({
        severity,
        object: request,
        problem: `came      ${got}`,
        fix: `expected  ${expected}`,
        details: [`request   ${requestId ?? '(no id)'}`],
      })),
    })),
    summary: `${held} held, ${broken} broken, ${skipped} skipped; ${requests} requests${again} in ${(durationMs / 1000).toFixed(1)} s`,
  }
}

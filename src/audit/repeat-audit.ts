import type { Clock } from '../values/instant.js'
import { createCoalescer } from '../coalescer.js'
import { listErrors, toFindingText } from '../finding.js'
import type { Finding } from '../finding.js'

/** An audit that is repeated while the service runs, so that it finds a grant that is added later. */
export type RepeatedAudit = ReturnType<typeof repeatAudit>

/** What an audit found, or why it could not end, as when the database does not answer. */
export type AuditEvent =
  | {
      /** An error of the first audit is permitted by AUDIT=warn. */
      readonly kind: 'finding permitted' | 'finding warned' | 'finding new' | 'finding fixed'
      readonly finding: Finding
    }
  | { readonly kind: 'audit failed'; readonly err: unknown }

interface RepeatInput {
  /** Findings of the first audit. */
  readonly known: readonly Finding[]
  readonly audit: () => Promise<readonly Finding[]>
  /** Milliseconds since 1970. */
  readonly clock: Clock
  readonly observe: (event: AuditEvent) => void
}

/** The interval of the audits, in milliseconds. */
const auditEveryMs = 600_000

/**
 * The interval while there is a new finding, in milliseconds; a divisor of `auditEveryMs`. The service is not ready
 * until an audit has seen that the finding is fixed.
 */
const auditAgainMs = 15_000

/** Starts to repeat the audit. */
export function repeatAudit(input: RepeatInput) {
  const { observe } = input
  for (const finding of input.known)
    observe({ kind: finding.severity === 'error' ? 'finding permitted' : 'finding warned', finding })
  let errors = listErrors(input.known)
  const accepted = errors
  let added: readonly Finding[] = []
  let succeededAt = input.clock()
  const audit = async (): Promise<void> => {
    try {
      errors = listErrors(await input.audit())
      succeededAt = input.clock()
      const before = added
      added = subtract(errors, accepted)
      for (const finding of subtract(added, before)) observe({ kind: 'finding new', finding })
      for (const finding of subtract(before, added)) observe({ kind: 'finding fixed', finding })
    } catch (err) {
      observe({ kind: 'audit failed', err })
    }
  }
  // Never two at once, so that an older result never replaces a newer one.
  const repeat = createCoalescer(audit)
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
    if (ticks % (auditEveryMs / auditAgainMs) === 0 || added.length > 0) void repeat()
  }, auditAgainMs).unref()
  return {
    /** Audits now; never throws. */
    repeat,
    /** Errors of the last audit that the first had not found. */
    listNew: () => added,
    /** Errors of the last audit, with known ones. */
    countErrors: () => errors.length,
    /** When the last audit that did not fail ended, in seconds since 1970. */
    lastSuccessSeconds: () => succeededAt / 1000,
    stop: (): void => {
      clearInterval(timer)
    },
  }
}

function subtract(findings: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  const texts = new Set(others.map(toFindingText))
  return findings.filter((finding) => !texts.has(toFindingText(finding)))
}

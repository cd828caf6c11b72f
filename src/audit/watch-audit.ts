import type { Clock } from '../clock.js'
import { listErrors, toFindingText } from './finding.js'
import type { Finding } from './finding.js'

/** Repeats the audit, so that a grant added later does not go unnoticed. */
export interface AuditWatch {
  /** Audits once more, now; never throws. */
  readonly repeat: () => Promise<void>
  /** Errors that the last audit found and the first had not. */
  readonly listNew: () => readonly Finding[]
  /** Errors of the last audit, known ones included. */
  readonly countErrors: () => number
  /** When the last audit that could be made ended, in seconds since 1970. */
  readonly lastSuccessSeconds: () => number
  readonly stop: () => void
}

interface WatchInput {
  /** Findings that the service was started with. */
  readonly known: readonly Finding[]
  readonly audit: () => Promise<readonly Finding[]>
  readonly everyMs: number
  /** Milliseconds since 1970. */
  readonly clock: Clock
  readonly onNew: (finding: Finding) => void
  readonly onMended: (finding: Finding) => void
  /** Told when the audit could not be made, as when the database is away. */
  readonly onFailure: (error: unknown) => void
}

/** How often the audit is repeated, in milliseconds. */
export const auditEveryMs = 600_000

/** Starts to watch. */
export function watchAudit(input: WatchInput): AuditWatch {
  const accepted = new Set(listErrors(input.known).map(toFindingText))
  let errors = listErrors(input.known)
  let added: readonly Finding[] = []
  let succeededAt = input.clock()
  let last = Promise.resolve()
  const audit = async (): Promise<void> => {
    try {
      errors = listErrors(await input.audit())
      succeededAt = input.clock()
      const before = added
      added = errors.filter((finding) => !accepted.has(toFindingText(finding)))
      subtract(added, before).forEach(input.onNew)
      subtract(before, added).forEach(input.onMended)
    } catch (error) {
      input.onFailure(error)
    }
  }
  // One after the other, so that an older result never replaces a newer one.
  const repeat = (): Promise<void> => (last = last.then(audit))
  const timer = setInterval(() => void repeat(), input.everyMs)
  timer.unref()
  return {
    repeat,
    listNew: () => added,
    countErrors: () => errors.length,
    lastSuccessSeconds: () => succeededAt / 1000,
    stop: () => {
      clearInterval(timer)
    },
  }
}

function subtract(findings: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  const texts = new Set(others.map(toFindingText))
  return findings.filter((finding) => !texts.has(toFindingText(finding)))
}

import { createCaller } from './caller.js'
import type { CallerInput } from './caller.js'
import { toObject } from './exchange.js'
import type { KeyName } from './exchange.js'
import { guarantees } from './guarantees.js'
import { openRun } from './open-run.js'
import type { NoRun } from './open-run.js'
import type { GuaranteeReport, Outcome, VerifyReport } from './report.js'
import { createRun, listReadable } from './run.js'
import type { Guarantee, Shared } from './run.js'
import { openSending } from './send.js'
import type { Sending } from './send.js'

/** What is verified, and how much it may cost. */
export interface VerifyInput extends Omit<CallerInput, 'sending'> {
  /** How requests are sent: over one connection, unless something else is said. */
  readonly sending?: Sending
  /** For a whole answer. */
  readonly timeoutMs: number
  /** The guarantees to verify, by name; every one if it is left out. */
  readonly only?: readonly string[]
}

/** Verifies every guarantee that is visible from outside, with requests that change nothing. */
export async function verify(input: VerifyInput): Promise<VerifyReport | NoRun> {
  const sending = input.sending ?? openSending(input.timeoutMs)
  try {
    const startedAt = Date.now()
    const caller = createCaller({ ...input, sending })
    const shared = await openRun(caller, input)
    return 'reason' in shared ? shared : hideKeys(await runGuarantees(shared, input, startedAt), input)
  } finally {
    sending.close()
  }
}

async function runGuarantees(
  shared: Shared,
  { url, maxRequests, only }: VerifyInput,
  startedAt: number,
): Promise<VerifyReport> {
  const { caller } = shared
  const chosen = guarantees.filter(({ name }) => only?.includes(name) ?? true)
  const reports: GuaranteeReport[] = []
  for (const guarantee of chosen) reports.push(await runGuarantee(guarantee, shared))
  const count = (outcome: Outcome): number => reports.filter((one) => one.outcome === outcome).length
  const { version } = toObject(toObject(shared.document.json)['info'])
  return {
    url,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    requests: caller.requestsSent(),
    retries: caller.exchanges.filter(({ status }) => status === 502 || status === 504).length,
    maxRequests,
    serviceVersion: typeof version === 'string' ? version : null,
    collections: listReadable(shared).map(({ name }) => name),
    examined: listReadable(shared).map(({ name }) => {
      const { records = [], isComplete = false } = shared.samples.get(name) ?? {}
      return { collection: name, records: records.length, isComplete }
    }),
    ok: count('broken') === 0,
    held: count('held'),
    broken: count('broken'),
    skipped: count('skipped'),
    guarantees: reports,
  }
}

async function runGuarantee({ name, title, checks }: Guarantee, shared: Shared): Promise<GuaranteeReport> {
  const { requestsSent, exchanges } = shared.caller
  const run = createRun(shared)
  const start = performance.now()
  const before = requestsSent()
  try {
    for (const check of checks) await check(run)
  } catch (error) {
    // An answer of a form that no check expects.
    const last = exchanges.at(-1)
    if (last === undefined || !(error instanceof Error)) throw error
    run.verdict.expect(false, last, error.message, 'an answer that can be read')
  }
  const durationMs = Math.round(performance.now() - start)
  return { name, title, requests: requestsSent() - before, durationMs, ...run.verdict.conclude() }
}

/** An answer can quote its request, and so the key. */
function hideKeys(report: VerifyReport, { keys, names }: VerifyInput): VerifyReport {
  let text = JSON.stringify(report)
  for (const [name, key] of Object.entries(keys))
    text = text.replaceAll(key, () => `$${names[name as KeyName]}`)
  return JSON.parse(text) as VerifyReport
}

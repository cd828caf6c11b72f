import { createCaller } from './caller.js'
import type { Caller, CallerInput } from './caller.js'
import { readQuery, toObject } from './exchange.js'
import type { KeyName } from './exchange.js'
import { guarantees } from './guarantees.js'
import { openRun } from './open-run.js'
import type { NoRun } from './open-run.js'
import { readId, readPage } from './pages.js'
import type { Page } from './pages.js'
import type { Examined, GuaranteeReport, Outcome, VerifyReport } from './report.js'
import { createRun, listReadable } from './run.js'
import type { Collection, Guarantee, Shared } from './run.js'
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
    examined: listReadable(shared).map((collection) => toExamined(collection, caller)),
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

/** What the key got of a collection, in lists and as single records. */
function toExamined({ name, path }: Collection, { exchanges }: Caller): Examined {
  const own = exchanges.filter(({ call, status }) => call.from === 'key' && status === 200)
  const pages = own.flatMap((one) => (one.call.path === path ? (readPage(one) ?? []) : []))
  const singles = own.filter(({ call }) => call.path.startsWith(`${path}/`))
  const records = [...pages.flatMap((page) => page.records), ...singles.map(({ json }) => toObject(json))]
  return { collection: name, records: new Set(records.map(readId)).size, isComplete: hasEnd(pages) }
}

/** Whether a crawl of the whole collection came to its end. */
function hasEnd(pages: readonly Page[]): boolean {
  const cursors = new Set<string | null>([''])
  for (const { exchange, cursor } of pages) {
    const query = readQuery(exchange)
    const isFiltered = ['eventId', 'status', 'updatedSince'].some((filter) => query.has(filter))
    if (!isFiltered && cursors.has(query.get('cursor') ?? '')) cursors.add(cursor)
  }
  return cursors.has(null)
}

/** An answer can quote its request, and so the key. */
function hideKeys(report: VerifyReport, { keys, names }: VerifyInput): VerifyReport {
  let text = JSON.stringify(report)
  for (const [name, key] of Object.entries(keys))
    text = text.replaceAll(key, () => `$${names[name as KeyName]}`)
  return JSON.parse(text) as VerifyReport
}

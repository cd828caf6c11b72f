import { createCaller, LostError, SkipError } from './caller.js'
import type { Caller, CallerInput } from './caller.js'
import { readQuery, toObject } from './exchange.js'
import type { Exchange, KeyName } from './exchange.js'
import { guarantees } from './guarantees.js'
import type { Guarantee } from './guarantees.js'
import { openRun } from './open-run.js'
import { NoPageError, readId, readPage } from './pages.js'
import type { Page } from './pages.js'
import type { Examined, GuaranteeReport, Outcome, VerifyReport } from './report.js'
import { listReadable } from './run.js'
import type { Collection, Run } from './run.js'
import { openSending } from './send.js'
import type { Sending } from './send.js'
import { Verdict } from './verdict.js'

/** What is verified, and how much it may cost. */
export interface VerifyInput extends Omit<CallerInput, 'sending'> {
  /** How requests are sent: over one connection, unless something else is said. */
  readonly sending?: Sending
  /** For a whole answer. */
  readonly timeoutMs: number
  /** The guarantees to verify, by name; every one if it is left out. */
  readonly only?: readonly string[]
}

/**
 * Verifies every guarantee that is visible from outside, with requests that change nothing.
 *
 * @throws UnreachableError if Vitrine does not answer at the address, KeyError if it does not accept a key.
 */
export async function verify(input: VerifyInput): Promise<VerifyReport> {
  const sending = input.sending ?? openSending(input.timeoutMs)
  try {
    return hideKeys(await runGuarantees(createCaller({ ...input, sending }), input), input)
  } finally {
    sending.close()
  }
}

async function runGuarantees(caller: Caller, input: VerifyInput): Promise<VerifyReport> {
  const startedAt = Date.now()
  const run = await openRun(caller, input)
  const { only } = input
  const chosen = only === undefined ? guarantees : guarantees.filter(({ name }) => only.includes(name))
  const reports: GuaranteeReport[] = []
  for (const guarantee of chosen) reports.push(await runGuarantee(guarantee, run))
  const count = (outcome: Outcome): number => reports.filter((one) => one.outcome === outcome).length
  return {
    url: input.url,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    requests: caller.requestsSent(),
    retries: caller.exchanges.filter(({ status }) => status === 502 || status === 504).length,
    maxRequests: input.maxRequests,
    serviceVersion: readVersion(run.document),
    collections: listReadable(run).map(({ name }) => name),
    examined: listReadable(run).map((collection) => toExamined(collection, caller)),
    ok: count('broken') === 0,
    held: count('held'),
    broken: count('broken'),
    skipped: count('skipped'),
    guarantees: reports,
  }
}

async function runGuarantee(
  { name, title, check }: Guarantee,
  run: Omit<Run, 'verdict'>,
): Promise<GuaranteeReport> {
  const { caller } = run
  const verdict = new Verdict()
  const start = performance.now()
  const before = caller.requestsSent()
  try {
    await check({ ...run, verdict })
  } catch (error) {
    conclude(error, verdict, caller)
  }
  const requests = caller.requestsSent() - before
  return { name, title, requests, durationMs: Math.round(performance.now() - start), ...verdict.conclude() }
}

function conclude(error: unknown, verdict: Verdict, { exchanges }: Caller): void {
  if (error instanceof LostError) verdict.expect(false, error.exchange, error.message, 'an answer')
  if (error instanceof SkipError) {
    verdict.stop(error.message)
    return
  }
  const exchange = error instanceof NoPageError ? error.exchange : exchanges.at(-1)
  if (exchange === undefined) throw error
  const got = error instanceof Error ? error.message : String(error)
  const expected = error instanceof NoPageError ? '200 with data and meta' : 'an answer that can be read'
  verdict.expect(false, exchange, got, expected)
}

function readVersion({ json }: Exchange): string | null {
  const { version } = toObject(toObject(json)['info'])
  return typeof version === 'string' ? version : null
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

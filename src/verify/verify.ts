import { createCaller, SkipError } from './caller.js'
import type { Caller, CallerInput } from './caller.js'
import { isObject, toObject } from './exchange.js'
import { toExamined } from './examined.js'
import type { Exchange, KeyName } from './exchange.js'
import { guarantees } from './guarantees.js'
import { openRun } from './open-run.js'
import { NoPageError } from './pages.js'
import type { GuaranteeReport, Outcome, VerifyReport } from './report.js'
import { listReadable } from './run.js'
import type { Guarantee, Run } from './run.js'
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
  const reports = new Map<Guarantee, GuaranteeReport>()
  const { only } = input
  const chosen = only === undefined ? guarantees : guarantees.filter(({ name }) => only.includes(name))
  const inTurn = [...chosen.filter(({ isLast }) => !isLast), ...chosen.filter(({ isLast }) => isLast)]
  for (const guarantee of inTurn) reports.set(guarantee, await runGuarantee(guarantee, run))
  const inOrder = guarantees.flatMap((guarantee) => reports.get(guarantee) ?? [])
  const count = (outcome: Outcome): number => inOrder.filter((one) => one.outcome === outcome).length
  return {
    url: input.url,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    requests: caller.requestsSent(),
    maxRequests: input.maxRequests,
    serviceVersion: readVersion(run.document),
    collections: listReadable(run).map(({ name }) => name),
    examined: listReadable(run).map((collection) => toExamined(collection, caller)),
    ok: count('broken') === 0,
    held: count('held'),
    broken: count('broken'),
    skipped: count('skipped'),
    guarantees: inOrder,
  }
}

async function runGuarantee({ name, title, check }: Guarantee, run: Run): Promise<GuaranteeReport> {
  const { caller } = run
  const verdict = new Verdict()
  const start = performance.now()
  const before = caller.requestsSent()
  try {
    await check(run, verdict)
  } catch (error) {
    conclude(error, verdict, caller)
  }
  const requests = caller.requestsSent() - before
  return { name, title, requests, durationMs: Math.round(performance.now() - start), ...verdict.conclude() }
}

function conclude(error: unknown, verdict: Verdict, { exchanges }: Caller): void {
  if (error instanceof SkipError) {
    verdict.stop(error.message)
    return
  }
  const exchange = error instanceof NoPageError ? error.exchange : exchanges.at(-1)
  if (exchange === undefined) throw error
  const got = error instanceof Error ? error.message : String(error)
  const expected = error instanceof NoPageError ? '200 with data and meta' : 'an answer that can be read'
  verdict.expect(false, { exchange, got, expected })
}

function readVersion({ json }: Exchange): string | null {
  const { version } = toObject(isObject(json) ? json['info'] : undefined)
  return typeof version === 'string' ? version : null
}

/** An answer can quote its request, and so the key. */
function hideKeys(report: VerifyReport, { keys, names }: VerifyInput): VerifyReport {
  let text = JSON.stringify(report)
  for (const [name, key] of Object.entries(keys))
    text = text.replaceAll(key, () => `$${names[name as KeyName]}`)
  return JSON.parse(text) as VerifyReport
}

import { describe, isProblem, noAnswer, readPage, toObject } from './answer.js'
import type { Exchange, KeyName } from './answer.js'
import { createCaller, documentCall } from './caller.js'
import type { CallerInput } from './caller.js'
import { answerGuarantees } from './guarantees/answers.js'
import { crawlGuarantees, pageGuarantees } from './guarantees/crawls.js'
import { filterGuarantees } from './guarantees/filters.js'
import { openapiGuarantees } from './guarantees/openapi.js'
import { recordGuarantees } from './guarantees/records.js'
import { refusalGuarantees } from './guarantees/refusals.js'
import { variantGuarantees } from './guarantees/variants.js'
import type { GuaranteeReport, Outcome, VerifyReport } from './report.js'
import { basePath, isRecord } from '../../client/forms.js'
import { collectionNames } from '../../client/records.js'
import { Run, toAccess } from './run.js'
import type { Collection, Guarantee, Session } from './run.js'
import { toSampleKey } from './sample.js'
import { createSend } from './send.js'
import type { Send } from './send.js'

/** Every guarantee, in the order of the report: those with requests of their own, then those that look at all answers. */
export const guarantees: readonly Guarantee[] = [
  ...crawlGuarantees,
  ...filterGuarantees,
  ...recordGuarantees,
  ...refusalGuarantees,
  ...variantGuarantees,
  ...pageGuarantees,
  ...openapiGuarantees,
  ...answerGuarantees,
]

/** What is verified, and how much it may cost. */
export interface VerifyInput extends Omit<CallerInput, 'send'> {
  /** How requests are sent: over HTTP, unless something else is said. */
  readonly send?: Send
  /** For a whole answer. */
  readonly timeoutMs: number
  /** The guarantees to verify, by name; every one if it is left out. */
  readonly only?: readonly string[]
}

/** Why nothing can be verified: Vitrine does not answer at the address, or does not accept a key. */
interface NoRun {
  readonly reason: string
  /** The key that is not accepted. */
  readonly key?: KeyName
}

/** Verifies every guarantee that is visible from outside, with requests that change nothing. */
export async function verify(input: VerifyInput): Promise<VerifyReport | NoRun> {
  const startedAt = Date.now()
  const session = await openSession({ send: createSend(input.timeoutMs), ...input })
  return 'reason' in session ? session : hideKeys(await runAll(session, input, startedAt), input)
}

/** Finds out what there is to verify. */
async function openSession(input: CallerInput): Promise<Session | NoRun> {
  const { keys, maxRequests } = input
  const shared = { caller: createCaller(input), keys, maxRequests, samples: new Map() }
  const run = new Run({ ...shared, collections: [], document: noAnswer(documentCall) })
  const document = await run.ask(documentCall)
  const collections: Collection[] = []
  for (const name of collectionNames) {
    const call = { path: `/${name}`, query: { limit: 1 } }
    const firsts: Collection['firsts'] & Partial<Record<KeyName, Exchange>> = { key: await run.ask(call) }
    for (const from of ['otherKey', 'scopedKey'] as const)
      if (keys[from] !== undefined) firsts[from] = await run.ask({ ...call, from })
    collections.push({ name, path: call.path, firsts })
  }
  const session = { ...shared, collections, document }
  if (run.isStopped) return { reason: `Nothing can be verified: ${run.conclude().reasons.join('; ')}` }
  return findStranger(session) ?? findRefusedKey(session) ?? session
}

/** At least one of the answers must be one that only Vitrine gives, and not each of them the 404 of another path. */
function findStranger({ document, collections }: Session): NoRun | undefined {
  const exchanges = [document, ...collections.map(({ firsts }) => firsts.key)]
  const isDocument = isRecord(toObject(document.json)['paths'])
  const isOurs = isDocument || exchanges.some((one) => readPage(one) !== undefined || isProblem(one))
  if (isOurs && exchanges.some(({ status }) => status !== 404)) return undefined
  const { location } = document.headers
  const answer = `${describe(document)}${location === undefined ? '' : `, a redirect to ${location}`}`
  return {
    reason: `This is not the API of Vitrine: ${document.url} answers ${answer}. The address is what stands before ${basePath}, with the prefix of a proxy.`,
  }
}

function findRefusedKey({ caller, collections }: Session): NoRun | undefined {
  // The revoked one reads nothing.
  for (const key of ['key', 'otherKey', 'scopedKey'] as const) {
    const refused = caller.exchanges.find(({ call, status }) => call.from === key && status === 401)
    if (refused !== undefined) return { key, reason: `a key that the service refuses: ${describe(refused)}` }
  }
  const isUsable = collections.some(({ firsts }) => ['readable', 'broken'].includes(toAccess(firsts.key)))
  return isUsable
    ? undefined
    : { key: 'key', reason: 'a key without the scope of a collection that is served' }
}

async function runAll(session: Session, input: VerifyInput, startedAt: number): Promise<VerifyReport> {
  const { url, maxRequests, only } = input
  const { caller, document, samples } = session
  const reports: GuaranteeReport[] = []
  for (const one of guarantees)
    if (only?.includes(one[0]) ?? true) reports.push(await runGuarantee(one, session))
  const count = (outcome: Outcome): number => reports.filter((one) => one.outcome === outcome).length
  const { version } = toObject(toObject(document.json)['info'])
  const { readable } = new Run(session)
  return {
    url,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    requests: caller.requestsSent(),
    retries: caller.exchanges.filter(({ status }) => status === 502 || status === 504).length,
    maxRequests,
    serviceVersion: typeof version === 'string' ? version : null,
    collections: readable.map(({ name }) => name),
    examined: readable.map(({ name }) => {
      const { records = [], isComplete = false } = samples.get(toSampleKey(name)) ?? {}
      return { collection: name, records: records.length, isComplete }
    }),
    ok: count('broken') === 0,
    held: count('held'),
    broken: count('broken'),
    skipped: count('skipped'),
    guarantees: reports,
  }
}

async function runGuarantee([name, title, ...checks]: Guarantee, session: Session): Promise<GuaranteeReport> {
  const { requestsSent, exchanges } = session.caller
  const run = new Run(session)
  const start = performance.now()
  const before = requestsSent()
  try {
    for (const check of checks) await check(run)
  } catch (error) {
    // An answer of a form that no check expects.
    const last = exchanges.at(-1)
    if (last === undefined || !(error instanceof Error)) throw error
    run.expect(last, [false, error.message, 'an answer that can be read'])
  }
  const durationMs = Math.round(performance.now() - start)
  return { name, title, requests: requestsSent() - before, durationMs, ...run.conclude() }
}

/** An answer can quote its request, and so the key. */
function hideKeys(report: VerifyReport, { keys, names }: VerifyInput): VerifyReport {
  let text = JSON.stringify(report)
  for (const [name, key] of Object.entries(keys))
    text = text.replaceAll(key, () => `$${names[name as KeyName]}`)
  return JSON.parse(text) as VerifyReport
}

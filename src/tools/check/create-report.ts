import { auditDatabase } from '../../audit/audit.js'
import type { Clock } from '../../clock.js'
import type { Config } from '../../config.js'
import type { Database } from '../../database/database.js'
import { readOldestOpen } from './oldest-open.js'
import type { Schema } from '../../database/schema.js'
import { listCollections } from '../../mapping/resolve-mapping.js'
import type { ResolvedMapping } from '../../mapping/resolve-mapping.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import type { Finding, Report, Section } from '../report/report.js'
import type { Instant } from '../../values/instant.js'
import { toPrintableTexts } from '../../values/printable.js'
import { askCodes } from './ask-codes.js'
import { askChoices, askRepeatedIds, askZeroDates } from './ask-counts.js'
import { askKeyValues } from './ask-key-values.js'
import { askMinorUnits } from './ask-minor-units.js'
import { checkConnection, countServers, readHostState } from './check-connection.js'
import { checkEpoch } from './check-epoch.js'
import { checkCost, costHead } from './check-cost.js'
import { checkPrivileges } from './check-privileges.js'
import { checkProvenance } from './check-provenance.js'
import { checkSample, readSample, sampleHead } from './check-sample.js'
import type { Sample } from './check-sample.js'
import { checkClock, checkTimes, readClock, timesHead } from './check-times.js'
import { answer } from './questions.js'
import type { Question } from './questions.js'
import { checkTransactions, readLongestWrite } from './check-transactions.js'

/** What `vitrine check` prints: as JSON, text or a page. */
export interface CheckReport extends Report {
  /** Of Vitrine. */
  readonly version: string
  /** In UTC, by the clock of this machine. */
  readonly checkedAt: string
  /** Whether no section has an error. */
  readonly ok: boolean
}

interface ReportInput {
  readonly config: Config
  readonly mapping: Mapping
  /** The mapping to compare with. */
  readonly against: Mapping | undefined
  readonly database: Database
  readonly clock: Clock
  /** Of Vitrine. */
  readonly version: string
}

/** Checks the database, section by section. @throws Problem when it does not answer. */
export async function createReport(input: ReportInput): Promise<CheckReport> {
  const { config, mapping, database, clock, version } = input
  const { resolved, account, findings, schema } = await auditDatabase(mapping, database)
  const readings = await database.forEachHost(async (runQuery, host) => ({
    host,
    state: await readHostState(runQuery, host, mapping.heartbeat),
    clock: await readClock(runQuery, clock),
    oldestOpen: await readOldestOpen(runQuery, mapping.heartbeat),
    // The last one, because a proxy can end the connection instead of an answer.
    longestWrite: await readLongestWrite(runQuery),
  }))
  const [first] = readings
  if (first === undefined) throw new Error('No host of the database answered')
  const states = readings.map(({ state }) => state)
  const audited = (isPrivilege: boolean): readonly Finding[] =>
    findings.filter(({ privilege }) => (privilege !== undefined) === isPrivilege).map(nameProblem)
  const sections = toPrintableTexts([
    checkConnection({ ...config.database, servers: await countServers(database) }, states),
    checkPrivileges(account, audited(true)),
    // Findings without a privilege are about columns of the mapping.
    checkProvenance(resolved, audited(false)),
    ...(input.against === undefined ? [] : [checkEpoch(input.against, mapping)]),
    ...(resolved === undefined
      ? servingHeads.map(toSkipped)
      : await checkServing(resolved, { schema, now: first.clock.now, database })),
    checkClock(first.clock),
    checkTransactions({
      longest: first.longestWrite,
      oldestOpens: readings.flatMap(({ host, oldestOpen, clock: { now } }) =>
        oldestOpen === undefined ? [] : [{ host, oldestOpen, nowSeconds: now.seconds }],
      ),
      overlapSeconds: config.syncOverlapSeconds,
      ageMaxSeconds: config.database.lagMaxSeconds,
    }),
  ])
  const checkedAt = new Date(clock()).toISOString()
  const errors = count(sections, 'error')
  return {
    version,
    checkedAt,
    ok: errors === 0,
    title: `Vitrine ${version}: check of ${checkedAt}`,
    sections,
    summary: `${toCountText(errors, 'error')}, ${toCountText(count(sections, 'warning'), 'warning')}`,
  }
}

/** A finding of the audit, whose problem begins with the privilege. */
function nameProblem({ privilege, ...finding }: Finding): Finding {
  return privilege === undefined ? finding : { ...finding, problem: `${privilege}: ${finding.problem}` }
}

function count(sections: readonly Section[], severity: Finding['severity']): number {
  return sections.flatMap(({ findings }) => findings.filter((one) => one.severity === severity)).length
}

/** A number of things: `no errors`, `1 error`, `2 errors`. */
function toCountText(size: number, word: string): string {
  return `${size === 0 ? 'no' : size} ${word}${size === 1 ? '' : 's'}`
}

/** The sections that need a mapping that fits the schema. */
async function checkServing(
  resolved: ResolvedMapping,
  { schema, now, database }: { readonly schema: Schema; readonly now: Instant; readonly database: Database },
): Promise<readonly Section[]> {
  const collections = listCollections(resolved)
  const samples: Sample[] = []
  for (const collection of collections) samples.push(await readSample(collection, database.runQuery))
  const cost = await checkCost(resolved.apiKeys, collections, schema, database)
  const answers = await answer(listQuestions(resolved), database.runQuery)
  return [cost, checkTimes(samples, now), checkSample(samples, answers)]
}

const servingHeads = [costHead, timesHead, sampleHead]

/** A section that needs a mapping that fits the schema, without one. */
function toSkipped(head: Pick<Section, 'id' | 'title'>): Section {
  const note = 'Not examined: the mapping does not fit the tables. Correct the errors above, and check again.'
  return { ...head, status: 'skipped', notes: [note], findings: [] }
}

/** What is found out about the rows beyond a sample of them. */
function listQuestions(resolved: ResolvedMapping): readonly Question[] {
  const { apiKeys, invoices } = resolved
  const collections = listCollections(resolved)
  const tables = collections.map(({ table }) => table)
  return [
    ...collections.flatMap(askCodes),
    ...tables.flatMap(askRepeatedIds),
    ...(invoices === undefined ? [] : askMinorUnits(invoices)),
    ...askZeroDates(apiKeys),
    ...tables.flatMap(askChoices),
    ...askKeyValues(collections),
  ]
}

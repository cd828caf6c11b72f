import { auditDatabase } from '../audit/audit.js'
import type { Finding } from '../audit/finding.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { listResources } from '../mapping/resolve-mapping.js'
import type { ResolvedMapping } from '../mapping/resolve-mapping.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Instant } from '../values/instant.js'
import { toPrintableTexts } from '../values/printable.js'
import { checkChoices } from './check-choices.js'
import { readUnknownCodes } from './check-codes.js'
import type { UnknownCodes } from './check-codes.js'
import { checkConnection, countServers, readHostState } from './check-connection.js'
import { checkEpoch } from './check-epoch.js'
import { checkMinorUnits } from './check-minor-units.js'
import { checkCost, measureCost } from './check-cost.js'
import { checkPrivileges } from './check-privileges.js'
import { checkProvenance } from './check-provenance.js'
import { checkSample, readSample } from './check-sample.js'
import type { Sample } from './check-sample.js'
import { checkClock, checkTimes, readClock } from './check-times.js'
import { checkTransactions, readLongestWrite } from './check-transactions.js'
import { toStatus } from './report.js'
import type { CheckReport, CheckSection } from './report.js'

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
  const { resolved, hosts, findings } = await auditDatabase(mapping, database)
  const readings = await database.forEachHost(async (runQuery, host) => ({
    state: await readHostState(runQuery, host, mapping.heartbeat),
    clock: await readClock(runQuery, clock),
    longestWrite: await readLongestWrite(runQuery),
  }))
  const [first] = readings
  if (first === undefined) throw new Error('No host of the database answered')
  const states = readings.map(({ state }) => state)
  const sections = [
    checkConnection({ ...config.database, servers: await countServers(database) }, states),
    // Findings without a privilege are about columns of the mapping.
    checkPrivileges(
      hosts,
      findings.filter(({ privilege }) => privilege !== null),
    ),
    checkProvenance(
      resolved,
      findings.filter(({ privilege }) => privilege === null),
    ),
    ...(input.against === undefined ? [] : [checkEpoch(input.against, mapping)]),
    ...(resolved === undefined ? [] : await checkServing(resolved, first.clock.now, input)),
    checkClock(first.clock),
    checkTransactions(first.longestWrite, config.syncOverlapSeconds),
  ]
  const ok = sections.every((section) => toStatus(section) !== 'error')
  return { version, checkedAt: new Date(clock()).toISOString(), ok, sections: toPrintableTexts(sections) }
}

/** The sections that need a mapping that fits the schema. */
async function checkServing(
  resolved: ResolvedMapping,
  now: Instant,
  { database }: ReportInput,
): Promise<readonly CheckSection[]> {
  const samples: Sample[] = []
  for (const collection of listResources(resolved))
    samples.push(await readSample(collection, database.runQuery))
  const cost = await measureCost(resolved.apiKeys, listResources(resolved), database)
  const codes: UnknownCodes[] = []
  const choices: Finding[] = []
  for (const resource of listResources(resolved)) {
    codes.push(await readUnknownCodes(resource, database.runQuery))
    choices.push(...(await checkChoices(resource, database.runQuery)))
  }
  const units =
    resolved.invoices === undefined ? [] : await checkMinorUnits(resolved.invoices, database.runQuery)
  return [checkCost(cost), checkTimes(samples, now), checkSample(samples, codes, [...units, ...choices])]
}

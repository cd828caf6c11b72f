import { writeFile } from 'node:fs/promises'
import { auditDatabase } from '../audit/audit.js'
import type { AuditResult } from '../audit/audit.js'
import type { Finding } from '../audit/finding.js'
import { checkClock, readClock } from '../check/check-clock.js'
import type { ClockReading } from '../check/check-clock.js'
import { checkConnection, readHostState } from '../check/check-connection.js'
import { checkMinorUnits } from '../check/check-minor-units.js'
import { checkPlans } from '../check/check-plans.js'
import { checkPrivileges } from '../check/check-privileges.js'
import { checkProvenance } from '../check/check-provenance.js'
import { checkSample } from '../check/check-sample.js'
import { checkTimes } from '../check/check-times.js'
import { checkTransactions, readLongestWrite } from '../check/check-transactions.js'
import { createExplainer, explainItem, explainKeyLookup, explainLists } from '../check/explain-plans.js'
import type { PlanFacts } from '../check/explain-plans.js'
import { renderHtml } from '../check/render-html.js'
import { renderText } from '../check/render-text.js'
import { toReport } from '../check/report.js'
import type { CheckReport, CheckSection } from '../check/report.js'
import { sampleRows } from '../check/sample-rows.js'
import type { Sample } from '../check/sample-rows.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { UsageError } from '../errors.js'
import type { ResolvedMapping } from '../mapping/bound.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { createCollections, loadConfiguration, openDatabase } from '../service/load-configuration.js'
import { readVersion } from '../service/load-configuration.js'

interface CheckInput {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Whether to print JSON instead of text. */
  readonly json: boolean
  /** Where to write the page, if anywhere. */
  readonly htmlFile: string | undefined
  readonly colour: boolean
  readonly clock: Clock
}

/**
 * Checks the database that the configuration names, section by section.
 *
 * @returns what to print, and whether no section has an error.
 * @throws ConfigError, UsageError when the page cannot be written, or Problem when the database does not answer.
 */
export async function check(input: CheckInput): Promise<{ text: string; ok: boolean }> {
  const { config, mapping } = await loadConfiguration(input.variables)
  const database = await openDatabase(config)
  try {
    const report = await makeReport(config, mapping, { database, clock: input.clock })
    if (input.htmlFile !== undefined) await writePage(input.htmlFile, renderHtml(report))
    const text = input.json ? `${JSON.stringify(report, null, 2)}\n` : renderText(report, input.colour)
    return { text, ok: report.ok }
  } finally {
    await database.close()
  }
}

interface Live {
  readonly database: Database
  readonly clock: Clock
}

async function makeReport(config: Config, mapping: Mapping, { database, clock }: Live): Promise<CheckReport> {
  const audited = await auditDatabase(mapping, database)
  const hosts = await database.visitHosts(async (ask) => ({
    state: await readHostState(ask),
    clock: await readClock(ask, clock),
    longestWrite: await readLongestWrite(ask),
  }))
  const [first] = hosts
  if (first === undefined) throw new Error('No host of the database answered')
  const findings = splitFindings(audited)
  return toReport(
    [
      checkConnection(
        {
          hosts: config.database.hosts,
          tls: config.database.tls,
          database: config.database.name,
          lagMaxSeconds: config.database.lagMaxSeconds,
        },
        hosts.map(({ state }) => state),
      ),
      checkPrivileges(audited.hosts, findings.privileges),
      checkProvenance(audited.resolved, findings.mapping),
      ...(await checkServing(audited.resolved, database, first.clock)),
      checkClock(first.clock),
      checkTransactions(first.longestWrite, config.syncOverlapSeconds),
    ],
    { version: readVersion(), checkedAt: new Date(clock()).toISOString() },
  )
}

/** What can be looked at only where the mapping fits the schema. */
async function checkServing(
  bound: ResolvedMapping | undefined,
  database: Database,
  { now }: ClockReading,
): Promise<readonly CheckSection[]> {
  if (bound === undefined) return []
  const samples: Sample[] = []
  for (const collection of createCollections(bound))
    samples.push(await sampleRows(collection, database.runQuery))
  const plans = (await database.visitHosts((ask) => explainAll(bound, samples, ask)))[0] ?? []
  const units = await checkMinorUnits(bound.invoices, database.runQuery)
  return [checkPlans(plans), checkTimes(samples, now), checkSample(samples, units)]
}

async function explainAll(
  bound: ResolvedMapping,
  samples: readonly Sample[],
  ask: Database['runQuery'],
): Promise<readonly PlanFacts[]> {
  const explainer = await createExplainer(ask)
  const plans: PlanFacts[] = []
  for (const sample of samples)
    plans.push(...(await explainLists(sample, explainer)), await explainItem(sample, explainer))
  return [...plans, await explainKeyLookup(bound.apiKeys, explainer)]
}

/** Findings about the mapping's columns belong beside the columns, all others beside the grants. */
function splitFindings({ findings }: AuditResult): Record<'privileges' | 'mapping', readonly Finding[]> {
  return {
    privileges: findings.filter(({ privilege }) => privilege !== null),
    mapping: findings.filter(({ privilege }) => privilege === null),
  }
}

async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page)
  } catch (error) {
    throw new UsageError(
      `--html ${JSON.stringify(file)} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

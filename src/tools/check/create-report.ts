import { auditDatabase } from '../../audit/audit.js'
import type { AuditResult } from '../../audit/audit.js'
import type { BoundCollection } from '../../collections/collection.js'
import type { Config } from '../../config.js'
import type { Database } from '../../database/database.js'
import { createError, sortFindings } from '../../finding.js'
import type { Finding } from '../../finding.js'
import type { SectionName } from '../../mapping/mapping-schema.js'
import type { Clock, Instant } from '../../values/instant.js'
import { toPrintableTexts } from '../../values/printable.js'
import type { DescribedColumn } from '../description.js'
import { isMoment } from '../facts/columns.js'
import { readFacts } from '../facts/read-facts.js'
import { toSnake } from '../facts/words.js'
import { createSection } from '../report/report.js'
import type { Report, Section } from '../report/report.js'
import { listContradictions, listInvalid } from './contradictions.js'
import { checkCost, costHead } from './cost.js'
import { countRows, evaluateCounts } from './counts.js'
import { createFailure, describeFailure, toCountText } from './findings.js'
import { isWithinOpen, standIn, toFinding, withoutOpen } from './open-places.js'
import type { OpenMapping } from './open-places.js'
import { profileHead, showProfile } from './profile.js'
import type { Profiled } from './profile.js'
import { askQuestions } from './questions.js'
import { readSample } from './sample.js'
import { checkFreshness, checkPrivileges, readServerState } from './server.js'
import { listStructural } from './structure.js'
import { timeRules } from './times.js'

/** What `vitrine check` prints: as JSON, text or a page. */
export interface CheckReport extends Report {
  /** Of Vitrine. */
  readonly version: string
  /** In UTC, by the clock of this machine. */
  readonly checkedAt: string
  /** Whether no section has an error. */
  readonly ok: boolean
}

interface ReportInput extends OpenMapping {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  /** Of Vitrine. */
  readonly version: string
}

/** Checks the mapping and the database, section by section. @throws Problem when it does not answer. */
export async function createReport(input: ReportInput): Promise<CheckReport> {
  const { config, mapping, open, database, clock, version } = input
  const audit = await auditDatabase(mapping, database)
  const findings = audit.findings.filter(
    (one) => !isWithinOpen(open, one.object) && !JSON.stringify(one).includes(standIn),
  )
  const ofPrivileges = findings.flatMap(({ privilege, ...one }) =>
    privilege === undefined ? [] : [{ ...one, problem: `${privilege}: ${one.problem}` }],
  )
  const state = await database.runTask((run) => readServerState(run, mapping.heartbeat, clock))
  const sections = toPrintableTexts([
    ...(await checkMapping(input, { ...audit, findings }, state.now)),
    checkPrivileges(audit.account, ofPrivileges),
    checkFreshness(config, state, mapping.heartbeat),
  ])
  const checkedAt = new Date(clock()).toISOString()
  const count = (severity: Finding['severity']): number =>
    sections.flatMap((section) => section.findings).filter((one) => one.severity === severity).length
  const todo = open.length === 0 ? '' : `; TODO: ${toCountText(open.length, 'place')}`
  return {
    version,
    checkedAt,
    ok: count('error') === 0,
    title: `Vitrine ${version}: check of ${checkedAt}`,
    sections,
    summary: `${toCountText(count('error'), 'error')}, ${toCountText(count('warning'), 'warning')}${todo}`,
  }
}

/** The profile, what contradicts the mapping, and what its requests cost: of each collection that fits the schema. */
async function checkMapping(
  input: ReportInput,
  { schema, resolved, findings: audited }: AuditResult,
  now: Instant,
): Promise<readonly Section[]> {
  const { open, database } = input
  const issues = audited.filter(({ privilege }) => privilege === undefined)
  const listOwn = (section: SectionName) =>
    resolved.issues.filter(({ path }) => path.startsWith(`${section}.`))
  const fitting = [resolved.registrations, resolved.invoices].flatMap((one): readonly BoundCollection[] => {
    // A view that cannot be read is an issue of its table.
    const isUnfit =
      one === undefined ||
      listOwn(one.name).some(({ path }) => !isWithinOpen(open, path)) ||
      issues.some(({ object }) => object === one.table.name)
    return isUnfit ? [] : [withoutOpen(one, open)]
  })
  const { profiled, findings } = await proveMapping(input, fitting, now)
  const contradictions = createSection({
    id: 'contradictions',
    title: 'What contradicts the mapping',
    intro:
      'Columns that are missing or of another type, and what the tables and rows say against what the mapping file says.',
    findings: [...issues, ...open.map(toFinding), ...findings],
  })
  // Without a mapping that fits there is nothing to show.
  const note =
    'Not examined: no collection of the mapping fits the tables. Correct the errors, and check again.'
  const skipped = { status: 'skipped', notes: [note], findings: [] } as const
  if (fitting.length === 0)
    return [{ ...profileHead, ...skipped }, contradictions, { ...costHead, ...skipped }]
  const keys = listOwn('apiKeys').length === 0 ? resolved.apiKeys : undefined
  const isProved = contradictions.status !== 'error' && open.length === 0
  const samples = profiled.map(({ sample }) => sample)
  return [
    showProfile(profiled),
    contradictions,
    await checkCost({ keys, samples, schema, database, isProved }),
  ]
}

/** What the collections show, and everything that contradicts their mapping. */
async function proveMapping(
  { mapping, database: { runCheckQuery: run } }: ReportInput,
  collections: readonly BoundCollection[],
  now: Instant,
): Promise<{ readonly profiled: readonly Profiled[]; readonly findings: readonly Finding[] }> {
  const { tables } = await readFacts(run)
  const findings = [...listStructural(mapping, collections, tables)]
  const profiled: Profiled[] = []
  for (const collection of collections) {
    const { name, table } = collection
    const columns = tables.get(table.name)?.columns ?? []
    const sample = await readSample(collection, columns.filter(isTelling), run).catch(describeFailure)
    const counts = await countRows(collection, mapping, columns, run).catch(describeFailure)
    if (typeof counts === 'string') findings.push(createFailure(name, counts))
    else findings.push(...evaluateCounts(collection, counts))
    if (typeof sample === 'string') {
      const fix = 'raise DATABASE_QUERY_TIMEOUT_MS for the check; map the tables behind a view instead of it'
      findings.push(createError(table.name, `cannot be read: ${sample}`, fix))
      continue
    }
    profiled.push({ sample, counts })
    findings.push(
      ...listInvalid(sample),
      ...listContradictions({ sample, now, timezone: mapping.timezone ?? '+00:00' }, timeRules),
      ...(await askQuestions(sample, tables, run)),
    )
  }
  return { profiled, findings: sortFindings(findings, ({ object, problem }) => `${object} ${problem}`) }
}

/** Whether the values of a column are compared with what is shown: times, and types of rows. */
function isTelling(column: DescribedColumn): boolean {
  const isType = /(?:^|_)(?:type|kind)$/.test(toSnake(column.name))
  return isMoment(column) || (column.kind === 'text' && column.length <= 255 && isType)
}

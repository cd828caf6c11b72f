import { auditDatabase } from '../../audit/audit.js'
import { isOfOthers } from '../../audit/evaluate-account.js'
import type { AuditResult } from '../../audit/audit.js'
import type { BoundCollection } from '../../collections/collection.js'
import type { Config } from '../../config.js'
import type { Database } from '../../database/database.js'
import { createWarning, sortFindings } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { listMappedTables } from '../../mapping/mapped-columns.js'
import type { SectionName } from '../../mapping/mapping-schema.js'
import type { Clock, Instant } from '../../values/instant.js'
import { toPrintableTexts } from '../../values/printable.js'
import type { ResolvedKeyTable } from '../../mapping/resolve-mapping.js'
import { readFacts } from '../facts/read-facts.js'
import { createSection } from '../report/report.js'
import type { Report, Section } from '../report/report.js'
import { listContradictions, listFailing, listInvalid } from './contradictions.js'
import { checkCost, costHead } from './cost.js'
import { countRows, evaluateCounts } from './counts.js'
import { isTelling, readWitnesses } from './evidence.js'
import type { Evidence } from './evidence.js'
import { compareExports } from './exports.js'
import type { Exported } from './exports.js'
import { contradict, createFailure, describeFailure, toCountText, toFindings } from './findings.js'
import type { Contradiction } from './findings.js'
import { isWithinOpen, standIn, toFinding, withoutOpen } from './open-places.js'
import type { OpenMapping } from './open-places.js'
import { profileHead, showProfile } from './profile.js'
import type { Profiled } from './profile.js'
import { askQuestions } from './questions.js'
import { showRecords } from './records.js'
import { readSample } from './sample.js'
import { checkFreshness, checkPrivileges, readServerState } from './server.js'
import { findUnread, listLinks } from './structure.js'
import { listTenants } from './tenants.js'

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
  /** Whether records are shown in full. */
  readonly records?: boolean
  /** Files of the product that its records are compared with. */
  readonly exports?: readonly Exported[]
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
  const todo = open.length === 0 ? '' : `; TODO: ${toCountText(open.length, 'setting')}`
  return {
    version,
    checkedAt,
    ok: count('error') === 0,
    title: `Vitrine ${version}: check of ${checkedAt}`,
    sections,
    summary: `${toCountText(count('error'), 'error')}, ${toCountText(count('warning'), 'warning')}${todo}`,
  }
}

/** An administrator sees that the key table does not exist. */
const unmade = [
  'does not exist yet',
  'run what vitrine key --table prints, before the statements of vitrine grants',
] as const

/** The profile, what contradicts the mapping, and what its requests cost: of each collection that fits the schema. */
async function checkMapping(
  input: ReportInput,
  { schema, resolved, account, findings: audited }: AuditResult,
  now: Instant,
): Promise<readonly Section[]> {
  const { open, database, mapping, exports = [] } = input
  const isUnmade = (object: string): boolean => object === mapping.apiKeys.table && !schema.has(object)
  const issues = audited.flatMap(({ privilege, ...one }) => {
    const isLater = account !== undefined && isOfOthers(account) && isUnmade(one.object)
    return privilege !== undefined ? [] : [isLater ? createWarning(one.object, ...unmade) : one]
  })
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
  const keys = listOwn('apiKeys').length === 0 ? resolved.apiKeys : undefined
  const { profiled, findings } = await proveMapping(input, fitting, keys, now)
  const contradictions = createSection({
    id: 'contradictions',
    title: 'Contradictions of mapping and database',
    intro:
      'Columns that are missing or of another type, and what the tables and rows say against what the mapping file says.',
    findings: [...issues, ...open.map((one) => toFinding(one, mapping)), ...findings],
  })
  // Without a mapping that fits there is nothing to show.
  const note =
    'Not examined: no collection of the mapping fits the tables. Correct the errors, and check again.'
  const skipped = { status: 'skipped', notes: [note], findings: [] } as const
  if (fitting.length === 0)
    return [{ ...profileHead, ...skipped }, contradictions, { ...costHead, ...skipped }]
  const isProved = contradictions.status !== 'error' && open.length === 0
  const samples = profiled.map(({ sample }) => sample)
  // The index of a list begins with the workspace, and has the time of change.
  const decided = samples.filter(({ collection: { name } }) =>
    ['workspace', 'fields.updatedAt'].every((place) => !isWithinOpen(open, `${name}.${place}`)),
  )
  return [
    showProfile(profiled),
    ...(input.records === true ? [await showRecords(samples, database.runCheckQuery)] : []),
    ...(exports.length > 0
      ? [await compareExports(exports, fitting, mapping, schema, database.runCheckQuery)]
      : []),
    contradictions,
    await checkCost({ keys, samples: decided, schema, database, isProved }),
  ]
}

/** What the collections show, and everything that contradicts their mapping. */
async function proveMapping(
  { mapping, open, database: { runCheckQuery: run } }: ReportInput,
  collections: readonly BoundCollection[],
  keys: ResolvedKeyTable | undefined,
  now: Instant,
): Promise<{ readonly profiled: readonly Profiled[]; readonly findings: readonly Finding[] }> {
  const { tables } = await readFacts(run, listMappedTables(mapping))
  const all: Evidence[] = []
  const profiled: Profiled[] = []
  const effects: Contradiction[] = []
  for (const collection of collections) {
    const { name, table } = collection
    const columns = tables.get(table.name)?.columns ?? []
    const seen = columns.filter(isTelling)
    const sample = await readSample(collection, seen, run).catch(describeFailure)
    const counts = await countRows(collection, mapping, columns, run).catch(describeFailure)
    if (typeof counts === 'string') effects.push(createFailure(name, counts))
    else effects.push(...evaluateCounts(collection, counts))
    if (typeof sample === 'string') {
      const fix = 'raise DATABASE_QUERY_TIMEOUT_MS for the check; map the tables behind a view instead of it'
      const problem = `cannot be read: ${sample}`
      effects.push(contradict(true, [table.name], problem, fix))
      continue
    }
    profiled.push({ sample, counts })
    // A field that most rows lack must not hide what the others contradict.
    const failing = listFailing(sample).map((field) => ({ path: `${name}.fields.${field}`, candidates: '' }))
    const readable =
      failing.length === 0 ? sample : await readSample(withoutOpen(collection, failing), seen, run)
    const witnesses = await readWitnesses(readable, tables, run)
    const timezone = mapping.timezone ?? '+00:00'
    const evidence = { sample: readable, witnesses, tables, now, timezone }
    all.push(evidence)
    // Codes first: the rows that cannot be shown because of them follow from them.
    effects.push(...(await askQuestions(collection, run)), ...listInvalid(sample))
    effects.push(...listContradictions(evidence))
  }
  // Causes first: what follows from a wrong key or tenant is a line of its finding.
  const decided = all.filter(({ sample }) => !isWithinOpen(open, `${sample.collection.name}.workspace`))
  const causes = [...listLinks(collections, all, tables), ...(await listTenants(decided, mapping, keys, run))]
  const contradictions = [...causes, ...effects, ...findUnread(mapping, tables)]
  const findings = toFindings(
    contradictions.filter(({ places }) => !places.some((place) => isWithinOpen(open, place))),
    mapping,
  )
  return { profiled, findings: sortFindings(findings, ({ object, problem }) => `${object} ${problem}`) }
}

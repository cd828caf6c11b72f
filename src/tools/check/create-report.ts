import { auditDatabase } from '../../audit/audit.js'
import type { Clock } from '../../clock.js'
import type { Config } from '../../config.js'
import type { Column } from '../../database/column.js'
import type { Database } from '../../database/database.js'
import type { Schema } from '../../database/schema.js'
import { resolveSections } from '../../mapping/resolve-mapping.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import type { BoundCollection } from '../../collections/collection.js'
import { toPrintableTexts } from '../../values/printable.js'
import { readDescription } from '../description.js'
import { toSnake } from '../facts/words.js'
import { createWarning } from '../../finding.js'
import { createSection } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Report, Section } from '../report/report.js'
import { checkCost, costHead } from './cost.js'
import { countRows } from './counts.js'
import { checkFreshness, readFreshness } from './freshness.js'
import { isWithinOpen, standIn, withoutOpen } from './open-places.js'
import type { OpenPlace } from './open-places.js'
import { checkPrivileges } from './privileges.js'
import { profileHead, showProfile } from './profile.js'
import type { Profiled } from './profile.js'
import { proveMapping } from './prove-mapping.js'
import { readSample } from './sample.js'
import { checkConnection, readServerState } from './server.js'

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
  /** The places of the mapping file that are still to be decided. */
  readonly open: readonly OpenPlace[]
  readonly database: Database
  readonly clock: Clock
  /** Of Vitrine. */
  readonly version: string
}

/** Checks the mapping and the database, section by section. @throws Problem when it does not answer. */
export async function createReport(input: ReportInput): Promise<CheckReport> {
  const { config, mapping, open, database, clock, version } = input
  const { account, findings, schema } = await auditDatabase(mapping, database)
  const [host] = await database.forEachHost(async (run) => {
    const state = await readServerState(run)
    // The last one, because a proxy can end the connection instead of an answer.
    return {
      state,
      freshness: await readFreshness(run, state, mapping.heartbeat, clock),
    }
  })
  if (host === undefined) throw new Error('No host of the database answered')
  const audited = (isPrivilege: boolean): readonly Finding[] =>
    findings
      .filter(({ privilege }) => (privilege !== undefined) === isPrivilege)
      .filter((one) => !isWithinOpen(open, one.object) && !JSON.stringify(one).includes(standIn))
      .map(nameProblem)
  const { state, freshness } = host
  const proof = await checkMapping({ ...input, schema, now: freshness.now, issues: audited(false) })
  const sections = toPrintableTexts([
    ...proof,
    checkPrivileges(account, audited(true)),
    checkConnection(config.database, state),
    checkFreshness(freshness, state, mapping.heartbeat, config.syncOverlapSeconds),
  ])
  const checkedAt = new Date(clock()).toISOString()
  const errors = count(sections, 'error')
  const isOpen =
    open.length === 0 ? '' : `; ${open.length} ${open.length === 1 ? 'place is' : 'places are'} still TODO`
  return {
    version,
    checkedAt,
    ok: errors === 0,
    title: `Vitrine ${version}: check of ${checkedAt}`,
    sections,
    summary: `${toCountText(errors, 'error')}, ${toCountText(count(sections, 'warning'), 'warning')}${isOpen}`,
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

interface MappingInput extends Pick<ReportInput, 'mapping' | 'open' | 'database'> {
  readonly schema: Schema
  readonly now: Parameters<typeof proveMapping>[0]['now']
  /** Where the mapping does not fit the schema. */
  readonly issues: readonly Finding[]
}

/** The profile, what contradicts the mapping, and what its requests cost: of each collection that fits the schema. */
async function checkMapping({
  mapping,
  open,
  database,
  schema,
  now,
  issues,
}: MappingInput): Promise<readonly Section[]> {
  const { apiKeys, ...sections } = resolveSections(mapping, schema)
  const fitting = [sections.registrations, sections.invoices].flatMap(
    ({ resolved, issues: own }): readonly BoundCollection[] =>
      resolved === undefined ||
      own.some(({ path }) => !isWithinOpen(open, path)) ||
      // A view that cannot be read.
      issues.some(({ object }) => object === resolved.table.name)
        ? []
        : [withoutOpen(resolved, open)],
  )
  const description = await readDescription(database.runCheckQuery)
  const collections: Profiled[] = []
  for (const one of fitting) {
    const described = description.get(one.table.name)
    collections.push({
      sample: await readSample(one, (described?.columns ?? []).filter(isTelling), database.runCheckQuery),
      counts: await countRows(one, mapping, described, database.runCheckQuery),
    })
  }
  const keys = apiKeys.issues.length === 0 ? apiKeys.resolved : undefined
  const proof = await proveMapping({
    mapping,
    collections,
    description,
    now,
    runQuery: database.runCheckQuery,
  })
  const contradictions = createSection({
    id: 'contradictions',
    title: 'What contradicts the mapping',
    intro:
      'Columns that are missing or of another type, and what the tables and rows say against what the mapping file says.',
    notes: [],
    findings: [...issues, ...open.map(toOpenFinding), ...proof],
  })
  if (fitting.length === 0) return [toSkipped(profileHead), contradictions, toSkipped(costHead)]
  const isProved = contradictions.status !== 'error' && open.length === 0
  return [
    showProfile(collections),
    contradictions,
    await checkCost({ keys, collections: fitting, schema, database, isProved }),
  ]
}

/** Whether the values of a column are compared with what is shown: times, and types of rows. */
function isTelling({ kind, name, length }: Column): boolean {
  if (kind === 'text') return length <= 255 && /(?:^|_)(?:type|kind)$/.test(toSnake(name))
  return kind === 'datetime' || kind === 'timestamp'
}

function toOpenFinding({ path, candidates }: OpenPlace): Finding {
  return createWarning(
    path,
    `is TODO, and was left out of the check${candidates === '' ? '' : `; candidates: ${candidates}`}`,
    'decide it with the facts, or ask the product team',
  )
}

/** A section that needs a mapping that fits the schema, without one. */
function toSkipped(head: Pick<Section, 'id' | 'title'>): Section {
  const note =
    'Not examined: no collection of the mapping fits the tables. Correct the errors, and check again.'
  return { ...head, status: 'skipped', notes: [note], findings: [] }
}

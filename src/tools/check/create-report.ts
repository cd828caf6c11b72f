import { auditDatabase } from '../../audit/audit.js'
import type { Clock } from '../../clock.js'
import type { Config } from '../../config.js'
import type { Database } from '../../database/database.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { toPrintableTexts } from '../../values/printable.js'
import type { Finding } from '../../finding.js'
import type { Report, Section } from '../report/report.js'
import { checkFreshness, readFreshness } from './freshness.js'
import { isWithinOpen, standIn } from './open-places.js'
import type { OpenPlace } from './open-places.js'
import { checkPrivileges } from './privileges.js'
import { checkMapping } from './prove-mapping.js'
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
  const { state, freshness } = await database.runTask(async (run) => {
    const found = await readServerState(run)
    // The last one, because a proxy can end the connection instead of an answer.
    return { state: found, freshness: await readFreshness(run, found, mapping.heartbeat, clock) }
  })
  const audited = (isPrivilege: boolean): readonly Finding[] =>
    findings
      .filter(({ privilege }) => (privilege !== undefined) === isPrivilege)
      .filter((one) => !isWithinOpen(open, one.object) && !JSON.stringify(one).includes(standIn))
      .map(nameProblem)
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

import { auditDatabase } from '../../audit/audit.js'
import type { Clock } from '../../clock.js'
import type { Config } from '../../config.js'
import type { Database } from '../../database/database.js'
import { toPrintableTexts } from '../../values/printable.js'
import type { Finding } from '../../finding.js'
import type { Report } from '../report/report.js'
import { toCountText } from './findings.js'
import { isWithinOpen, standIn } from './open-places.js'
import type { OpenMapping } from './open-places.js'
import { checkPrivileges } from './privileges.js'
import { checkMapping } from './prove-mapping.js'
import { checkConnection, checkFreshness, readServerState } from './server.js'

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
  const { heartbeat } = mapping
  const { account, findings, schema } = await auditDatabase(mapping, database)
  const state = await database.runTask((run) => readServerState(run, heartbeat, clock))
  const audited = findings.filter(
    (one) => !isWithinOpen(open, one.object) && !JSON.stringify(one).includes(standIn),
  )
  const issues = audited.filter(({ privilege }) => privilege === undefined)
  const proof = await checkMapping({ ...input, schema, now: state.now, issues })
  const sections = toPrintableTexts([
    ...proof,
    checkPrivileges(account, audited.flatMap(nameProblem)),
    checkConnection(config.database, state),
    checkFreshness(state, heartbeat, config.syncOverlapSeconds),
  ])
  const checkedAt = new Date(clock()).toISOString()
  const all = sections.flatMap((section) => section.findings)
  const count = (severity: Finding['severity']): number =>
    all.filter((one) => one.severity === severity).length
  const [errors, warnings] = [count('error'), count('warning')]
  const isOpen = open.length === 0 ? '' : `; TODO: ${toCountText(open.length, 'place')}`
  return {
    version,
    checkedAt,
    ok: errors === 0,
    title: `Vitrine ${version}: check of ${checkedAt}`,
    sections,
    summary: `${toCountText(errors, 'error')}, ${toCountText(warnings, 'warning')}${isOpen}`,
  }
}

/** A finding about a privilege, whose problem begins with it. */
function nameProblem({ privilege, ...finding }: Finding): readonly Finding[] {
  return privilege === undefined ? [] : [{ ...finding, problem: `${privilege}: ${finding.problem}` }]
}

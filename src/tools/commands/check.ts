import { requireStatements } from '../../audit/rejected-statement.js'
import { createReport } from '../check/create-report.js'
import type { CheckReport } from '../check/create-report.js'
import type { Clock } from '../../clock.js'
import { fillKeys } from '../../mapping/fill-keys.js'
import { renderHtml } from '../report/render-html.js'
import { renderText } from '../report/render-text.js'
import {
  loadConfiguration,
  loadMapping,
  openDatabase,
  readVersion,
} from '../../service/load-configuration.js'
import { writeReport } from './write-report.js'

interface CheckInput {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Whether to print JSON instead of text. */
  readonly json: boolean
  /** Whether the text has what was read too; otherwise it has a line for each section, and the findings. */
  readonly all: boolean
  /** The file for the page; undefined where none is wanted. */
  readonly htmlFile: string | undefined
  /** A mapping file to compare with; undefined where none is named. */
  readonly againstFile?: string | undefined
  readonly colour: boolean
  readonly clock: Clock
}

/**
 * Checks the database of the configuration.
 *
 * @returns what to print, and whether no section has an error.
 * @throws ConfigError, UsageError when the page cannot be written, AuditError when the server rejects a statement, or
 * Problem when the database does not answer.
 */
export async function check(input: CheckInput): Promise<{ text: string; ok: boolean }> {
  const { config, mapping } = await loadConfiguration(input.variables)
  const against = input.againstFile === undefined ? undefined : await loadMapping(input.againstFile)
  const database = await openDatabase(config, { heartbeat: mapping.heartbeat })
  try {
    const report = await requireStatements(database, async () =>
      createReport({
        config,
        mapping: await fillKeys(mapping, database.runCheckQuery),
        against,
        database,
        clock: input.clock,
        version: readVersion(),
      }),
    )
    if (input.htmlFile !== undefined)
      await writeReport({
        option: '--html',
        file: input.htmlFile,
        text: renderHtml(report),
        isPrivate: true,
      })
    const text = input.json ? `${JSON.stringify(report, null, 2)}\n` : toText(report, input)
    return { text, ok: report.ok }
  } finally {
    await database.close()
  }
}

function toText(report: CheckReport, { all, colour }: CheckInput): string {
  if (all) return renderText(report, { colour })
  const sections = report.sections.map(({ notes = [], ...section }) =>
    section.status === 'skipped' ? { ...section, notes } : section,
  )
  const summary = `${report.summary}; --all prints what was read`
  return renderText({ ...report, sections, summary }, { colour, isList: true })
}

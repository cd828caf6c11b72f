import { open } from 'node:fs/promises'
import { requireStatements } from '../audit/rejected-statement.js'
import { createReport } from '../check/create-report.js'
import { renderHtml } from '../check/render-html.js'
import { renderText } from '../check/render-text.js'
import type { Clock } from '../clock.js'
import { toErrorText, UsageError } from '../errors.js'
import { fillKeys } from '../mapping/fill-keys.js'
import { loadConfiguration, loadMapping, openDatabase, readVersion } from '../service/load-configuration.js'

interface CheckInput {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Whether to print JSON instead of text. */
  readonly json: boolean
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
    if (input.htmlFile !== undefined) await writePage(input.htmlFile, renderHtml(report))
    const text = input.json ? `${JSON.stringify(report, null, 2)}\n` : renderText(report, input.colour)
    return { text, ok: report.ok }
  } finally {
    await database.close()
  }
}

/** Only the owner can read the page: it shows what the database user may do. */
const privateMode = 0o600

async function writePage(file: string, page: string): Promise<void> {
  try {
    const handle = await open(file, 'w', privateMode)
    try {
      // A file that exists keeps its mode otherwise; a device must.
      if ((await handle.stat()).isFile()) await handle.chmod(privateMode)
      await handle.writeFile(page)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new UsageError(`--html ${JSON.stringify(file)} cannot be written: ${toErrorText(error)}`)
  }
}

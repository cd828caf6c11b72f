import { readFile } from 'node:fs/promises'
import { requireStatements } from '../../audit/rejected-statement.js'
import { exportsHead } from '../check/exports.js'
import type { Exported } from '../check/exports.js'
import { createReport } from '../check/create-report.js'
import type { CheckReport } from '../check/create-report.js'
import type { Clock } from '../../values/instant.js'
import { describeUnusable, UsageError } from '../../errors.js'
import { readTable } from '../export/table.js'
import { fillMapping } from '../../mapping/mapped-columns.js'
import { renderText } from '../report/render-text.js'
import { version } from '../../client/headers.js'
import { profileHead } from '../check/profile.js'
import { recordsHead } from '../check/records.js'
import { readOpenMapping } from '../check/open-places.js'
import { loadConfiguration } from '../../mapping/load-configuration.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { describeCollections } from '../../mapping/resolve-mapping.js'
import { withDatabase } from './with-database.js'
import { writeReport } from '../report/files.js'
import type { Variables } from './command.js'

interface CheckInput {
  /** Whether to print JSON instead of text. */
  readonly json: boolean
  /** Whether the text has what was read too; otherwise it has a line for each section, and the findings. */
  readonly all: boolean
  /** Whether some records are shown in full. */
  readonly records?: boolean
  /** Such as `invoices=invoices.csv`. */
  readonly export?: readonly string[] | undefined
  /** The files for the page and the JUnit report; undefined where none is wanted. */
  readonly html?: string | undefined
  readonly junit?: string | undefined
  readonly clock: Clock
}

/**
 * Checks the database of the configuration.
 *
 * @returns what to print, and whether no section has an error.
 * @throws ConfigError, AuditError when the server rejects a statement, or Problem when the database does not answer.
 */
export async function check(variables: Variables, input: CheckInput): Promise<{ text: string; ok: boolean }> {
  const { clock, json, all, records = false, export: named = [], ...files } = input
  const exports = await Promise.all(named.map(readExport))
  const startedAt = clock()
  const { config, mapping: read } = await loadConfiguration(variables, (text) => ({
    ...readOpenMapping(text),
    mappingText: text,
  }))
  const report = await withDatabase(config, (database) =>
    requireStatements(database, async () => {
      const mapping = await fillMapping(read.mapping, database.runCheckQuery)
      return createReport({ config, mapping, open: read.open, database, clock, version, records, exports })
    }),
  )
  const { host: hostname } = config.database
  const durationMs = clock() - startedAt
  const suite = { name: 'vitrine check', hostname, startedAt: report.checkedAt, durationMs }
  const { mapping, mappingText } = read
  await writeReport(report, suite, files, { intro: describePublic(mapping), mappingText })
  const text = json ? `${JSON.stringify(report, null, 2)}\n` : renderText(all ? report : toShort(report))
  return { text, ok: report.ok }
}

/** A file before anything is asked of the database. @throws UsageError in one sentence */
async function readExport(named: string): Promise<Exported> {
  const [name = '', ...rest] = named.split('=')
  const file = rest.join('=')
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(`--export takes a file that can be read; found ${describeUnusable(file, error)}`)
  })
  return { name, file, table: readTable(file, bytes) }
}

/** Without what was read, but what the mapping shows, and why nothing was read. */
function toShort(report: CheckReport): CheckReport {
  const sections = report.sections.map((section) => {
    const { notes = [], id, title, status, findings } = section
    if ([recordsHead.id, exportsHead.id].some((one) => one === id)) return section
    const isNoted = status === 'skipped' || id === profileHead.id
    return { id, title, status, findings, notes: isNoted ? notes : [] }
  })
  return { ...report, sections, summary: `${report.summary}; --all prints what was read` }
}

/** What becomes public with a mapping, and of whom. */
function describePublic(mapping: Mapping): string {
  const collections = describeCollections(mapping)
  const shown = collections.map(({ name, contents }) => {
    return `${name} from ${mapping[name]?.table ?? ''} (${Object.keys(contents).join(', ')})`
  })
  const personal = new Set(
    collections.flatMap(({ contents }) =>
      Object.keys(contents).filter((field) => contents[field] === 'personal'),
    ),
  )
  const people =
    personal.size === 0 ? '' : ` Personal data of the people who registered: ${[...personal].join(', ')}.`
  return `With this mapping, an API key gives read access to the records of one workspace: ${shown.join('; ')}.${people} No other column is public, and nothing can be changed.`
}

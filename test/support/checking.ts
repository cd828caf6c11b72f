import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { CheckReport } from '../../src/tools/check/create-report.js'
import { check } from '../../src/tools/commands/check.js'
import type { ProductDatabase } from '../product/index.js'
import type { Section, Table } from '../../src/tools/report/report.js'
import { makeFolder } from './folder.js'

/** The sections of a complete report, in their order. */
export const sectionIds = ['profile', 'contradictions', 'cost', 'privileges', 'freshness']

type CheckedDatabase = Pick<ProductDatabase, 'readUrl' | 'mappingFile'>

/** The report of `vitrine check` on a product's database. */
export async function runCheck(
  { readUrl, mappingFile }: CheckedDatabase,
  env: Readonly<Record<string, string>> = {},
  records = false,
): Promise<CheckReport> {
  const variables = { DATABASE_URL: readUrl, MAPPING_FILE: mappingFile, ...env }
  const { text, ok } = await check(variables, { json: true, all: false, records, clock: Date.now })
  const report = JSON.parse(text) as CheckReport
  expect(report.ok).toBe(ok)
  return report
}

/** A section of a report, by its id. */
export function findSection({ sections }: CheckReport, id: string): Section {
  return sections.find((section) => section.id === id)!
}

/** The rows of a table of a section, by its id. */
export function rowsOf({ tables }: Section, id: string): Table['rows'] {
  return tables!.find((table) => table.id === id)!.rows
}

/** The same database with a mapping file in which every such part is replaced, as a team would edit it. */
export async function changeMapping(
  database: ProductDatabase,
  part: string,
  by: string,
): Promise<ProductDatabase> {
  const text = await readFile(database.mappingFile, 'utf8')
  expect(text).toContain(part)
  const folder = makeFolder()
  const mappingFile = join(folder, 'mapping.yaml')
  await writeFile(mappingFile, text.replaceAll(part, by))
  return { ...database, mappingFile }
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'

const status = [
  'status: reg_status',
  'status: { from: bench_statuses, on: reg_status, key: code, column: word }',
]
const large = '{ from: bench_people, on: id, column:'

/** Mappings of the same records with two lookups each: of two tables of few rows, or one of a table as large as its own. */
const mappings = {
  small: [
    status,
    ['name: attendee_name', 'name: { from: bench_countries, on: attendee_country, column: label }'],
  ],
  large: [
    status,
    ['name: attendee_name', `name: ${large} full_name }`],
    ['email: attendee_email', `email: ${large} mail }`],
  ],
} as const

/** A mapping with lookups. */
export type LookupKind = keyof typeof mappings

/**
 * Makes the tables of the lookups beside a filled plain product, which its user may read, and the mapping files.
 *
 * @returns the mapping file of each kind.
 */
export async function createLookupMappings(
  database: ProductDatabase,
  folder: string,
): Promise<Readonly<Record<LookupKind, string>>> {
  const user = decodeURIComponent(new URL(database.readUrl).username)
  const schema = decodeURIComponent(new URL(database.adminUrl).pathname.slice(1))
  await runStatements(database.adminUrl, [
    `CREATE TABLE bench_people (PRIMARY KEY (id)) AS
       SELECT id, attendee_name AS full_name, attendee_email AS mail FROM event_registrations`,
    `CREATE TABLE bench_statuses (UNIQUE KEY (code)) AS
       SELECT DISTINCT reg_status AS code, reg_status AS word FROM event_registrations`,
    `CREATE TABLE bench_countries (PRIMARY KEY (code)) AS
       SELECT DISTINCT attendee_country AS code, 'Someone' AS label FROM event_registrations`,
    'ANALYZE TABLE bench_people, bench_statuses, bench_countries',
    `GRANT SELECT ON \`${schema}\`.bench_countries TO \`${user}\`@\`%\``,
    `GRANT SELECT (attendee_country) ON \`${schema}\`.event_registrations TO \`${user}\`@\`%\``,
    `GRANT SELECT ON \`${schema}\`.bench_people TO \`${user}\`@\`%\``,
    `GRANT SELECT ON \`${schema}\`.bench_statuses TO \`${user}\`@\`%\``,
  ])
  const plain = await readFile(toPath(database.mappingFile), 'utf8')
  const write = async (kind: LookupKind): Promise<string> => {
    const text = mappings[kind].reduce((before, [part = '', by = '']) => {
      if (!before.includes(part)) throw new Error(`Not in the mapping file: ${part}`)
      return before.replace(part, by)
    }, plain)
    const file = join(folder, `lookups-${kind}.yaml`)
    await writeFile(file, text)
    return file
  }
  return { small: await write('small'), large: await write('large') }
}

function toPath(file: string | URL): string {
  return typeof file === 'string' && !file.startsWith('file:') ? file : fileURLToPath(file)
}

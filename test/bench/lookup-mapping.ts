import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'

/** A mapping of the same records with two lookups: one of a table as large as the resource's own, one of a few rows. */
const changes = [
  ['name: attendee_name', 'name: { from: bench_people, on: id, column: full_name }'],
  ['email: attendee_email', 'email: { from: bench_people, on: id, column: mail }'],
  ['status: reg_status', 'status: { from: bench_statuses, on: reg_status, key: code, column: word }'],
] as const

/**
 * Makes the tables of the lookups beside a filled plain product, and the mapping file that reads them.
 *
 * @returns the mapping file; the user of the product may read the tables.
 */
export async function createLookupMapping(database: ProductDatabase, folder: string): Promise<string> {
  const user = decodeURIComponent(new URL(database.readUrl).username)
  const schema = decodeURIComponent(new URL(database.adminUrl).pathname.slice(1))
  await runStatements(database.adminUrl, [
    `CREATE TABLE bench_people (PRIMARY KEY (id)) AS
       SELECT id, attendee_name AS full_name, attendee_email AS mail FROM event_registrations`,
    `CREATE TABLE bench_statuses (UNIQUE KEY (code)) AS
       SELECT DISTINCT reg_status AS code, reg_status AS word FROM event_registrations`,
    'ANALYZE TABLE bench_people, bench_statuses',
    `GRANT SELECT ON \`${schema}\`.bench_people TO \`${user}\`@\`%\``,
    `GRANT SELECT ON \`${schema}\`.bench_statuses TO \`${user}\`@\`%\``,
  ])
  const plain = await readFile(toPath(database.mappingFile), 'utf8')
  const text = changes.reduce((before, [part, by]) => {
    if (!before.includes(part)) throw new Error(`Not in the mapping file: ${part}`)
    return before.replace(part, by)
  }, plain)
  const file = join(folder, 'lookups.yaml')
  await writeFile(file, text)
  return file
}

function toPath(file: string | URL): string {
  return typeof file === 'string' && !file.startsWith('file:') ? file : fileURLToPath(file)
}

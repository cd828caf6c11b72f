import { readFile } from 'node:fs/promises'
import type { View } from '../product/index.js'
import { spawnVitrine } from './vitrine.js'
import type { Outcome } from './vitrine.js'

/** The lines of a sync that takes long, as on a busy machine. */
const progress = /^\w+: [\d,]+ records, .*\n/gm

/** Starts `vitrine pull` as its user does. */
export function startPull(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { child, ended, stdout, stderr } = spawnVitrine(['pull', ...args], env)
  const outcome = ended.then((status): Outcome => ({
    status,
    stdout: stdout(),
    stderr: stderr().replaceAll(progress, ''),
  }))
  return { child, outcome }
}

/** The records of an NDJSON copy in the order of their ids; throws where a line is not a whole record. */
export async function readNdjson(file: string): Promise<readonly View[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  if (text !== '' && !text.endsWith('\n')) throw new Error(`${file} ends within a line`)
  const records = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as View)
  const ids = new Set(records.map(({ id }) => id))
  if (ids.size !== records.length) throw new Error(`${file} holds a record twice`)
  return sortById(records)
}

interface Database {
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => { readonly all: () => View[] }
  readonly close: () => void
}

function openSqlite(file: string): Database {
  const module = process.getBuiltinModule('node:sqlite') as unknown as {
    DatabaseSync: new (file: string) => Database
  }
  return new module.DatabaseSync(file)
}

/** Runs statements in an SQLite copy. */
export function changeSqlite(file: string, sql: string): void {
  const database = openSqlite(file)
  database.exec(sql)
  database.close()
}

/** The records of an SQLite copy in the order of their ids, as the API shows them. */
export function readSqlite(file: string, table: string): readonly View[] {
  const database = openSqlite(file)
  const rows = database.prepare(`SELECT * FROM ${table} ORDER BY id`).all()
  database.close()
  return sortById(
    rows.map((row) =>
      'checkedIn' in row ? { ...row, checkedIn: row['checkedIn'] === (1 as never) } : { ...row },
    ),
  )
}

/** Whether this Node can write an SQLite copy. */
export const hasSqlite = (process.getBuiltinModule('node:sqlite') as unknown) !== undefined

/** Records in the order of their ids as text. */
export function sortById(records: readonly View[]): readonly View[] {
  return records.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))
}

import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { View } from '../product/index.js'
import { startScript } from './scripted-server.js'
import type { Script } from './scripted-server.js'
import type { TestService } from './service.js'
import { spawnVitrine } from './vitrine.js'
import type { Outcome } from './vitrine.js'

/** The lines of a sync that takes long, as on a busy machine. */
const progress = /^\w+: [\d,]+ records, .*\n/gm

/** A `vitrine pull` under way. */
export interface Pulling {
  readonly child: ChildProcess
  readonly outcome: Promise<Outcome>
}

/** Starts `vitrine pull` as its user does. */
export function startPull(args: readonly string[], env: Readonly<Record<string, string>>): Pulling {
  const { child, ended, stdout, stderr } = spawnVitrine(['pull', ...args], env)
  const outcome = ended.then((status) => ({
    status,
    stdout: stdout(),
    stderr: stderr().replaceAll(progress, ''),
  }))
  return { child, outcome }
}

/** A moment of an answer on its way through the gate. */
export type Moment = 'asked' | 'half' | 'answered'

/** A proxy before a service that tells of every answer that passes. */
export interface Gate {
  readonly url: string
  /** Called, and waited for, at each moment of each answer. */
  onMoment: (moment: Moment, request: number) => Promise<void> | void
  /** Requests since the last reset. */
  requests: number
}

/** Starts one on a free port; gone when the file is done. */
export async function startGate({ app }: Pick<TestService, 'app'>): Promise<Gate> {
  const pass = async (...[response, { url = '', headers }]: Parameters<Script>): Promise<void> => {
    gate.requests += 1
    const number = gate.requests
    await gate.onMoment('asked', number)
    const answer = await app.inject({ url, headers })
    const middle = Math.floor(answer.rawPayload.length / 2)
    response.writeHead(answer.statusCode, answer.headers)
    response.write(answer.rawPayload.subarray(0, middle))
    await gate.onMoment('half', number)
    response.end(answer.rawPayload.subarray(middle))
    await gate.onMoment('answered', number)
  }
  const { url } = await startScript((response, request) => {
    pass(response, request).catch(() => response.destroy())
  })
  const gate: Gate = { url, onMoment: () => undefined, requests: 0 }
  return gate
}

/** The records of an NDJSON copy in the order of their ids; throws where a line is no whole record. */
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

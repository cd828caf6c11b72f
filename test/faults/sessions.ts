import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { runStatements, withAccount } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { ask } from '../support/ask.js'
import { killSessions } from '../support/server-sessions.js'
import type { Stage } from './stage.js'

/** Undoes what a fault broke; from then on the database is there again. */
export type Undo = () => Promise<void> | void

const table = 'event_registrations'
/** How often the same thing is done or looked for again. */
const everyMs = 20

/** Locks a whole table, as a backup does. */
export async function holdLock({ adminUrl }: ProductDatabase): Promise<Undo> {
  const connection = await mysql.createConnection({ uri: adminUrl })
  await connection.query(`LOCK TABLES ${table} WRITE`)
  return () => connection.end()
}

/** A change of a table that waits for somebody's open transaction; everybody who comes later waits behind it. */
export async function holdPendingAlter({ adminUrl }: ProductDatabase): Promise<Undo> {
  const [reader, migration] = await Promise.all([
    mysql.createConnection({ uri: adminUrl }),
    mysql.createConnection({ uri: adminUrl }),
  ])
  await reader.query('START TRANSACTION')
  await reader.query(`SELECT id FROM ${table} LIMIT 1`)
  const altered = migration.query(`ALTER TABLE ${table} COMMENT = 'changed'`)
  await waitForState(adminUrl, migration.threadId, /metadata lock/)
  return async () => {
    await reader.query('ROLLBACK')
    await altered
    await Promise.all([reader.end(), migration.end()])
  }
}

/** Two writers that lock all rows and each other out; the server ends one, the other keeps its locks. */
export async function holdDeadlock({ adminUrl }: ProductDatabase): Promise<Undo> {
  const writers = await Promise.all([
    mysql.createConnection({ uri: adminUrl }),
    mysql.createConnection({ uri: adminUrl }),
  ])
  const tables = [table, 'invoices']
  for (const [at, writer] of writers.entries()) {
    await writer.query('START TRANSACTION')
    await writer.query(`SELECT id FROM ${tables[at]!} FOR UPDATE`)
  }
  const crossed = await Promise.allSettled(
    writers.map((writer, at) => writer.query(`SELECT id FROM ${tables[1 - at]!} FOR UPDATE`)),
  )
  if (crossed.every(({ status }) => status === 'fulfilled')) throw new Error('There was no deadlock')
  return async () => {
    await Promise.all(writers.map((writer) => writer.end()))
  }
}

/** Kills whatever a user has under way, until it is stopped. */
export function keepKilling(
  { adminUrl }: ProductDatabase,
  user: string,
  command: 'KILL QUERY' | 'KILL CONNECTION',
): () => Promise<void> {
  let going = true
  const kill = async (): Promise<void> => {
    const connection = await mysql.createConnection({ uri: adminUrl })
    while (going) {
      await killSessions(connection, user, command)
      await delay(everyMs)
    }
    await connection.end()
  }
  const done = kill()
  return async () => {
    going = false
    await done
  }
}

/** Takes every connection that the server has, before the services come back for theirs. */
export async function takeAllConnections({ database, network }: Stage): Promise<Undo> {
  const server = withAccount(database.adminUrl, { database: '' })
  const [before] = await ask(server, 'SELECT @@GLOBAL.max_connections AS most')
  await network.close()
  await runStatements(server, ['SET GLOBAL max_connections = 10'])
  const taken: mysql.Connection[] = []
  for (;;) {
    const one = await mysql.createConnection({ uri: database.readUrl }).catch((error: unknown) => {
      if (error instanceof Error && 'errno' in error && error.errno === 1040) return undefined
      throw error
    })
    if (one === undefined) break
    taken.push(one)
  }
  await network.open()
  return async () => {
    await Promise.all(taken.map((connection) => connection.end()))
    await runStatements(server, [`SET GLOBAL max_connections = ${String(before?.['most'])}`])
  }
}

async function waitForState(adminUrl: string, id: number | null, state: RegExp): Promise<void> {
  const end = Date.now() + 30_000
  for (;;) {
    const [row] = await ask(
      adminUrl,
      `SELECT state FROM information_schema.processlist WHERE id = ${String(id)}`,
    )
    if (state.test(String(Object.values(row ?? {})[0]))) return
    if (Date.now() > end) throw new Error(`No state ${state.source}: ${JSON.stringify(row)}`)
    await delay(everyMs)
  }
}

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import mysql from 'mysql2/promise'
import type { ProductDatabase, Throwaway } from '../product/index.js'

/** The service as its operator runs it: a process of its own, which can be ended and started again. */
export interface ServiceProcess {
  /** Where it listens; another promise as soon as a restart begins. */
  readonly current: () => Promise<string>
  /** Ends it by the signal and starts another one, on another port. */
  readonly restart: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** Ends every connection that it has to the database. */
  readonly cutConnections: (admin: mysql.Connection) => Promise<void>
  /** How many times connections were cut: from then on it may answer that the database is not there. */
  readonly cuts: () => number
  readonly stop: () => Promise<void>
}

/** Few connections, so that restarts and cuts meet them all. */
export const poolSize = 4

/** Starts the service before a product's database. */
export async function startServiceProcess(
  throwaway: Throwaway,
  database: ProductDatabase,
  overlapSeconds: number,
): Promise<ServiceProcess> {
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, ['dist/cli.js', 'serve'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: database.readUrl,
        DATABASE_POOL_SIZE: String(poolSize),
        MAPPING_FILE: database.mappingFile,
        PORT: '0',
        OPS_PORT: '0',
        RATE_LIMIT_PER_MINUTE: '0',
        SYNC_OVERLAP_SECONDS: String(overlapSeconds),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.pid !== undefined) throwaway.undo({ do: 'kill', pid: child.pid })
    return child
  }
  const end = async (child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const exited = once(child, 'exit')
    child.kill(signal)
    const [status] = (await exited) as [number | null]
    if (signal === 'SIGTERM' && status !== 0) throw new Error(`SIGTERM ended the service with ${status}`)
  }
  let child = start()
  let current = readOrigin(child)
  let cuts = 0
  await current
  return {
    current: () => current,
    restart: async (signal) => {
      const before = child
      current = end(before, signal).then(() => {
        child = start()
        return readOrigin(child)
      })
      await current
    },
    cutConnections: async (admin) => {
      cuts += 1
      await cutConnections(admin, decodeURIComponent(new URL(database.readUrl).username))
    },
    cuts: () => cuts,
    stop: () => end(child, 'SIGTERM'),
  }
}

/** Reads all that it logs, so that it never waits for a reader, and finds where it listens. */
function readOrigin(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let found = false
    child.stdout?.on('data', (chunk: Buffer) => {
      if (found) return
      text += chunk.toString()
      const origin = /"api":"([^"]+)"/.exec(text)?.[1]
      if (origin === undefined) return
      found = true
      resolve(origin)
    })
    child.once('exit', (code) => {
      reject(new Error(`The service ended with ${String(code)} before it listened: ${text}`))
    })
  })
}

async function cutConnections(admin: mysql.Connection, user: string): Promise<void> {
  const [rows] = await admin.query<mysql.RowDataPacket[]>(
    `SELECT id FROM information_schema.processlist WHERE user = ${mysql.escape(user)}`,
  )
  for (const row of rows) {
    await admin.query(`KILL ${String(Object.values(row)[0])}`).catch((error: unknown) => {
      // It may have ended by itself in between.
      if (!(error instanceof Error && 'code' in error && error.code === 'ER_NO_SUCH_THREAD')) throw error
    })
  }
}

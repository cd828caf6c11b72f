import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { withAccount } from '../product/index.js'
import type { Server } from '../product/index.js'

/** How the product writes. */
export interface Writing {
  /** The longest time that a transaction is held open. */
  readonly holdMaxSeconds: number
  /** What took longer until its commit is written once more: the promise that the overlap rests on. */
  readonly promisedSeconds: number
  /** How the time of a change is stored. */
  readonly form: TimeForm
}

/** The digits of a second, and the offset that the column means. */
export interface TimeForm {
  readonly digits: number
  readonly timezone: string
}

/** As the plain product stores it. */
export const usualForm: TimeForm = { digits: 3, timezone: '+00:00' }

/** Between two changes of the quick session of each node; all quick sessions together change a hundred records a second. */
const quickPauseMs = 10
/** Between two statements that give many records one time. */
const tiePauseMs = 500
/** More than a page has. */
const tiedRecords = 150
/** Sessions of each node whose transactions stay open. */
const heldSessions = 4
const failurePauseMs = 500

/** Runs a statement of the product; `$now` stands for the time of the change. */
type Run = (sql: string, values: readonly string[]) => Promise<void>

/** Writes once, or until the writers are stopped. */
type Act = (run: Run, name: string) => Promise<void>

/** The product's writers at each node; each session has records of its own, so that none waits for another. */
export function startWriters(nodes: readonly Server[], database: string, writing: Partial<Writing>) {
  const { holdMaxSeconds = 60, promisedSeconds = Infinity, form = usualForm } = writing
  const { digits, timezone } = form
  const now = `CONVERT_TZ(UTC_TIMESTAMP(${digits}), '+00:00', '${timezone}')`
  let going = true
  let [version, commits, lateCommits] = [0, 0, 0]

  const replace = async (run: Run, id: string): Promise<void> => {
    await run(
      `REPLACE INTO event_registrations (id, workspace_id, event_id, reg_status, attendee_name, attendee_email, badge_qr_token, created_at, updated_at)
       VALUES (?, 'W', 'E', 'CONFIRMED', ?, 'ada@example.com', 'x', UTC_TIMESTAMP(3), $now)`,
      [id, String((version += 1))],
    )
  }
  const inTime = async (act: () => Promise<void>): Promise<void> => {
    for (;;) {
      const begun = performance.now()
      await act()
      if (performance.now() - begun < promisedSeconds * 1000) return
    }
  }
  const quick: Act = async (run, name) => {
    // Of four changes three are of a record that exists in most cases.
    const number = Math.floor(Math.random() * (version % 4 === 0 ? 1e6 : 20))
    await inTime(() => replace(run, `${name}-${number}`))
    commits += 1
    await delay(quickPauseMs * nodes.length)
  }
  const tie: Act = async (run, name) => {
    for (let at = 0; at < tiedRecords; at += 1) await inTime(() => replace(run, `${name}-${at}`))
    const sql = 'UPDATE event_registrations SET attendee_name = ?, updated_at = $now WHERE id LIKE ?'
    while (going) {
      await inTime(() => run(sql, [String((version += 1)), `${name}-%`]))
      commits += 1
      await delay(tiePauseMs)
    }
  }
  const hold: Act = async (run, name) => {
    const number = Math.floor(Math.random() * 1000)
    let holdMs = Math.random() * holdMaxSeconds * 1000
    await inTime(async () => {
      const until = performance.now() + holdMs
      holdMs = 0
      await run('START TRANSACTION', [])
      await replace(run, `${name}-${number}`)
      await replace(run, `${name}-${number + 1}`)
      while (going && performance.now() < until) await delay(100)
      await run('COMMIT', [])
    })
    lateCommits += 1
  }
  const write = async (node: Server, name: string, act: Act): Promise<void> => {
    let connection: mysql.Connection | undefined
    const run: Run = async (sql, values) => {
      await connection!.query(sql.replaceAll('$now', now), [...values])
    }
    while (going) {
      try {
        connection ??= await connect(withAccount(node.adminUrl, { database }))
        await act(run, name)
      } catch {
        // As at a member that is cut off, or has no majority.
        connection?.destroy()
        connection = undefined
        await delay(failurePauseMs)
      }
    }
    connection?.destroy()
  }
  const done = nodes.flatMap((node, at) => [
    write(node, `q${at}`, quick),
    write(node, `t${at}`, tie),
    ...Array.from({ length: heldSessions }, (_, session) => write(node, `h${at}${session}`, hold)),
  ])
  return {
    stop: async () => {
      going = false
      await Promise.all(done)
      return { commits, lateCommits }
    },
  }
}

async function connect(uri: string): Promise<mysql.Connection> {
  const connection = await mysql.createConnection({ uri, connectTimeout: 2000 })
  // The statement that follows reports it.
  connection.on('error', () => undefined)
  return connection
}

import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { withAccount } from '../product/index.js'
import type { Member } from './member.js'

/** Between two changes of the quick session of each node; all quick sessions together change a hundred records a second. */
const quickPauseMs = 10
/** Sessions of each node whose transactions stay open. */
const heldSessions = 4
const failurePauseMs = 500

interface Seat {
  readonly node: Member
  readonly name: string
  /** The longest time that its transactions stay open; 0 for changes of one statement. */
  readonly holdMaxMs: number
}

/** The product's writers at each node; each session has records of its own, so that none waits for another. */
export function startWriters(nodes: readonly Member[], database: string, holdMaxSeconds: number) {
  let going = true
  let [version, commits, lateCommits] = [0, 0, 0]
  const change = async (connection: mysql.Connection, { name }: Seat): Promise<void> => {
    version += 1
    // Of four changes three are of a record that exists in most cases.
    const number = Math.floor(Math.random() * (version % 4 === 0 ? 1e6 : 20))
    await connection.query(
      `REPLACE INTO event_registrations (id, workspace_id, event_id, reg_status, attendee_name, attendee_email, badge_qr_token, created_at, updated_at)
       VALUES (?, 'W', 'E', 'CONFIRMED', ?, 'ada@example.com', 'x', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`,
      [`${name}-${number}`, String(version)],
    )
  }
  const writeOnce = async (connection: mysql.Connection, seat: Seat): Promise<void> => {
    if (seat.holdMaxMs === 0) {
      await change(connection, seat)
      commits += 1
      await delay(quickPauseMs * nodes.length)
      return
    }
    await connection.query('START TRANSACTION')
    await change(connection, seat)
    await change(connection, seat)
    const until = Date.now() + Math.random() * seat.holdMaxMs
    while (going && Date.now() < until) await delay(200)
    await connection.query('COMMIT')
    lateCommits += 1
  }
  const write = async (seat: Seat): Promise<void> => {
    let connection: mysql.Connection | undefined
    const uri = withAccount(seat.node.adminUrl, { database })
    while (going) {
      try {
        connection ??= await connect(uri)
        await writeOnce(connection, seat)
      } catch {
        // As at a member that is cut off, or has no majority.
        connection?.destroy()
        connection = undefined
        await delay(failurePauseMs)
      }
    }
    connection?.destroy()
  }
  const holdMaxMs = holdMaxSeconds * 1000
  const done = nodes.flatMap((node) => [
    write({ node, name: `q${node.id}`, holdMaxMs: 0 }),
    ...Array.from({ length: heldSessions }, (_, at) => write({ node, name: `h${node.id}${at}`, holdMaxMs })),
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

import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import { createRandom } from './random.js'
import type { ProductDatabase } from './throwaway.js'
import { firstNames, lastNames } from './truth.js'

/**
 * Keeps registering people and checking them in, as the product would, until the signal comes; so that a sync
 * has something to follow.
 */
export async function keepChanging(
  database: ProductDatabase,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<void> {
  const connection = await mysql.createConnection({
    uri: database.adminUrl,
    charset: 'utf8mb4',
    timezone: 'Z',
  })
  const random = createRandom(Date.now())
  try {
    while (!signal.aborted) {
      const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
      if (random.whole(2) === 0) {
        await register(connection, database, {
          name,
          id: random.hex(26).toUpperCase(),
          token: random.hex(43),
        })
        say(`${name} registered`)
      } else {
        const who = await checkIn(connection, database)
        if (who !== undefined) say(`${who} checked in`)
      }
      await delay(1000, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    await connection.end()
  }
}

interface Newcomer {
  readonly name: string
  readonly id: string
  readonly token: string
}

async function register(
  connection: mysql.Connection,
  { product }: ProductDatabase,
  newcomer: Newcomer,
): Promise<void> {
  await connection.query(
    `INSERT INTO event_registrations
       (id, workspace_id, event_id, reg_status, attendee_name, attendee_email, badge_qr_token, created_at, updated_at)
     VALUES (?, ?, ?, 'CONFIRMED', ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`,
    [
      newcomer.id,
      product.workspaceId(0),
      product.eventId(1),
      newcomer.name,
      `${newcomer.id}@example.com`,
      newcomer.token,
    ],
  )
}

/** Checks in the attendee who has waited longest. */
async function checkIn(
  connection: mysql.Connection,
  { product }: ProductDatabase,
): Promise<string | undefined> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT id, attendee_name AS name FROM event_registrations
      WHERE workspace_id = ? AND checked_in_at IS NULL AND archived_at IS NULL AND reg_status = 'CONFIRMED'
      ORDER BY updated_at, id LIMIT 1`,
    [product.workspaceId(0)],
  )
  const waiting = rows[0] as { id: string; name: string } | undefined
  if (waiting === undefined) return undefined
  await connection.query(
    'UPDATE event_registrations SET checked_in_at = UTC_TIMESTAMP(3), updated_at = UTC_TIMESTAMP(3) WHERE id = ?',
    [waiting.id],
  )
  return waiting.name
}

import { setTimeout as delay } from 'node:timers/promises'
import type { ProductDatabase } from './throwaway.js'

/** Somebody registers with the name of another one, or who has waited longest is checked in. */
const changes = {
  registered: `INSERT INTO event_registrations
      (id, workspace_id, event_id, reg_status, attendee_name, attendee_email, badge_qr_token, created_at, updated_at)
    SELECT LEFT(UPPER(SHA2(UUID(), 256)), 26), workspace_id, event_id, 'CONFIRMED', attendee_name,
      CONCAT(UUID(), '@example.com'), LEFT(SHA2(UUID(), 256), 43), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)
    FROM event_registrations WHERE workspace_id = ? AND archived_at IS NULL ORDER BY RAND() LIMIT 1`,
  'checked in': `UPDATE event_registrations SET checked_in_at = UTC_TIMESTAMP(3), updated_at = UTC_TIMESTAMP(3)
    WHERE workspace_id = ? AND checked_in_at IS NULL AND archived_at IS NULL AND reg_status = 'CONFIRMED'
    ORDER BY updated_at, id LIMIT 1`,
}

/** Changes the product every second, as its people would, until the signal comes; so that a sync has something to follow. */
export async function keepChanging(
  { query, product }: ProductDatabase,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<void> {
  for (let at = 0; !signal.aborted; at += 1) {
    const [what, sql] = Object.entries(changes)[at % 2]!
    await query(sql, [product.workspaceId(0)])
    say(`An attendee was ${what}`)
    await delay(1000, undefined, { signal }).catch(() => undefined)
  }
}

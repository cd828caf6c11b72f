import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { ask } from '../support/ask.js'
import { base } from '../support/client.js'
import { waitFor } from './cluster.js'
import type { Node } from './cluster.js'

/** What became of the copies that callers keep while members fail. */
export interface DrillResult {
  readonly syncs: number
  /** Answers of 503, and how long callers had no other. */
  readonly refused: number
  readonly refusedMs: number
  /** The slowest answer. */
  readonly slowestMs: number
  /** Records of the table that the copy does not have, or has in another version. */
  readonly missing: number
  readonly stale: number
  /** Records that were delivered in an older version than before. */
  readonly older: number
  readonly rows: number
  readonly lost: readonly LostRecord[]
}

/** A record of which a copy has another version than the table. */
interface LostRecord {
  readonly id: string
  readonly kept: number | undefined
  readonly version: number
  readonly updatedAt: string
  /** Where the last sync began. */
  readonly since: string
}

interface Page {
  readonly data: readonly { readonly id: string; readonly name: string }[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string }
}

/** The version that the name of a record is; a name that no writer has changed is the first. */
function toVersion(name: string): number {
  return /^\d+$/.test(name) ? Number(name) : 0
}

const writePauseMs = 100
/** The pause after a write that failed, as every write at a secondary does. */
const failurePauseMs = 500

/** Writes at nodes until it is stopped: each name is a version, each third write a new record. */
export function startWriters(nodes: readonly Node[], { adminUrl }: ProductDatabase) {
  let going = true
  let version = 0
  const written = nodes.map(() => 0)
  let failure: unknown
  const write = async (node: Node, at: number): Promise<void> => {
    const url = new URL(node.adminUrl)
    url.pathname = new URL(adminUrl).pathname
    let connection: mysql.Connection | undefined
    while (going) {
      try {
        if (connection === undefined) {
          connection = await mysql.createConnection({ uri: url.href, connectTimeout: 2000 })
          connection.on('error', () => undefined)
          // A write that waits longer would commit with a time of change beyond the overlap.
          await connection.query('SET SESSION lock_wait_timeout = 2, innodb_lock_wait_timeout = 2')
        }
        await writeOnce(connection, (version += 1), at)
        written[at]! += 1
        await delay(writePauseMs)
      } catch (error) {
        failure = error
        connection?.destroy()
        connection = undefined
        await delay(failurePauseMs)
      }
    }
    connection?.destroy()
  }
  const done = nodes.map(write)
  return {
    /** @returns the number of commits at each node. */
    stop: async () => {
      going = false
      await Promise.race([Promise.all(done), delay(5000)])
      return `${written.join(' ')} ${String(failure)}`
    },
  }
}

/** Versions of one record grow, because its version is one more than the one that is stored. */
async function writeOnce(connection: mysql.Connection, version: number, at: number): Promise<void> {
  const timeout = 3000
  const [rows] = await connection.query<RowDataPacket[]>({
    sql: 'SELECT id FROM event_registrations WHERE workspace_id = (SELECT workspace_id FROM workspace_api_keys WHERE key_hash = SHA2(?, 256)) AND archived_at IS NULL ORDER BY RAND() LIMIT 1',
    values: [keys.both],
    timeout,
  })
  const id = String(rows[0]?.['id'])
  const sql =
    version % 3 === 0
      ? `INSERT INTO event_registrations SELECT ?, workspace_id, event_id, reg_status, '1', attendee_email, attendee_phone, attendee_company, attendee_job_title, attendee_country, attendee_city, badge_qr_token, checked_in_at, NULL, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM event_registrations WHERE id = ?`
      : `UPDATE event_registrations SET attendee_name = IF(attendee_name REGEXP '^[0-9]+$', attendee_name, 0) + 1, updated_at = UTC_TIMESTAMP(3) WHERE id = ?`
  const values = version % 3 === 0 ? [`W${at}${Date.now().toString(36)}${version}`, id] : [id]
  await connection.query({ sql, values, timeout })
}

/**
 * Keeps a copy of the registrations of a workspace, by nothing but cursors and `nextUpdatedSince`.
 *
 * @param toApi the address of the service for the next request.
 */
export function startSyncing(toApi: () => string, pauseMs: number) {
  const copy = new Map<string, number>()
  let [going, since, syncs, older, refused, refusedMs, slowestMs] = [true, '', 0, 0, 0, 0, 0]
  const read = async (path: string): Promise<Page | undefined> => {
    let refusedAt: number | undefined
    while (going) {
      const sentAt = performance.now()
      const answer = await fetch(`${toApi()}${base}${path}`, {
        headers: { authorization: `Bearer ${keys.both}` },
      })
      const text = await answer.text()
      slowestMs = Math.max(slowestMs, performance.now() - sentAt)
      if (refusedAt !== undefined) refusedMs = Math.max(refusedMs, performance.now() - refusedAt)
      if (answer.status === 200) return JSON.parse(text) as Page
      if (answer.status !== 503) throw new Error(`${answer.status}: ${text}`)
      refusedAt ??= sentAt
      refused += 1
      await delay(100)
    }
    return undefined
  }
  const sync = async (): Promise<void> => {
    let next: string | undefined
    let path = `/registrations?limit=100${since === '' ? '' : `&updatedSince=${encodeURIComponent(since)}`}`
    for (;;) {
      const page = await read(path)
      if (page === undefined) return
      next ??= page.meta.nextUpdatedSince
      for (const { id, name } of page.data) {
        const version = toVersion(name)
        if (version < (copy.get(id) ?? 0)) older += 1
        copy.set(id, version)
      }
      if (page.meta.cursor === null) break
      path = `/registrations?limit=100&cursor=${page.meta.cursor}`
    }
    since = next
    syncs += 1
  }
  let wake = (): void => undefined
  const run = async (): Promise<void> => {
    while (going) {
      await sync()
      await Promise.race([
        delay(pauseMs, undefined, { ref: false }),
        new Promise<void>((resolve) => (wake = resolve)),
      ])
    }
  }
  const done = run()
  return {
    /** Ends the pause, and resolves after the sync that follows, or after the one that is in progress. */
    syncNow: async () => {
      const before = syncs
      wake()
      await waitFor('a sync', () => syncs > before)
    },
    /** Compares the copy with the table, and begins to count anew. */
    compare: async (node: Node, { adminUrl }: ProductDatabase): Promise<DrillResult> => {
      const url = new URL(node.adminUrl)
      url.pathname = new URL(adminUrl).pathname
      const rows = await ask(
        url.href,
        `SELECT id, attendee_name AS name, CAST(updated_at AS CHAR) AS updatedAt FROM event_registrations WHERE archived_at IS NULL AND workspace_id = (SELECT workspace_id FROM workspace_api_keys WHERE key_hash = SHA2('${keys.both}', 256))`,
      )
      const lost = rows.flatMap(({ id, name, updatedAt }) => {
        const kept = copy.get(String(id))
        const version = toVersion(String(name))
        return kept === version
          ? []
          : [{ id: String(id), kept, version, updatedAt: String(updatedAt), since }]
      })
      const missing = lost.filter(({ kept }) => kept === undefined).length
      const stale = lost.length - missing
      const result = { syncs, refused, refusedMs, slowestMs, missing, stale, older, rows: rows.length, lost }
      ;[syncs, older, refused, refusedMs, slowestMs] = [0, 0, 0, 0, 0]
      // What was lost once is not lost again.
      for (const { id, version } of lost) copy.set(id, version)
      return result
    },
    stop: async () => {
      going = false
      wake()
      await done
    },
  }
}

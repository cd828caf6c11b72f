import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { runStatements } from '../product/index.js'
import type { Random } from '../product/random.js'

/** What the writers of a product did. */
export interface WriterTally {
  commits: number
  rollbacks: number
  /** Long after the transaction began. */
  lateCommits: number
  lockWaits: number
  longestSeconds: number
  inserts: number
  updates: number
  archives: number
  deletes: number
}

type Kind = 'inserts' | 'updates' | 'archives' | 'deletes'

const writersCount = 8
const lateSeconds = 20
/** A transaction waits for a lock for at most so long, and stays open for at most so much longer: together less than the overlap. */
const [lockSeconds, heldSeconds] = [20, 60]
/** Few enough that writers wait for each other. */
const hotRows = 40

/** Fills the table of registrations; `write` changes it for some time, and ends with every transaction. */
export async function startWriters(adminUrl: string, random: Random, seeded: number) {
  await runStatements(adminUrl, [
    `INSERT INTO event_registrations (id, workspace_id, event_id, reg_status, attendee_name, attendee_email, badge_qr_token, created_at, updated_at)
     VALUES ${Array.from({ length: seeded }, (_, at) => `('${toId(at)}', 'W', 'E', 'CONFIRMED', 'first', 'a@b.example', '', '2026-01-01', '2026-01-01' + INTERVAL ${String(at)} SECOND)`).join()}`,
  ])
  const tally: WriterTally = {
    ...{ commits: 0, rollbacks: 0, lateCommits: 0, lockWaits: 0, longestSeconds: 0 },
    ...{ inserts: 0, updates: 0, archives: 0, deletes: 0 },
  }
  let count = seeded
  const planChange = (): readonly [Kind, string] => {
    const kind = random.whole(20)
    const name = `Guest ${String(random.whole(2 ** 30))}`
    if (kind < 4)
      return [
        'inserts',
        `INSERT INTO event_registrations (id, workspace_id, event_id, reg_status, attendee_name, attendee_email, badge_qr_token, created_at, updated_at)
         VALUES ('${toId(count++)}', 'W', 'E', 'CONFIRMED', '${name}', 'a@b.example', '', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`,
      ]
    const hot = random.whole(3) === 0
    const id = toId(hot ? random.whole(hotRows) : hotRows + random.whole(count - hotRows))
    if (kind === 4 && !hot)
      return [
        'archives',
        `UPDATE event_registrations SET archived_at = UTC_TIMESTAMP(3), updated_at = UTC_TIMESTAMP(3) WHERE id = '${id}'`,
      ]
    if (kind === 5 && !hot) return ['deletes', `DELETE FROM event_registrations WHERE id = '${id}'`]
    return [
      'updates',
      `UPDATE event_registrations SET attendee_name = '${name}', updated_at = UTC_TIMESTAMP(3) WHERE id = '${id}'`,
    ]
  }
  /** Returns the kinds of the changes; none where a lock was not free in time, or after a deadlock. */
  const changeSome = async (connection: mysql.Connection, size: number): Promise<readonly Kind[]> => {
    const done: Kind[] = []
    for (let at = 0; at < size; at += 1) {
      const [kind, sql] = planChange()
      const before = performance.now()
      const isDone = await connection.query(sql).then(
        () => true,
        (error: unknown) => {
          if (![1205, 1213].includes((error as { errno?: number }).errno ?? 0)) throw error
          return false
        },
      )
      if (performance.now() - before > 1000) tally.lockWaits += 1
      if (!isDone) return []
      done.push(kind)
    }
    return done
  }
  const transact = async (connection: mysql.Connection, isLong: boolean): Promise<void> => {
    await connection.query('START TRANSACTION')
    const begun = performance.now()
    const done = await changeSome(connection, isLong ? 1 : 1 + random.whole(3))
    if (done.length > 0) await delay(random.whole(isLong ? heldSeconds * 1000 : 300))
    const isCommit = done.length > 0 && random.whole(8) > 0
    await connection.query(isCommit ? 'COMMIT' : 'ROLLBACK')
    tally[isCommit ? 'commits' : 'rollbacks'] += 1
    if (!isCommit) return
    for (const kind of done) tally[kind] += 1
    const seconds = Math.round((performance.now() - begun) / 1000)
    if (seconds > lateSeconds) tally.lateCommits += 1
    tally.longestSeconds = Math.max(tally.longestSeconds, seconds)
  }
  return {
    write: async (ms: number): Promise<WriterTally> => {
      const end = performance.now() + ms
      await Promise.all(
        Array.from({ length: writersCount }, async (_, at) => {
          const connection = await mysql.createConnection({ uri: adminUrl, timezone: 'Z' })
          await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')
          await connection.query(`SET SESSION innodb_lock_wait_timeout = ${String(lockSeconds)}`)
          while (performance.now() < end) {
            await transact(connection, at < 3)
            await delay(random.whole(1000))
          }
          await connection.end()
        }),
      )
      return tally
    },
  }
}

function toId(at: number): string {
  return `R${String(at).padStart(8, '0')}`
}

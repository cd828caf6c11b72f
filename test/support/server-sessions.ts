import type { Connection, RowDataPacket } from 'mysql2/promise'

/**
 * The ids of a user's sessions. Where it can be helped not from information_schema: MySQL's fails as long as the
 * statement of any session holds a character that utf8mb3 lacks.
 */
export async function listSessions(admin: Connection, user: string): Promise<readonly number[]> {
  const [[server]] = await admin.query<RowDataPacket[]>('SELECT @@performance_schema AS watches')
  const [rows] = await admin.query<RowDataPacket[]>(
    Number(server?.['watches']) === 1
      ? 'SELECT processlist_id AS id FROM performance_schema.threads WHERE processlist_user = ?'
      : 'SELECT id FROM information_schema.processlist WHERE user = ?',
    [user],
  )
  return rows.map((row) => Number(row['id']))
}

/** Ends a user's sessions, or just what they have under way. */
export async function killSessions(
  admin: Connection,
  user: string,
  command: 'KILL QUERY' | 'KILL CONNECTION',
): Promise<void> {
  for (const id of await listSessions(admin, user)) {
    await admin.query(`${command} ${id}`).catch((error: unknown) => {
      // It may have ended by itself in between.
      if (!(error instanceof Error && 'code' in error && error.code === 'ER_NO_SUCH_THREAD')) throw error
    })
  }
}

/** How many sessions wait for a table of the connection's database that is locked. */
export async function countLockedOut(admin: Connection): Promise<number> {
  const [rows] = await admin.query<RowDataPacket[]>(
    "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting for table%'",
  )
  return rows.length
}

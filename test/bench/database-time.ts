import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import type { ProductDatabase } from '../product/index.js'

/** The server's own account of how long it worked for the user that reads. */
export interface DatabaseTime {
  /** Milliseconds so far; undefined where the server keeps no such account. */
  readonly read: () => Promise<number | undefined>
  /** How it was measured, for people. */
  readonly source: string
  readonly stop: () => Promise<void>
}

const sources = {
  mysql: {
    name: 'performance_schema, statements of the user that reads',
    sql: 'SELECT SUM(SUM_TIMER_WAIT) / 1e9 AS ms FROM performance_schema.events_statements_summary_by_user_by_event_name WHERE USER = ?',
  },
  mariadb: {
    name: 'userstat, busy time of the user that reads',
    sql: 'SELECT BUSY_TIME * 1000 AS ms FROM information_schema.user_statistics WHERE USER = ?',
  },
} as const

/** Opens the account; MariaDB keeps it only while it is told to. */
export async function openDatabaseTime(
  database: ProductDatabase,
  dialect: 'mysql' | 'mariadb',
): Promise<DatabaseTime> {
  const user = decodeURIComponent(new URL(database.readUrl).username)
  const connection = await mysql.createConnection({ uri: database.adminUrl })
  const { name, sql } = sources[dialect]
  const before = dialect === 'mariadb' ? await turnOnUserStatistics(connection) : undefined
  return {
    source: name,
    read: async () => {
      const [rows] = await connection.query<RowDataPacket[]>(sql, [user])
      const ms: unknown = rows[0]?.['ms']
      return ms === null || ms === undefined ? undefined : Number(ms)
    },
    stop: async () => {
      if (before !== undefined) await connection.query('SET GLOBAL userstat = ?', [before])
      await connection.end()
    },
  }
}

async function turnOnUserStatistics(connection: mysql.Connection): Promise<number> {
  const [rows] = await connection.query<RowDataPacket[]>('SELECT @@GLOBAL.userstat AS before_')
  await connection.query('SET GLOBAL userstat = 1')
  return Number(rows[0]?.['before_'])
}

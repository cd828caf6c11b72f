import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'

/** The rows of one statement, over a connection of its own. */
export async function ask(url: string, sql: string): Promise<readonly RowDataPacket[]> {
  const connection = await mysql.createConnection({ uri: url, charset: 'utf8mb4' })
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    return rows
  } finally {
    await connection.end()
  }
}

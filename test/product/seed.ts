import mysql from 'mysql2/promise'
import type { Rows } from './product.js'

const rowsPerStatement = 500

/** Writes rows, zero dates and all, in statements of a bounded size. */
export async function seed(adminUrl: string, tables: readonly Rows[]): Promise<void> {
  const connection = await mysql.createConnection({ uri: adminUrl, charset: 'utf8mb4' })
  try {
    // A product of older days has what a strict mode refuses.
    await connection.query("SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION', time_zone = '+00:00'")
    await connection.query('START TRANSACTION')
    for (const { table, columns, values } of tables) {
      const into = `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES `
      for (let at = 0; at < values.length; at += rowsPerStatement) {
        // Not as a placeholder: a table's name may hold a question mark itself.
        await connection.query(
          into + mysql.escape(values.slice(at, at + rowsPerStatement).map((row) => [...row])),
        )
      }
    }
    await connection.query('COMMIT')
  } finally {
    await connection.end()
  }
}

function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

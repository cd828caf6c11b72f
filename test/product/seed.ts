import mysql from 'mysql2/promise'
import { quoteName, withConnection } from './load.js'
import type { Rows } from './product.js'

const rowsPerStatement = 500

/** Writes rows, zero dates and all, in statements of a bounded size. */
export async function seed(adminUrl: string, tables: readonly Rows[]): Promise<void> {
  await withConnection(adminUrl, async (connection) => {
    // A product of older days has what a strict mode refuses.
    await connection.query("SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION'")
    await connection.query('START TRANSACTION')
    for (const { table, columns, values } of tables) {
      const into = `INSERT INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')}) VALUES `
      for (let at = 0; at < values.length; at += rowsPerStatement) {
        const rows = values.slice(at, at + rowsPerStatement)
        // Not as a placeholder: a table's name may hold a question mark itself.
        await connection.query(into + mysql.escape(rows.map((row) => [...row])))
      }
    }
    await connection.query('COMMIT')
  })
}

import mysql from 'mysql2/promise'
import type { ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderGrants } from '../../src/audit/grants-sql.js'
import { createKey } from '../../src/tools/commands/key.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { splitStatements } from '../product/index.js'
import { useProduct } from '../support/service.js'

const database = useProduct('plain', { registrations: 20 })
let mapping: Mapping
let connection: mysql.Connection
beforeAll(async () => {
  mapping = await loadMapping(database.mappingFile)
  connection = await mysql.createConnection({ uri: database.adminUrl, charset: 'utf8mb4' })
  await connection.query(
    'CREATE TABLE printed (hash CHAR(64) CHARACTER SET ascii NOT NULL, workspace VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, plain VARCHAR(200) CHARACTER SET ascii NULL, scopes JSON NOT NULL)',
  )
})
afterAll(() => connection.end())

const modes = ['', 'NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES']

/** A session of an administrator, with the mode and character set of its client. */
async function useMode(mode: string, characters: string): Promise<void> {
  await connection.query(`SET SESSION sql_mode = 'STRICT_ALL_TABLES,${mode}'`)
  await connection.query(`SET NAMES ${characters}`)
}

const texts = [
  ...["\\', 0x78), (0x79, 0x7a, 0x7b)-- ", "\\', 0x78), (0x79, 0x7a, 0x7b)#", "' OR ''='"],
  ...['it\'\'s \\\\ and `x` and "y"', 'W\\', 'W\nINSERT', 'W\u0000\u001a\b%_\\%', 'Zürich 表 😀'],
]

describe.each(modes)('under sql_mode %o', (mode) => {
  test.each(texts)('the INSERT of a key stores the workspace %o and nothing else', async (workspace) => {
    const apiKeys: Mapping['apiKeys'] = {
      table: 'printed',
      hash: { column: 'hash', algorithm: 'sha256', encoding: 'hex' },
      workspace: 'workspace',
      scopes: { column: 'scopes', format: 'json' },
    }
    const { insert, hash } = createKey({ ...mapping, apiKeys }, { workspace, scopes: ['invoices.read'] })
    expect(insert).not.toContain('\n')
    for (const characters of ['utf8mb4', 'latin1']) {
      await useMode(mode, characters)
      await connection.query(insert)
      await useMode('', 'utf8mb4')
      const [rows] = await connection.query<RowDataPacket[]>('SELECT hash, workspace, scopes FROM printed')
      await connection.query('DELETE FROM printed')
      expect(rows).toHaveLength(1)
      expect(rows[0]).toMatchObject({ hash, workspace })
      expect(JSON.stringify(rows[0]!['scopes'])).toContain('invoices.read')
    }
  })

  test('the statements of grants make exactly the account of the options', async () => {
    const user = `v${crypto.randomUUID().slice(0, 6)}\\'"\`--`
    const host = "10.0.%\\'"
    const name = new URL(database.adminUrl).pathname.slice(1)
    const sql = renderGrants(mapping, { user, host, database: name, requireTls: false })
    await useMode(mode, 'utf8mb4')
    for (const statement of splitStatements(sql)) await connection.query(statement)
    const [rows] = await connection.execute<RowDataPacket[]>(
      'SELECT user AS u, host AS h FROM mysql.user WHERE user = ?',
      [user],
    )
    const dropped = `DROP USER \`${user.replaceAll('`', '``')}\`@\`${host}\``
    await connection.query<ResultSetHeader>(dropped)
    expect(rows).toEqual([{ u: user, h: host.toLowerCase() }])
  })
})

import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import type { Database } from '../../src/database/database.js'
import { openDatabase } from '../../src/mapping/load-configuration.js'
import { startJanitor } from '../product/janitor.js'
import { startLocalServer } from '../product/local-server.js'
import { withAccount } from '../product/server.js'
import { localPrograms } from '../support/local-programs.js'
import { canRunRouter, sharings, startRouter } from './router.js'

/* The sessions of Vitrine behind a real MySQL Router, whose other clients set the same variables to other values. */

const { MySQL } = localPrograms
const statements = 2000
const poolSize = 10
const strangers = 20

const variables =
  '@@session.time_zone as zone, @@session.sql_mode as mode, @@session.transaction_read_only as readOnly, ' +
  '@@session.max_execution_time as limitMs, @@session.lock_wait_timeout as lockSeconds, ' +
  '@@session.sql_quote_show_create as quoted, @@session.character_set_client as charset'
const expected = {
  zone: '+00:00',
  mode: 'STRICT_ALL_TABLES,ALLOW_INVALID_DATES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
  readOnly: '1',
  limitMs: '4000',
  lockSeconds: '4',
  quoted: '1',
  charset: 'utf8mb4',
}

describe.skipIf(!canRunRouter(MySQL)).each(sharings)('behind MySQL Router, %s', (sharing) => {
  const janitor = startJanitor()
  let url: string
  let database: Database
  beforeAll(async () => {
    const server = await startLocalServer(MySQL!, janitor)
    const node = { ...server, name: `127.0.0.1:${server.port}` }
    url = withAccount(server.adminUrl, { database: 'mysql' })
    url = url.replace(node.name, await startRouter(MySQL!, janitor, [node], sharing))
    database = await openDatabase(
      parseConfig({
        DATABASE_URL: url,
        DATABASE_POOL_SIZE: String(poolSize),
        DATABASE_QUERY_TIMEOUT_MS: expected.limitMs,
      }),
    )
  })
  afterAll(async () => {
    await database.close()
    await janitor.finish()
  })

  test('each statement has its own values and the variables that Vitrine sets', async () => {
    let isGoing = true
    const others = Promise.all(
      Array.from({ length: strangers }, (_, at) => playStranger(url, at, () => isGoing)),
    )
    const ids = new Set<unknown>()
    const wrong = new Set<string>()
    const runOne = async (at: number): Promise<void> => {
      const sql = `select ${variables}, connection_id() as id, ? as bound`
      const [{ id, bound, ...found } = {}] = await database.runQuery({ sql, values: [`value ${at}`] })
      ids.add(id)
      const text = JSON.stringify({ ...texts(found), bound })
      if (text !== JSON.stringify({ ...expected, bound: `value ${at}` })) wrong.add(text)
      if (at % 100 === 0)
        await expect(database.runQuery({ sql: 'delete from user', values: [] })).rejects.toThrow(/READ ONLY/)
    }
    // More at once than there are sessions.
    const runMany = async (lane: number): Promise<void> => {
      for (let at = lane; at < statements; at += 2 * poolSize) await runOne(at)
    }
    await Promise.all(Array.from({ length: 2 * poolSize }, (_, lane) => runMany(lane)))
    isGoing = false
    const seen = await others
    process.stderr.write(
      `Router, ${sharing}: ${statements} statements on ${ids.size} connections; connections of each other client: ${seen.map(({ connections }) => connections).join(' ')}\n`,
    )
    expect([...wrong]).toEqual([])
    expect(seen.flatMap(({ issues }) => issues)).toEqual([])
    // Otherwise Router shares nothing, and this proves nothing.
    expect(seen.some(({ connections }) => connections > 1)).toBe(sharing === 'connection sharing')
    expect(ids.size).toBeLessThanOrEqual(poolSize)
  })
})

function texts(row: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))
}

/** A client with text statements, which can be shared, and with variables of its own. */
async function playStranger(
  url: string,
  at: number,
  isGoing: () => boolean,
): Promise<{ connections: number; issues: readonly string[] }> {
  const connection = await mysql.createConnection({ uri: url })
  const zone = `+0${at % 10}:30`
  await connection.query(
    `set session time_zone = '${zone}', sql_mode = '', max_execution_time = 0, transaction_read_only = 0, lock_wait_timeout = 77, sql_quote_show_create = 0`,
  )
  const ids = new Set<unknown>()
  const issues = new Set<string>()
  while (isGoing()) {
    const [rows] = await connection.query<mysql.RowDataPacket[]>(
      'select @@session.time_zone as zone, connection_id() as id',
    )
    ids.add(rows[0]!['id'])
    if (rows[0]!['zone'] !== zone) issues.add(`${String(rows[0]!['zone'])} instead of ${zone}`)
  }
  await connection.end()
  return { connections: ids.size, issues: [...issues] }
}

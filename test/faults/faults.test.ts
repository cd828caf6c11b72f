import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import mysql from 'mysql2/promise'
import { beforeAll, describe, expect, test } from 'vitest'
import { runStatements, useServer, withAccount } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { startLocalServer } from '../product/local-server.js'
import type { LocalServer } from '../product/local-server.js'
import { afterFile } from '../support/after-file.js'
import { ask } from '../support/ask.js'
import { startCallers } from '../support/callers.js'
import type { Callers } from '../support/callers.js'
import { findProgramOfRun } from '../support/local-programs.js'
import { startNetwork } from '../support/network.js'
import type { Network } from '../support/network.js'
import { listSessions } from '../support/server-sessions.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/*
 * What happens to a server of the suite's own while callers of all kinds ask all the time. Each answer is right or a 503, and
 * right again when the server is back. Tables that are altered and sessions that are killed are in test/database/sessions.test.ts.
 */

const poolSize = 4
const pollOptions = { timeout: 60_000, interval: 20 }

const throwaway = useThrowaway()
const program = findProgramOfRun()
let server: LocalServer
let database: ProductDatabase
let network: Network
let service: TestService
let callers: Callers
let user: string

beforeAll(async () => {
  if (program === undefined) return
  server = await startLocalServer(program, { add: throwaway.undo })
  const own = useServer(server)
  database = await own.createProduct('plain', { registrations: 200 })
  network = await startNetwork(database.readUrl)
  user = decodeURIComponent(new URL(network.url).username)
  service = await startService(
    { ...database, readUrl: network.url },
    { env: { DATABASE_POOL_SIZE: String(poolSize), DATABASE_QUERY_TIMEOUT_MS: '500' } },
  )
  callers = startCallers(database, async (url, key) => {
    const answer = await service.app.inject({ url, headers: { authorization: `Bearer ${key}` } })
    return { status: answer.statusCode, text: answer.body }
  })
  afterFile(() => callers.stop())
})

/** Takes back what was done; from then on the server is there again. */
type Undo = () => Promise<void> | void

const signal = (name: 'SIGKILL' | 'SIGTERM') => (): Promise<Undo> => {
  server.signal(name)
  return Promise.resolve(server.restart)
}

async function freeze(): Promise<Undo> {
  server.signal('SIGSTOP')
  return Promise.resolve(() => {
    server.signal('SIGCONT')
  })
}

/** Takes every connection that the server has, before the service comes back for its own. */
async function takeConnections(): Promise<Undo> {
  const admin = withAccount(database.adminUrl, { database: '' })
  const [before] = await ask(admin, 'SELECT @@GLOBAL.max_connections AS most')
  await network.close()
  await runStatements(admin, ['SET GLOBAL max_connections = 10'])
  const taken: mysql.Connection[] = []
  for (;;) {
    const one = await mysql.createConnection({ uri: database.readUrl }).catch((error: unknown) => {
      if (error instanceof Error && 'errno' in error && error.errno === 1040) return undefined
      throw error
    })
    if (one === undefined) break
    taken.push(one)
  }
  await network.open()
  return async () => {
    await Promise.all(taken.map((connection) => connection.end()))
    await runStatements(admin, [`SET GLOBAL max_connections = ${String(before?.['most'])}`])
  }
}

async function changePassword(): Promise<Undo> {
  const change = (password: string): Promise<void> =>
    runStatements(database.adminUrl, [`ALTER USER '${user}'@'%' IDENTIFIED BY ${mysql.escape(password)}`])
  await change('another-Passw0rd')
  await network.close()
  await network.open()
  return () => change(decodeURIComponent(new URL(database.readUrl).password))
}

/** More connections than a service holds for callers who have been answered. */
async function connectSilently(): Promise<Undo> {
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const open = Array.from({ length: 2100 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  return () => {
    for (const socket of open) socket.destroy()
  }
}

describe.skipIf(program === undefined)('each answer is right or a 503, and right again afterwards', () => {
  test.each<[string, 'all' | 'none', () => Promise<Undo>]>([
    ['the server is killed', 'all', signal('SIGKILL')],
    ['the server is shut down', 'all', signal('SIGTERM')],
    ['the server is frozen', 'all', freeze],
    ['the server has no connection left', 'all', takeConnections],
    ['the password is another one', 'all', changePassword],
    ['thousands of connections say nothing', 'none', connectSilently],
  ])('%s', async (_, refused, strike) => {
    const from = callers.results.length
    const undo = await strike()
    const since = performance.now()
    const later = (at: number) => callers.results.filter(({ sentAt }) => sentAt > at)
    const isNoticed = (name: string): boolean =>
      later(since).some(({ caller, as }) => caller === name && (refused === 'none' || as !== 'right'))
    await expect.poll(() => callers.names.filter((name) => !isNoticed(name)), pollOptions).toEqual([])
    await undo()
    const back = performance.now()
    const isWell = (name: string): boolean => {
      const last = later(back)
        .filter(({ caller }) => caller === name)
        .slice(-3)
      return last.length === 3 && last.every(({ as }) => as === 'right')
    }
    await expect.poll(() => callers.names.filter((name) => !isWell(name)), pollOptions).toEqual([])
    const wrong = callers.results.slice(from).filter(({ as }) => as === 'wrong')
    expect(wrong.map(({ detail }) => detail)).toEqual([])
    await expect.poll(async () => (await service.ops.inject('/readyz')).statusCode, pollOptions).toBe(200)
  })

  test('nothing is left of it: no slot is held, and no connection beyond the pool', async () => {
    await callers.stop()
    const readMetrics = async (): Promise<string> => (await service.ops.inject('/metrics')).body
    await expect
      .poll(readMetrics, pollOptions)
      .toMatch(/^vitrine_database_active 0$[^]*^vitrine_database_waiting 0$/m)
    const admin = await mysql.createConnection({ uri: database.adminUrl })
    // Beside the pool: the health check, the comparison of the schema, and one more for each collection.
    await expect
      .poll(async () => (await listSessions(admin, user)).length, pollOptions)
      .toBeLessThanOrEqual(poolSize + 4)
    await admin.end()
  })
})

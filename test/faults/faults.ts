import { existsSync } from 'node:fs'
import mysql from 'mysql2/promise'
import { runStatements } from '../product/index.js'
import type { ServerError } from './network.js'
import { listSessions } from '../support/server-sessions.js'
import { waitFor } from './wait-for.js'
import { isWanted } from './fault.js'
import type { Fault } from './fault.js'
import { crowdingFaults, driftFaults } from './drift-faults.js'
import { holdDeadlock, holdLock, holdPendingAlter, keepKilling, takeAllConnections } from './sessions.js'
import type { LocalServer } from '../product/local-server.js'
import type { Undo } from './sessions.js'
import type { Stage } from './stage.js'

type NetworkMode = Parameters<Stage['network']['set']>[0]

function breakNetwork(mode: NetworkMode, cut: boolean) {
  return ({ network }: Stage): Promise<Undo> => {
    network.set(mode)
    if (cut) network.cutAll()
    return Promise.resolve(() => {
      network.set({ do: 'pass' })
    })
  }
}

function failEach(name: string, error: ServerError): Fault {
  return { name, refused: 'all', readyz: 503, strike: breakNetwork({ do: 'fail', error }, false) }
}

function run({ database }: Stage, ...statements: readonly string[]): Promise<void> {
  return runStatements(database.adminUrl, statements)
}

const networkFaults: readonly Fault[] = [
  {
    name: 'connections refused',
    refused: 'all',
    readyz: 503,
    strike: async ({ network }) => {
      await network.close()
      return network.open
    },
  },
  {
    name: 'connections taken and closed',
    refused: 'all',
    readyz: 503,
    strike: breakNetwork({ do: 'hang up' }, true),
  },
  {
    name: 'connections cut in mid-result',
    refused: 'all',
    strike: breakNetwork({ do: 'cut' }, false),
  },
  {
    name: 'a network that freezes',
    refused: 'all',
    readyz: 503,
    strike: breakNetwork({ do: 'freeze' }, false),
  },
  {
    name: 'a network that loses everything',
    refused: 'all',
    readyz: 503,
    strike: breakNetwork({ do: 'swallow' }, false),
  },
  {
    name: 'too many connections, an error for each',
    refused: 'all',
    readyz: 503,
    strike: breakNetwork({ do: 'turn away', error: { number: 1040, sqlState: '08004' } }, true),
  },
  failEach('a deadlock for each statement', { number: 1213, sqlState: '40001' }),
  failEach('a lock wait too long for each statement', { number: 1205, sqlState: 'HY000' }),
  failEach('a server that shuts down', { number: 1053, sqlState: '08S01' }),
]

/** Each write to it fails for want of space. */
const fullDisk = '/dev/full'

const logFaults: readonly Fault[] = [
  {
    name: 'a full log disk',
    refused: 'maybe',
    readyz: 200,
    strike: async ({ services }) => {
      const logTo = (file: string): void => {
        for (const { child } of services) child.send(file)
      }
      logTo(fullDisk)
      for (const { ops } of services)
        await waitFor('log lines to be dropped', async () =>
          /^vitrine_log_lines_dropped_total [1-9]/m.test(await (await fetch(`${ops}/metrics`)).text()),
        )
      return () => {
        logTo('/dev/null')
      }
    },
  },
]

const accountFaults: readonly Fault[] = [
  {
    name: 'the password is another one',
    refused: 'all',
    readyz: 503,
    strike: async (stage) => {
      const account = `${mysql.escape(stage.user)}@'%'`
      const password = decodeURIComponent(new URL(stage.database.readUrl).password)
      await run(stage, `ALTER USER ${account} IDENTIFIED BY 'another-Passw0rd'`)
      stage.network.cutAll()
      return () => run(stage, `ALTER USER ${account} IDENTIFIED BY ${mysql.escape(password)}`)
    },
  },
  {
    name: 'max_user_connections reached',
    refused: 'some',
    strike: async (stage) => {
      const account = `${mysql.escape(stage.user)}@'%'`
      await run(stage, `ALTER USER ${account} WITH MAX_USER_CONNECTIONS 1`)
      stage.network.cutAll()
      return () => run(stage, `ALTER USER ${account} WITH MAX_USER_CONNECTIONS 0`)
    },
  },
]

const lockFaults: readonly Fault[] = [
  { name: 'a table locked', refused: 'some', strike: ({ database }) => holdLock(database) },
  {
    name: 'a table about to be altered',
    refused: 'some',
    strike: ({ database }) => holdPendingAlter(database),
  },
  {
    name: 'rows locked, and writers in a deadlock',
    refused: 'none',
    readyz: 200,
    strike: ({ database }) => holdDeadlock(database),
  },
  {
    name: 'statements killed while they wait',
    refused: 'some',
    strike: async ({ database, user }) => {
      const unlock = await holdLock(database)
      const stopKilling = keepKilling(database, user, 'KILL QUERY')
      return async () => {
        await stopKilling()
        await unlock()
      }
    },
  },
  {
    name: 'connections killed again and again',
    refused: 'maybe',
    strike: ({ database, user }) => Promise.resolve(keepKilling(database, user, 'KILL CONNECTION')),
  },
]

/** What is done to the process of the suite's own server. */
function listOwnFaults(own: NonNullable<Stage['own']>): readonly Fault[] {
  const end = (signal: 'SIGKILL' | 'SIGTERM') => (): Promise<Undo> => {
    own.signal(signal)
    return Promise.resolve(own.restart)
  }
  return [
    { name: 'the server killed', refused: 'all', readyz: 503, strike: end('SIGKILL') },
    { name: 'the server shut down', refused: 'all', readyz: 503, strike: end('SIGTERM') },
    {
      name: 'the server frozen',
      refused: 'all',
      readyz: 503,
      strike: () => {
        own.signal('SIGSTOP')
        return Promise.resolve(() => {
          own.signal('SIGCONT')
        })
      },
    },
    { name: 'max_connections reached', refused: 'all', readyz: 503, strike: takeAllConnections },
    {
      name: 'failover to a server that only reads',
      refused: 'all',
      readyz: 503,
      strike: async (stage) => {
        await stage.network.close()
        return async () => {
          await run(stage, 'SET GLOBAL read_only = 1')
          await stage.network.open()
        }
      },
      after: (stage) => run(stage, 'SET GLOBAL read_only = 0'),
    },
  ]
}

/** The old server lives on: new connections reach another one than open ones. test/database/connection-age counts 503s. */
function moveName(from: LocalServer, to: LocalServer): Fault {
  return {
    name: 'a host name that moves to another server',
    refused: 'maybe',
    readyz: 200,
    strike: async ({ network, user }) => {
      const move = async (old: LocalServer, next: LocalServer): Promise<void> => {
        network.move(next.port)
        const admin = await mysql.createConnection({ uri: old.adminUrl })
        await waitFor('every session to move', async () => (await listSessions(admin, user)).length === 0)
        await admin.end()
      }
      await move(from, to)
      return () => move(to, from)
    },
  }
}

/** Every fault that can be had at a stage and is wanted. */
export function listFaults({ own, twin }: Stage): readonly Fault[] {
  const all = [
    ...networkFaults,
    ...(existsSync(fullDisk) ? logFaults : []),
    ...accountFaults,
    ...lockFaults,
    ...driftFaults,
    ...crowdingFaults,
    ...(own === undefined ? [] : listOwnFaults(own)),
    ...(own === undefined || twin === undefined ? [] : [moveName(own, twin)]),
  ]
  return all.filter(({ name }) => isWanted(name))
}

import mysql from 'mysql2/promise'
import { keys, runStatements } from '../product/index.js'
import { ask } from '../support/ask.js'
import { base } from '../support/client.js'
import { waitFor } from './cluster.js'
import type { Node } from './cluster.js'
import type { Fault } from './fault.js'
import { lagMaxSeconds } from './replica-stage.js'
import type { ReplicaStage } from './replica-stage.js'
import type { Undo } from './sessions.js'

/*
 * What becomes of one host while the others are well, and at last of all three at once. No caller gets 503, none is
 * answered from a host that lags once it is left out, and each host serves again by itself.
 */

type Pick = (stage: ReplicaStage) => Node

const primary: Pick = ({ cluster }) => cluster.primary
const replica: Pick = ({ cluster }) => cluster.replicas[0]
const other: Pick = ({ cluster }) => cluster.replicas[1]

const well = { up: true, lag: 'none' } as const

/** Waits until hosts are taken back, and asked again for more than how they are. */
function serveAgain(...picks: readonly Pick[]) {
  return async (stage: ReplicaStage): Promise<void> => {
    for (const pick of [primary, replica, other]) await stage.expectHost(pick(stage), well)
    for (const pick of picks) await expectServing(pick(stage))
  }
}

/** Each service looks at a host once a second, with two statements; callers ask far more. */
const lookedPerSecond = 4

async function expectServing({ adminUrl, name }: Node): Promise<void> {
  const count = async (): Promise<number> => {
    const [row] = await ask(adminUrl, "SHOW GLOBAL STATUS LIKE 'Com_stmt_execute'")
    return Number(row?.['Value'])
  }
  const [from, begunAt] = [await count(), performance.now()]
  const expected = (): number => ((performance.now() - begunAt) / 1000) * lookedPerSecond
  await waitFor(`${name} to serve`, async () => (await count()) - from > 20 + 2 * expected())
}

interface Silence {
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  readonly toUndo: (node: Node) => Undo
}

/** Silences a host by a signal, and waits until it is seen to be down. */
function silence(name: string, pick: Pick, { signal, toUndo }: Silence): Fault<ReplicaStage> {
  return {
    name,
    refused: 'none',
    readyz: 200,
    strike: async (stage) => {
      const node = pick(stage)
      node.signal(signal)
      await stage.expectHost(node, { up: false, lag: 'none' })
      return toUndo(node)
    },
    back: serveAgain(pick),
  }
}

function kill(name: string, pick: Pick): Fault<ReplicaStage> {
  return silence(name, pick, { signal: 'SIGKILL', toUndo: ({ restart }) => restart })
}

function freeze(name: string, pick: Pick): Fault<ReplicaStage> {
  const toUndo = (node: Node) => () => {
    node.signal('SIGCONT')
  }
  return silence(name, pick, { signal: 'SIGSTOP', toUndo })
}

interface Hold {
  readonly name: string
  /** What the replica then says of itself; the lag of a restart on the way to it is another. */
  readonly lag: 'behind' | 'stopped'
  readonly hold: (stage: ReplicaStage) => Promise<Undo>
}

/** Keeps the replica from following; whatever is then written must come from the others, once it is left out. */
function holdBack({ name, lag, hold }: Hold): Fault<ReplicaStage> {
  return {
    name,
    refused: 'none',
    readyz: 200,
    strike: async (stage) => {
      const fix = await hold(stage)
      await stage.witness.write()
      await stage.cluster.catchUp(replica(stage))
      await stage.expectHost(replica(stage), { up: true, lag })
      stage.witness.demand()
      return fix
    },
    back: serveAgain(replica),
  }
}

/** Runs statements on a replica as its administrator, `$replica` and `$source` in the words of the server. */
function direct(node: Node, { cluster }: ReplicaStage, ...statements: readonly string[]): Promise<void> {
  const toWords = (text: string): string =>
    cluster.isMariaDb ? text.replace('REPLICATION SOURCE', 'MASTER').replaceAll('SOURCE_', 'MASTER_') : text
  return runStatements(node.adminUrl, statements.map(toWords))
}

/** Stops a replica, or one of its threads. */
function stop(name: string, what: string): Fault<ReplicaStage> {
  return holdBack({
    name,
    lag: 'stopped',
    hold: async (stage) => {
      await direct(replica(stage), stage, `STOP ${what}`)
      return () => direct(replica(stage), stage, `START ${what}`)
    },
  })
}

async function holdSession(stage: ReplicaStage, statement: string): Promise<Undo> {
  const url = new URL(replica(stage).adminUrl)
  url.pathname = new URL(stage.database.adminUrl).pathname
  const connection = await mysql.createConnection({ uri: url.href })
  await connection.query(statement)
  return () => connection.end()
}

/** One killed, one frozen, and the last one lags: it serves all the same, and syncs go back to where its data end. */
const allAtOnce: Fault<ReplicaStage> = {
  name: 'the primary killed, a replica frozen, and the last one lags',
  refused: 'none',
  readyz: 200,
  strike: async (stage) => {
    await direct(other(stage), stage, 'STOP REPLICA SQL_THREAD')
    await stage.witness.write()
    const missedAt = await stage.witness.writtenAt()
    await stage.cluster.catchUp(other(stage))
    await stage.expectHost(other(stage), { up: true, lag: 'stopped' })
    replica(stage).signal('SIGSTOP')
    primary(stage).signal('SIGKILL')
    for (const pick of [primary, replica]) await stage.expectHost(pick(stage), { up: false, lag: 'none' })
    // By now a sync that went by the clock alone would have left the write behind.
    await waitFor('the overlap to pass', () => Date.now() - Date.parse(missedAt) > (lagMaxSeconds + 1) * 1000)
    await expectSyncFrom(stage, missedAt)
    return async () => {
      replica(stage).signal('SIGCONT')
      await primary(stage).restart()
      await direct(other(stage), stage, 'START REPLICA SQL_THREAD')
    }
  },
  back: serveAgain(primary, replica, other),
}

async function expectSyncFrom({ services }: ReplicaStage, missedAt: string): Promise<void> {
  for (const { api } of services) {
    const answer = await fetch(`${api}${base}/registrations?limit=1`, {
      headers: { authorization: `Bearer ${keys.other}` },
    })
    const { meta } = (await answer.json()) as { meta: { nextUpdatedSince: string } }
    if (meta.nextUpdatedSince > missedAt)
      throw new Error(`The next sync would begin at ${meta.nextUpdatedSince}, after ${missedAt}`)
  }
}

/** The faults in their order. */
export const replicaFaults: readonly Fault<ReplicaStage>[] = [
  kill('a replica killed', replica),
  freeze('a replica frozen', replica),
  freeze('the primary frozen', primary),
  kill('the primary killed', primary),
  stop('a replica that has stopped', 'REPLICA SQL_THREAD'),
  stop('a replica that follows no server', 'REPLICA'),
  holdBack({
    name: 'a replica locked against writes',
    lag: 'behind',
    hold: (stage) => holdSession(stage, 'FLUSH TABLES WITH READ LOCK'),
  }),
  holdBack({
    name: 'a table locked at a replica',
    lag: 'behind',
    hold: (stage) => holdSession(stage, 'LOCK TABLES event_registrations WRITE'),
  }),
  holdBack({
    name: 'a replica that follows late on purpose',
    lag: 'behind',
    hold: async (stage) => {
      const setDelay = (seconds: number): Promise<void> =>
        direct(
          replica(stage),
          stage,
          'STOP REPLICA',
          `CHANGE REPLICATION SOURCE TO SOURCE_DELAY = ${seconds}`,
          'START REPLICA',
        )
      await setDelay(3600)
      return () => setDelay(0)
    },
  }),
  allAtOnce,
]

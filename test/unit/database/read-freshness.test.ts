import { describe, expect, test } from 'vitest'
import type { DatedFreshness } from '../../../src/database/freshness.js'
import { createPauseLag } from '../../../src/database/server-states.js'
import { readFreshness } from '../../../src/database/read-freshness.js'
import { readServerKind } from '../../../src/database/server-kind.js'
import type { Row, Statement } from '../../../src/database/statement.js'

const clock = { now: '2026-11-23 10:00:00.000005' }
const at = { seconds: 1_795_428_000, micros: 5 }

/** A server that answers a statement by the first part of its text that fits, and rejects any other. */
function answer(answers: Readonly<Record<string, readonly Row[]>>) {
  const sent: string[] = []
  const run = ({ sql }: Statement): Promise<readonly Row[]> => {
    const part = Object.keys(answers).find((text) => sql.includes(text))
    sent.push(part ?? sql)
    if (part !== undefined) return Promise.resolve(answers[part]!)
    return Promise.reject(Object.assign(new Error('SELECT command denied'), { errno: 1142 }))
  }
  return { run, sent }
}

const toVariables = (values: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(values).map(([name, value]) => ({ Variable_name: name, Value: value }))

describe('the kind of a server', () => {
  test.each([
    [{ version: '8.4.0' }, 'mysql', 'alone'],
    [{ version: '10.11.6-MariaDB', wsrep_on: 'OFF', wsrep_provider: 'none' }, 'mariadb', 'alone'],
    [{ version: '10.11.6-MariaDB', wsrep_on: 'ON', wsrep_provider: '/g.so' }, 'mariadb', 'galera'],
    [{ version: '8.0.36', wsrep_on: 'ON', wsrep_provider: '/g.so' }, 'mysql', 'galera'],
    [{ version: '9.7.4', group_replication_group_name: '' }, 'mysql', 'alone'],
    [{ version: '9.7.4', group_replication_group_name: 'aaaa' }, 'mysql', 'group'],
  ])('is read from its variables: %j', async (variables, dialect, cluster) => {
    const { run } = answer({ 'show variables': toVariables(variables) })
    expect(await readServerKind(run)).toEqual({ id: '   ', version: variables.version, dialect, cluster })
  })

  test('has an id by which it differs from the others behind an address', async () => {
    const server = { version: '9.7.4', server_uuid: 'aaaa', hostname: 'db1', port: '3306', server_id: '7' }
    const { run } = answer({ 'show variables': toVariables(server) })
    expect(await readServerKind(run)).toMatchObject({ id: 'aaaa db1 3306 7' })
  })
})

describe('a Galera node', () => {
  const kind = { cluster: 'galera', dialect: 'mariadb', heartbeat: undefined } as const
  const status = {
    wsrep_ready: 'ON',
    wsrep_cluster_status: 'Primary',
    wsrep_local_state: '4',
    wsrep_local_state_comment: 'Synced',
  }
  const read = (changes: Readonly<Record<string, string>> = {}) => {
    const { run, sent } = answer({
      'show global status': toVariables({ ...status, ...changes }),
      utc_timestamp: [clock],
    })
    return { freshness: readFreshness(run, kind), sent }
  }

  test('that is synced is fresh as of a clock that is read after its state', async () => {
    const { freshness, sent } = read()
    expect(await freshness).toEqual({ isReplica: true, lagSeconds: 0, at, hidesState: false })
    expect(sent).toEqual(['show global status', 'utc_timestamp'])
  })

  test('that is desynced is not read', async () => {
    const desynced = { wsrep_local_state: '2', wsrep_local_state_comment: 'Donor/Desynced' }
    expect(await read(desynced).freshness).toMatchObject({
      lagSeconds: Infinity,
      issue: 'The Galera node is not synced: wsrep_local_state is Donor/Desynced',
    })
  })

  test('whose cluster is paused by flow control lags since the pause began', async () => {
    const paused = { wsrep_flow_control_active: 'true', wsrep_flow_control_paused_ns: '20000000000' }
    const [flowing, waiting] = [await read().freshness, await read(paused).freshness]
    const later = (freshness: DatedFreshness, seconds: number): DatedFreshness => ({
      ...freshness,
      at: { ...at, seconds: at.seconds + seconds },
    })
    const addPause = createPauseLag()
    const lags = [
      waiting,
      flowing,
      later(waiting, 1),
      later(waiting, 90),
      later(flowing, 91),
      later(waiting, 92),
    ]
    expect(lags.map((one) => addPause(one).lagSeconds)).toEqual([20, 0, 1, 90, 0, 1])
  })

  test.each([[{ wsrep_ready: 'OFF' }], [{ wsrep_cluster_status: 'non-Primary' }]])(
    'that rejects statements is down: %j',
    async (changes) => {
      await expect(read(changes).freshness).rejects.toThrow('not part of the cluster')
    },
  )
})

describe('a member of Group Replication', () => {
  const kind = { cluster: 'group', dialect: 'mysql', heartbeat: undefined } as const
  const read = (member: Row, applier: Row = { lag: null, stopped: '0' }) =>
    readFreshness(
      answer({
        utc_timestamp: [clock],
        replication_group_members: [member],
        replication_applier_status_by_worker: [applier],
      }).run,
      kind,
    )
  const online = { state: 'ONLINE', members: 3, reachable: '3' }

  test.each([
    ['nothing', null, 0],
    ['a commit of 7 seconds ago', 7, 7],
    ['a commit of a member whose clock is ahead', -1, 0],
  ])('that applies %s has that lag', async (_, lag, lagSeconds) => {
    const freshness = readFreshness(
      answer({
        replication_applier_status_by_worker: [{ lag, stopped: '0' }],
        replication_group_members: [online],
        utc_timestamp: [clock],
      }).run,
      kind,
    )
    expect(await freshness).toMatchObject({ isReplica: true, lagSeconds, at, hidesState: false })
  })

  test.each(['OFFLINE', 'RECOVERING', 'ERROR'])('that is %s is not read', async (state) => {
    expect(await read({ ...online, state })).toMatchObject({
      lagSeconds: Infinity,
      issue: `The member of Group Replication is ${state}`,
    })
  })

  test('that is not listed is OFFLINE', async () => {
    expect((await read({ state: null, members: 1, reachable: '1' })).issue).toContain('OFFLINE')
  })

  test('that reaches no majority is not read', async () => {
    expect((await read({ ...online, reachable: '1' })).issue).toContain('lost the majority')
  })

  test('whose state the user may not read is unknown', async () => {
    const freshness = await readFreshness(answer({ utc_timestamp: [clock] }).run, kind)
    expect(freshness).toEqual({ isReplica: false, lagSeconds: undefined, at, hidesState: true })
  })

  test('that rejects every statement, because it leaves the group, is down', async () => {
    const leaving = Object.assign(new Error('The Group Replication plugin is stopping'), { errno: 3799 })
    const run = ({ sql }: Statement): Promise<readonly Row[]> =>
      sql.includes('replication_group_members') ? Promise.reject(leaving) : Promise.resolve([clock])
    await expect(readFreshness(run, kind)).rejects.toBe(leaving)
  })
})

describe('a heartbeat', () => {
  const kind = {
    cluster: 'alone',
    dialect: 'mysql',
    heartbeat: { table: 'heartbeat', column: 'ts' },
  } as const
  const read = (beat: Row | undefined, status?: readonly Row[]) =>
    readFreshness(
      answer({
        'max(`ts`)': beat === undefined ? [] : [{ ...clock, ...beat }],
        utc_timestamp: [clock],
        ...(status === undefined ? {} : { 'show replica status': status }),
      }).run,
      kind,
    )

  test.each([
    ['pt-heartbeat --utc', '2026-11-23T09:59:53.001230', 7],
    ['a TIMESTAMP or DATETIME', '2026-11-23 09:59:53', 7],
    ['a writer whose clock is a little ahead', '2026-11-23 10:00:05', 0],
  ])('of %s is the lag of a server that hides its state', async (_, heartbeat, lagSeconds) => {
    expect(await read({ heartbeat })).toEqual({ isReplica: true, lagSeconds, at, hidesState: true })
  })

  test.each([
    ['has no row with a time', null],
    ['is 6 s in the future; it must be in UTC', '2026-11-23T10:00:06.000000'],
    ['is no time in the form 2026-03-01T09:30:00.123456', '1795428000'],
  ])('that %s proves nothing, whatever the server says', async (problem, heartbeat) => {
    const status = [{ Seconds_Behind_Source: '0' }]
    expect(await read({ heartbeat }, status)).toMatchObject({
      isReplica: true,
      lagSeconds: undefined,
      reason: `The heartbeat ${problem}`,
    })
  })

  test.each([
    ['9', 9],
    ['2', 7],
    [null, Infinity],
  ])('and a replica that is %s s behind by its own state: the greater lag counts', async (seconds, lag) => {
    const status = [{ Seconds_Behind_Source: seconds }]
    const freshness = await read({ heartbeat: '2026-11-23T09:59:53.000000' }, status)
    expect(freshness).toEqual({ isReplica: true, lagSeconds: lag, at, hidesState: false })
  })

  test('that cannot be read proves nothing, and says why', async () => {
    const { run } = answer({ 'select utc_timestamp': [clock] })
    expect((await readFreshness(run, kind)).reason).toBe(
      'The heartbeat cannot be read: SELECT command denied',
    )
  })
})

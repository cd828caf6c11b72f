import { describe, expect, test } from 'vitest'
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
    expect(await readServerKind(run)).toEqual({ version: variables.version, dialect, cluster })
  })
})

describe('a Galera node', () => {
  const kind = { cluster: 'galera', dialect: 'mariadb' } as const
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
    expect(await freshness).toEqual({ isReplica: true, lagSeconds: 0, at })
    expect(sent).toEqual(['show global status', 'utc_timestamp'])
  })

  test('that is desynced is not read', async () => {
    const desynced = { wsrep_local_state: '2', wsrep_local_state_comment: 'Donor/Desynced' }
    expect(await read(desynced).freshness).toMatchObject({
      lagSeconds: Infinity,
      issue: 'The Galera node is not synced: wsrep_local_state is Donor/Desynced',
    })
  })

  test.each([[{ wsrep_ready: 'OFF' }], [{ wsrep_cluster_status: 'non-Primary' }]])(
    'that rejects statements is down: %j',
    async (changes) => {
      await expect(read(changes).freshness).rejects.toThrow('not part of the cluster')
    },
  )
})

describe('a member of Group Replication', () => {
  const kind = { cluster: 'group', dialect: 'mysql' } as const
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
    expect(await freshness).toEqual({ isReplica: true, lagSeconds, at })
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
    expect(freshness).toEqual({ isReplica: false, lagSeconds: undefined, at })
  })
})

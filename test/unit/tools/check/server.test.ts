import { expect, test } from 'vitest'
import { checkFreshness, readFreshness } from '../../../../src/tools/check/freshness.js'
import { checkConnection, readServerState } from '../../../../src/tools/check/server.js'
import type { Row, RunQuery } from '../../../../src/database/statement.js'

/* What the check says of a server, by the rows that the server would answer. */

interface Server {
  readonly variables?: Readonly<Record<string, string>>
  /** By a part of the statement; undefined for one that the server denies. */
  readonly rows?: Readonly<Record<string, readonly Row[] | undefined>>
}

const now = '2026-01-01 12:00:00.000000'
const denied = Object.assign(new Error('denied'), { errno: 1227 })

/** A MySQL server that is alone, whose tables and variables are these. */
const create =
  ({ variables = {}, rows = {} }: Server): RunQuery =>
  ({ sql }) => {
    const all = {
      version: '8.4.0',
      read_only: 'OFF',
      max_connections: '151',
      Threads_connected: '1',
      ...variables,
    }
    if (/^show (variables|global status|session status)/.test(sql))
      return Promise.resolve(
        Object.entries(all).map(([name, value]) => ({ Variable_name: name, Value: value })),
      )
    const known = Object.entries({
      'replica status': [],
      'utc_timestamp(6)': [{ now }],
      innodb_trx: undefined,
      'as beat': [{ beat: now, oldest: now }],
      tables: [{ tableName: 'beats', type: 'BASE TABLE', engine: 'InnoDB', rowCount: 1 }],
      current_user: [{ account: 'u@h' }],
      ...rows,
    })
    const found = known.find(([part]) => sql.includes(part))
    return found?.[1] === undefined ? Promise.reject(denied) : Promise.resolve(found[1])
  }

const heartbeat = { table: 'beats', column: 'ts' }
const clock = (): number => Date.parse('2026-01-01T12:00:00Z')

async function listFindings(
  server: Server,
  mapped: typeof heartbeat | undefined,
  overlapSeconds = 120,
  at = clock,
): Promise<readonly string[]> {
  const run = create(server)
  const state = await readServerState(run)
  const section = checkFreshness(await readFreshness(run, state, mapped, at), state, mapped, overlapSeconds)
  return section.findings.map(({ severity, object, problem }) => `${severity} ${object} ${problem}`)
}

const group = { group_replication_group_name: 'g', group_replication_single_primary_mode: 'OFF' }
const beat = (ts: string | null): Server => ({ rows: { 'as beat': [{ beat: ts, oldest: ts }] } })
const engine = { tables: [{ tableName: 'beats', type: 'BASE TABLE', engine: 'MEMORY', rowCount: 1 }] }

test.each<[string, Server, RegExp]>([
  ['a table that is not InnoDB', { rows: engine }, /^error heartbeat beats is not InnoDB, but MEMORY$/],
  ['an empty table', { rows: { 'as beat': [] } }, /^error heartbeat beats is empty/],
  ['a row without a time', beat(null), /^error heartbeat beats has a time that is NULL/],
  ['a row ahead of the server', beat('2026-01-01 12:00:06'), /^error heartbeat beats is 6 seconds ahead/],
  [
    'a table that cannot be read',
    { rows: { 'as beat': undefined } },
    /^error heartbeat cannot be read: denied/,
  ],
  [
    'commits out of order',
    { variables: { replica_preserve_commit_order: 'OFF', replica_parallel_workers: '4' } },
    /^error heartbeat replica_preserve_commit_order is OFF/,
  ],
  [
    'two sources',
    { rows: { 'replica status': [{}, {}] } },
    /^error heartbeat the server replicates from 2 sources/,
  ],
  [
    'two GTID domains',
    { variables: { gtid_current_pos: '0-1-5,1-2-7' } },
    /^error heartbeat the server has 2 GTID domains/,
  ],
  ['one row for several primaries', { variables: group }, /^error heartbeat the group has several primaries/],
])('the mapped heartbeat is an error: %s', async (_, server, said) => {
  expect(await listFindings(server, heartbeat)).toEqual([expect.stringMatching(said)])
})

test('a heartbeat in order has no finding, on a replica, in a group, and a few seconds ahead', async () => {
  const replica: Server = {
    variables: { read_only: 'ON', replica_preserve_commit_order: 'ON', replica_parallel_workers: '4' },
    rows: { 'replica status': [{}], ...beat('2026-01-01 12:00:05').rows },
  }
  const members = {
    'as beat': [
      { beat: now, oldest: now },
      { beat: now, oldest: now },
    ],
    replication_group_members: [{}, {}],
  }
  for (const server of [{}, replica, { variables: group, rows: members }])
    expect(await listFindings(server, heartbeat)).toEqual([])
})

test.each<[string, Server]>([
  ['a replica', { rows: { 'replica status': [{}] } }],
  [
    'a read-only server whose state is hidden',
    { variables: { read_only: 'ON' }, rows: { 'replica status': undefined } },
  ],
  ['a member of a group', { variables: group }],
])('a server that replicates without a heartbeat is a warning: %s', async (_, server) => {
  expect(await listFindings(server, undefined)).toEqual([
    expect.stringMatching(/^warning heartbeat is not mapped/),
  ])
  expect(await listFindings({}, undefined)).toEqual([])
})

test('a transaction as long as the overlap is an error, and no matter where the oldest one is known', async () => {
  const open: Server = { rows: { innodb_trx: [{ seconds: '120' }] } }
  expect(await listFindings(open, undefined)).toEqual([
    expect.stringMatching(/^error SYNC_OVERLAP_SECONDS is 120, /),
  ])
  expect(await listFindings(open, undefined, 121)).toEqual([])
  expect(await listFindings(open, { ...heartbeat, oldestOpen: 'oldest' } as typeof heartbeat)).toEqual([])
})

test('clocks that differ by more than a second and half the round trip are a warning', async () => {
  const at = (ms: number) => (): number => clock() + ms
  expect(await listFindings({}, undefined, 120, at(1001))).toEqual([
    expect.stringMatching(/^warning the clocks differ by 1001 ms: .* too early$/),
  ])
  expect(await listFindings({}, undefined, 120, at(-1000))).toEqual([])
})

test.each<[string, Readonly<Record<string, string>>, object, RegExp[]]>([
  [
    'the limit of the account',
    { max_user_connections: '5' },
    {},
    [/^DATABASE_POOL_SIZE is 10, and the account may have 5/],
  ],
  [
    'what the server has left',
    { max_connections: '20', Threads_connected: '8' },
    {},
    [/^DATABASE_POOL_SIZE is 10, and 12 of 20/],
  ],
  ['no encryption to another machine', {}, { host: '10.0.0.1' }, [/^DATABASE_TLS is off/]],
  ['encryption to another machine', {}, { host: '10.0.0.1', tls: 'verify-identity' }, []],
  ['none of them', { max_user_connections: '13' }, {}, []],
])('the connection: %s', async (_, variables, input, said) => {
  const state = await readServerState(create({ variables }))
  const given = { host: '127.0.0.1', tls: 'off', name: 'shop', poolSize: 10, ...input }
  const found = checkConnection(given, state).findings.map(({ object, problem }) => `${object} ${problem}`)
  expect(found).toEqual(said.map((one) => expect.stringMatching(one) as string))
})

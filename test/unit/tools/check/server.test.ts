import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkFreshness, readServerState } from '../../../../src/tools/check/server.js'
import type { Config } from '../../../../src/config.js'
import type { Row, RunQuery } from '../../../../src/database/statement.js'

/* What the check says of a server, by the rows that the server would answer. */

interface Server {
  readonly variables?: Readonly<Record<string, string>>
  /** By a part of the statement; undefined for one that the server denies. */
  readonly rows?: Readonly<Record<string, readonly Row[] | null | undefined>>
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
      ...variables,
    }
    if (/^show (variables|session status)/.test(sql))
      return Promise.resolve(
        Object.entries(all).map(([name, value]) => ({ Variable_name: name, Value: value })),
      )
    const known = Object.entries({
      'replica status': [],
      count: [{ beats: `${now} 1 ["${now}"]` }],
      'utc_timestamp(6)': [{ now }],
      tables: [{ tableName: 'beats', type: 'BASE TABLE', engine: 'InnoDB', rowCount: 1 }],
      ...rows,
    })
    const found = known.find(([part]) => sql.includes(part))
    return found?.[1] == null ? Promise.reject(denied) : Promise.resolve(found[1])
  }

const heartbeat = { table: 'beats', column: 'ts' }
const clock = (): number => Date.parse('2026-01-01T12:00:00Z')

const toConfig = (host: string, tls: string) =>
  ({ database: { host, tls }, syncOverlapSeconds: 120 }) as unknown as Config

async function listFindings(
  server: Server,
  mapped: typeof heartbeat | undefined,
  at = clock,
): Promise<readonly string[]> {
  const state = await readServerState(create(server), mapped, at)
  const section = checkFreshness(toConfig('127.0.0.1', 'off'), state, mapped)
  return section.findings.map(({ severity, object, problem }) => `${severity} ${object} ${problem}`)
}

const group = { group_replication_group_name: 'g', group_replication_single_primary_mode: 'OFF' }
const wrong = parse(readFileSync('test/unit/tools/check/server.yaml', 'utf8')) as Record<
  string,
  Server & { readonly said: string }
>

test.each(Object.entries(wrong))('the mapped heartbeat is an error: %s', async (_, { said, ...server }) => {
  const expected = new RegExp(`^error heartbeat ${said}`)
  expect(await listFindings(server, heartbeat)).toEqual([expect.stringMatching(expected)])
})

test('a heartbeat in order has no finding, on a replica, in a group, and a few seconds ahead', async () => {
  const replica: Server = {
    variables: { read_only: 'ON', replica_preserve_commit_order: 'ON', replica_parallel_workers: '4' },
    rows: { 'replica status': [{}], count: [{ beats: `${now} 1 ["2026-01-01 12:00:05"]` }] },
  }
  const members = {
    count: [{ beats: `${now} 2 ["${now}","${now}"]` }],
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

test('clocks that differ by more than a second and half the round trip are a warning', async () => {
  const at = (ms: number) => (): number => clock() + ms
  expect(await listFindings({}, undefined, at(1001))).toEqual([
    expect.stringMatching(/^warning the clocks differ by 1001 ms: .* too early$/),
  ])
  expect(await listFindings({}, undefined, at(-1000))).toEqual([])
})

test.each([
  ['10.0.0.1', 'off', ['DATABASE_TLS is off']],
  ['10.0.0.1', 'verify-identity', []],
  ['127.0.0.1', 'off', []],
])('a connection without encryption to another machine is a warning: %s, %s', async (host, tls, said) => {
  const state = await readServerState(create({}), undefined, clock)
  const { findings } = checkFreshness(toConfig(host, tls), state, undefined)
  expect(findings.map(({ object, problem }) => `${object} ${problem}`.slice(0, 19))).toEqual(said)
})

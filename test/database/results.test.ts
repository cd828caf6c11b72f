import { readFileSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { mintKey } from '../../src/keys/key.js'
import { keys } from '../product/index.js'
import { createClient } from '../support/client.js'
import type { Answer } from '../support/client.js'
import { startNetwork } from '../support/network.js'
import type { Network } from '../support/network.js'
import { isEof, toPacket } from '../support/packets.js'
import type { Edit } from '../support/packets.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/* Proxies, routers and servers that answer a statement with something that is not its result, or with an error. */

const throwaway = useThrowaway()
let network: Network
let service: TestService
let ids: readonly string[]
beforeAll(async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  network = await startNetwork(database.readUrl)
  // Each request looks its key up, and the timer compares no schema.
  const env = { KEY_CACHE_TTL_SECONDS: '0', SCHEMA_CHECK_SECONDS: '3600', DATABASE_QUERY_TIMEOUT_MS: '5000' }
  service = await startService({ ...database, readUrl: network.url }, { env })
  const pages = await Promise.all(
    [keys.both, keys.other].map((key) => createClient(service, key).get('registrations')),
  )
  ids = pages.map(({ body }) => String(body.data[0]?.['id']))
})
afterEach(() => {
  network.set({ do: 'pass' })
})

const summarize = ({ status, body, headers }: Answer) => [status, body.code, headers['retry-after']]
const unavailable = [503, 'database_unavailable', '1']

/** Edits the results with a column of this name alone. */
const ofResult =
  (name: string, edit: Edit): Edit =>
  (packets) =>
    packets.some((packet) => packet.includes(name)) ? edit(packets) : packets

/** The packets of an answer behind a change of its definitions and of its rows, numbered anew. */
function change(
  packets: readonly Buffer[],
  toDefinitions: (definitions: readonly Buffer[]) => readonly Buffer[],
  toRow: (row: Buffer) => Buffer = (row) => row,
): readonly Buffer[] {
  const end = packets.findIndex(isEof)
  const definitions = toDefinitions(packets.slice(1, end).map((packet) => packet.subarray(4)))
  const rows = packets.slice(end + 1, -1).map((packet) => toRow(packet.subarray(4)))
  const eof = packets[end]?.subarray(4) ?? Buffer.alloc(0)
  return [Buffer.of(definitions.length), ...definitions, eof, ...rows, eof].map((payload, at) =>
    toPacket(payload, (at + 1) % 256),
  )
}

const flaws: readonly (readonly [what: string, edit: Edit])[] = [
  ['OK in place of rows', () => [toPacket(Buffer.of(0, 0, 0, 2, 0, 0, 0), 1)]],
  ['a column less', (packets) => change(packets, (definitions) => definitions.slice(0, -1))],
  [
    'a column more',
    (packets) => change(packets, (definitions) => [...definitions, ...definitions.slice(-1)]),
  ],
  ['columns in another order', (packets) => change(packets, (definitions) => definitions.toReversed())],
  [
    'rows that are cut',
    (packets) =>
      change(
        packets,
        (all) => all,
        (row) => row.subarray(0, -9),
      ),
  ],
]

describe.each([
  ['a list', 'registrations', 'createdAt'],
  ['a record', 'registrations/', 'createdAt'],
  ['a key', 'registrations', 'revokedAt'],
])('an answer that is not the result of %s is a 503, and its session is closed', (_what, path, column) => {
  test.each(flaws)('%s', async (_flaw, edit) => {
    const client = createClient(service)
    const ask = () => client.get(path.endsWith('/') ? path + String(ids[0]) : path)
    expect((await ask()).status).toBe(200)
    const before = new Set(network.connections)
    network.set({ do: 'edit', edit: ofResult(column, edit) })
    expect(summarize(await ask())).toEqual(unavailable)
    network.set({ do: 'pass' })
    expect((await ask()).status).toBe(200)
    expect([...before].every((one) => network.connections.has(one))).toBe(false)
  })

  test('text in another character set', async () => {
    const client = createClient(service)
    const ask = () => client.get(path.endsWith('/') ? path + String(ids[0]) : path)
    network.set({ do: 'inject', first: 'set session character_set_results = latin1' })
    expect(summarize(await ask())).toEqual(unavailable)
    network.set({ do: 'pass' })
    await expect.poll(async () => (await ask()).status).toBe(200)
  })
})

test('a database that answers its health check with OK does not answer', async () => {
  network.set({ do: 'edit', edit: flaws[0]![1] })
  await expect
    .poll(async () => (await service.ops.inject('/readyz')).statusCode, { timeout: 10_000 })
    .toBe(503)
  network.set({ do: 'pass' })
  await expect.poll(async () => (await service.ops.inject('/readyz')).statusCode).toBe(200)
})

/** Holds the first answer until there is a second one, and gives each to the caller of the other. */
function createSwap(): Edit {
  let first: ((packets: readonly Buffer[]) => void) | undefined
  let own: readonly Buffer[] = []
  return (packets) => {
    const give = first
    if (give === undefined) {
      own = packets
      return new Promise((resolve) => (first = resolve))
    }
    first = undefined
    give(packets)
    return own
  }
}

test.each([
  ['lists', () => ['registrations', 'registrations'], 'createdAt'],
  ['records', () => ids.map((id) => `registrations/${id}`), 'createdAt'],
  ['keys', () => ['registrations', 'registrations'], 'revokedAt'],
  ['a known and an unknown key', () => ['registrations', 'registrations'], 'revokedAt'],
])('two callers whose answers are exchanged get 503: %s', async (what, toPaths, column) => {
  const other = what.includes('unknown') ? mintKey('evk_') : keys.other
  const clients = [keys.both, other].map((key) => createClient(service, key))
  const paths = toPaths()
  const count = async (): Promise<number> =>
    Number(/^vitrine_foreign_rows_total (\d+)$/m.exec((await service.ops.inject('/metrics')).body)?.[1])
  const lines = () => service.logLines().filter(({ msg }) => String(msg).includes('rows of another one'))
  const [counted, logged] = [await count(), lines().length]
  network.set({ do: 'edit', edit: ofResult(column, createSwap()) })
  const answers = await Promise.all(clients.map((client, at) => client.get(String(paths[at]))))
  expect(answers.map(summarize)).toEqual([unavailable, unavailable])
  expect(await count()).toBe(counted + 2)
  expect(lines().slice(logged)).toMatchObject([{ level: 50 }, { level: 50 }])
  network.set({ do: 'pass' })
  const [again] = clients
  expect((await again!.get(String(paths[0]))).status).toBe(200)
})

/* What a server, a cluster or a proxy before them says of a statement that would be answered at another time. */
const passing = parse(readFileSync('test/database/passing-errors.yaml', 'utf8')) as Record<string, string>

test.each(Object.entries(passing))('%s, %s, is a 503, and the next request is answered', async (number) => {
  const client = createClient(service)
  expect((await client.get('registrations')).status).toBe(200)
  network.set({ do: 'fail', error: { number: Number(number), sqlState: 'HY000' } })
  expect(summarize(await client.get('registrations'))).toEqual(unavailable)
  await expect.poll(async () => (await service.ops.inject('/readyz')).statusCode).toBe(503)
  network.set({ do: 'pass' })
  expect((await client.get('registrations')).status).toBe(200)
})

test.each([
  [1053, 200],
  [2013, 200],
  // The statement itself would wait, or be killed, again.
  [1205, 503],
  [1317, 503],
])('after %d, only a statement whose server was lost runs again: %d', async (number, status) => {
  const client = createClient(service)
  expect((await client.get('registrations')).status).toBe(200)
  network.set({ do: 'fail', error: { number, sqlState: 'HY000' }, isOnce: true })
  expect((await client.get('registrations')).status).toBe(status)
})

test('an error of the statement itself is a 500', async () => {
  network.set({ do: 'fail', error: { number: 1064, sqlState: '42000' } })
  expect((await createClient(service).get('registrations')).status).toBe(500)
})

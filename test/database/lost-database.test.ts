import { expect, test } from 'vitest'
import { startNetwork } from '../support/network.js'
import type { Network } from '../support/network.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/*
 * The only host of the database is lost: an operator sees it in the log and in the metrics, with or without traffic.
 */

const throwaway = useThrowaway()
let network: Network

async function startBehindNetwork(): Promise<TestService> {
  const database = await throwaway.createProduct('plain', { registrations: 20 })
  network = await startNetwork(database.readUrl)
  return startService({ ...database, readUrl: network.url }, { env: { DATABASE_QUERY_TIMEOUT_MS: '2000' } })
}

const readGauge = async (service: TestService, name: string): Promise<number> => {
  const { body } = await service.ops.inject('/metrics')
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (-?\\d+)$`, 'm').exec(body)?.[1])
}
const countLines = (service: TestService, text: string): number =>
  service.logLines().filter(({ msg }) => msg === text).length

test('without traffic, its loss and its return are a log line each, and in the metrics', async () => {
  const service = await startBehindNetwork()
  expect(await readGauge(service, 'vitrine_ready')).toBe(1)
  expect(await readGauge(service, 'vitrine_database_up')).toBe(1)
  await network.close()
  await expect.poll(() => countLines(service, 'the database does not answer')).toBe(1)
  await expect.poll(() => readGauge(service, 'vitrine_ready')).toBe(0)
  expect(await readGauge(service, 'vitrine_database_up')).toBe(0)
  expect((await service.ops.inject('/readyz')).json()).toMatchObject({
    reasons: ['the database does not answer'],
  })
  await network.open()
  await expect.poll(() => countLines(service, 'the database answers again')).toBe(1)
  expect(await readGauge(service, 'vitrine_ready')).toBe(1)
  expect(countLines(service, 'the database does not answer')).toBe(1)
  for (const text of [
    'requests cannot all be answered: /readyz returns 503',
    'requests can be answered again: /readyz returns 200',
  ])
    expect([text, countLines(service, text)]).toEqual([text, 1])
})

test('each failed request has a line without a stack', async () => {
  const service = await startBehindNetwork()
  const client = createClient(service)
  expect((await client.get('registrations')).status).toBe(200)
  await network.close()
  for (let sent = 0; sent < 3; sent += 1) expect((await client.get('registrations')).status).toBe(503)
  const lines = service
    .logLines()
    .filter(({ code, msg }) => code === 'database_unavailable' && msg !== 'request')
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    expect(line['cause']).toMatchObject({ message: expect.any(String) as string })
    expect(JSON.stringify(line)).not.toContain('"stack"')
  }
})

test('a connection that is lost while it prepares a statement gives back one slot', async () => {
  const service = await startBehindNetwork()
  const client = createClient(service)
  network.set({ do: 'cut' })
  for (let sent = 0; sent < 3; sent += 1) expect((await client.get('registrations')).status).toBe(503)
  expect(await readGauge(service, 'vitrine_database_active')).toBe(0)
  network.set({ do: 'pass' })
  expect((await client.get('registrations')).status).toBe(200)
})

test('an error behind an answer fails no other request, and ends no process', async () => {
  const client = createClient(await startBehindNetwork())
  expect((await client.get('registrations')).status).toBe(200)
  network.set({ do: 'follow', error: { number: 4031, sqlState: 'HY000' } })
  // The second one opens a session, whose first answer is followed too.
  const answers = await Promise.all([client.get('registrations'), client.get('registrations', { limit: 1 })])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 503])
  network.set({ do: 'pass' })
  for (let sent = 0; sent < 3; sent += 1) expect((await client.get('registrations')).status).toBe(200)
})

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProbedService } from './service.js'
import type { ProbedService } from './service.js'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { base } from '../support/client.js'
import { useThrowaway } from '../support/service.js'

/*
 * The texts of half of the rows are as long as JSON can make one that is shown; those of the others have a megabyte each, 200 MB
 * for a page. One process with the options of the image answers one crowd after the other.
 */

const throwaway = useThrowaway()
/** A control character has six in JSON. */
const recordBytes = 12_000
const processBytesMax = 200 * 1024 * 1024
const pollOptions = { timeout: 60_000 }
const dockerfile = readFileSync('docker/Dockerfile', 'utf8')
const [, nodeOptions = ''] = /NODE_OPTIONS="(.*)"/.exec(dockerfile) ?? []
const [, threshold = ''] = /MALLOC_MMAP_THRESHOLD_=(\d+)/.exec(dockerfile) ?? []

let service: ProbedService
beforeAll(async () => {
  const product = await throwaway.createProduct('plain', { registrations: 200 })
  await runStatements(product.adminUrl, [
    'ALTER TABLE event_registrations MODIFY attendee_name MEDIUMTEXT NOT NULL, MODIFY attendee_email MEDIUMTEXT NOT NULL',
    `UPDATE event_registrations SET attendee_name = REPEAT('\u0001', 1000), attendee_email = REPEAT('\u0002', 1000)`,
    `UPDATE event_registrations SET attendee_name = REPEAT('n', 1000000), attendee_email = REPEAT('"', 1000000)
      ORDER BY updated_at DESC LIMIT 100`,
  ])
  service = await startProbedService(product, {
    NODE_OPTIONS: nodeOptions,
    MALLOC_MMAP_THRESHOLD_: threshold,
    DATABASE_POOL_SIZE: '10',
    DATABASE_QUERY_TIMEOUT_MS: '5000',
    RATE_LIMIT_PER_MINUTE: '0',
  })
})
afterAll(() => service.stop())

/** An answer, read to its end. */
async function read(search: string, key: string) {
  const headers = { authorization: `Bearer ${key}` }
  const request = get(`${service.origin}${base}/registrations?limit=100&${search}`, { headers, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode, text: Buffer.concat(chunks).toString() }
}

/** A crawl to its end; a page that is answered by 503 is asked for again. @returns its records and its characters. */
async function crawl(key: string): Promise<{ readonly records: number; readonly length: number }> {
  let [search, records, length] = ['', 0, 0]
  for (;;) {
    const { status, text } = await read(search, key)
    if (status === 503) continue
    expect(status).toBe(200)
    const { data, meta } = JSON.parse(text) as { data: unknown[]; meta: { cursor: string | null } }
    records += data.length
    length += text.length
    if (meta.cursor === null) return { records, length }
    search = `cursor=${meta.cursor}`
  }
}

/** The list of another workspace is answered, while others ask for much: a 503 follows after five seconds. */
async function expectNeighbor(): Promise<void> {
  expect((await read('', keys.empty)).status).toBe(200)
}

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${service.ops}/metrics`)).text()
  return Number(new RegExp(`^vitrine_database_${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Connections with several requests each, whose answers are not read: the system alone takes a page for each connection. */
function askUnread(count: number) {
  const head = `GET ${base}/registrations?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.both}\r\n\r\n`
  const sockets = Array.from({ length: count }, () => connect(service.port, '127.0.0.1').pause())
  for (const socket of sockets) socket.on('error', () => undefined).write(head.repeat(30))
  return async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    for (const name of ['waiting', 'answer_bytes', 'active'])
      await expect.poll(() => readMetric(name), pollOptions).toBe(0)
  }
}

const expectMemory = async (): Promise<void> => {
  const { peakBytes } = await service.measure()
  process.stderr.write(`large pages: ${Math.round(peakBytes / 1024 / 1024)} MiB at most\n`)
  expect(peakBytes).toBeLessThan(processBytesMax)
}

test('32 lists of one key, right after a start, are read to their ends', async () => {
  const crawls = Promise.all(Array.from({ length: 32 }, () => crawl(keys.both)))
  await expectNeighbor()
  const [first, ...others] = await crawls
  expect(first!.records).toBeGreaterThan(20)
  expect(first!.length).toBeGreaterThan(first!.records * recordBytes)
  for (const other of others) expect(other).toEqual(first)
  await expectMemory()
})

test('answers that are not read hold their bytes until the callers leave', async () => {
  const leave = askUnread(30)
  await expect.poll(() => readMetric('answer_bytes'), pollOptions).toBeGreaterThan(1000 * recordBytes)
  await expectNeighbor()
  await expectMemory()
  await leave()
})

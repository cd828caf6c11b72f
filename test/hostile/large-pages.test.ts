import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProbedService } from './service.js'
import type { ProbedService } from './service.js'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { base } from '../support/client.js'
import { useThrowaway } from '../support/service.js'

/*
 * A hundred records of a workspace have 8 MB together. One process with the options of the image, whose memory is 256 MiB,
 * answers one crowd after the other.
 */

const throwaway = useThrowaway()
const recordsBytes = 8_000_000
const processBytesMax = 256 * 1024 * 1024
const pollOptions = { timeout: 60_000 }
const dockerfile = readFileSync('docker/Dockerfile', 'utf8')
const [, nodeOptions = ''] = /NODE_OPTIONS="(.*)"/.exec(dockerfile) ?? []
const [, threshold = ''] = /MALLOC_MMAP_THRESHOLD_=(\d+)/.exec(dockerfile) ?? []

let service: ProbedService
beforeAll(async () => {
  const product = await throwaway.createProduct('plain', { registrations: 200 })
  const length = recordsBytes / 200
  await runStatements(product.adminUrl, [
    'ALTER TABLE event_registrations MODIFY attendee_name MEDIUMTEXT NOT NULL, MODIFY attendee_email MEDIUMTEXT NOT NULL',
    `UPDATE event_registrations SET attendee_name = REPEAT('n', ${length}), attendee_email = REPEAT('"', ${length / 2})`,
  ])
  service = await startProbedService(product, {
    NODE_OPTIONS: nodeOptions,
    MALLOC_MMAP_THRESHOLD_: threshold,
    DATABASE_POOL_SIZE: '10',
    DATABASE_QUERY_TIMEOUT_MS: '5000',
    RATE_LIMIT_PER_MINUTE: '0',
  })
})
afterAll(async () => {
  await service.stop()
})

function ask(search: string, key: string): ClientRequest {
  const headers = { authorization: `Bearer ${key}` }
  return get(`${service.origin}${base}/registrations?limit=100&${search}`, { headers, agent: false })
}

/** An answer, read to its end. */
async function read(search: string, key: string) {
  const request = ask(search, key)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode, text: Buffer.concat(chunks).toString() }
}

/** A crawl to its end; a page that is answered by 503 is asked for again. @returns its records and the size of its largest page. */
async function crawl(key: string): Promise<{ readonly records: number; readonly largest: number }> {
  let [search, records, largest] = ['', 0, 0]
  for (;;) {
    const { status, text } = await read(search, key)
    if (status === 503) continue
    expect(status).toBe(200)
    const { data, meta } = JSON.parse(text) as { data: unknown[]; meta: { cursor: string | null } }
    records += data.length
    largest = Math.max(largest, text.length)
    if (meta.cursor === null) return { records, largest }
    search = `cursor=${meta.cursor}`
  }
}

/** The list of another workspace is answered, while others ask for much: a 503 follows after five seconds. */
async function expectNeighbour(): Promise<void> {
  expect((await read('', keys.empty)).status).toBe(200)
}

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${service.ops}/metrics`)).text()
  return Number(new RegExp(`^vitrine_database_${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Requests whose answers are not read, and the status of each that has come. */
function askUnread(count: number) {
  const statuses: number[] = []
  const requests = Array.from({ length: count }, () => ask('', keys.both))
  for (const request of requests) {
    request.on('error', () => undefined)
    request.on('response', ({ statusCode = 0 }) => statuses.push(statusCode))
  }
  const leave = async (): Promise<void> => {
    for (const request of requests) request.destroy()
    for (const name of ['waiting', 'answer_bytes', 'active'])
      await expect.poll(() => readMetric(name), pollOptions).toBe(0)
  }
  return { statuses, leave }
}

const expectMemory = async (): Promise<void> => {
  const { peakBytes } = await service.measure()
  process.stderr.write(`large pages: ${Math.round(peakBytes / 1024 / 1024)} MiB at most\n`)
  expect(peakBytes).toBeLessThan(processBytesMax)
}

test('32 lists of one key, right after a start, are read to their ends', async () => {
  const crawls = Promise.all(Array.from({ length: 32 }, () => crawl(keys.both)))
  await expectNeighbour()
  const [first, ...others] = await crawls
  expect(first!.records).toBeGreaterThan(50)
  for (const other of others) expect(other).toEqual(first)
  await expectMemory()
})

test('answers that are not read hold their bytes until the callers leave', async () => {
  const { statuses, leave } = askUnread(100)
  await expect.poll(() => statuses.length, pollOptions).toBeGreaterThan(10)
  expect(await readMetric('answer_bytes')).toBeGreaterThan(recordsBytes)
  await expectNeighbour()
  await expectMemory()
  await leave()
})

test('the lists of callers who left leave the queue', async () => {
  const { leave } = askUnread(400)
  await expect.poll(() => readMetric('waiting'), pollOptions).toBeGreaterThan(100)
  await leave()
  await expectNeighbour()
  await expectMemory()
})

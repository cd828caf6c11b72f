import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { startProbedService } from './service.js'
import type { ProbedService } from './service.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { base } from '../support/client.js'
import { useThrowaway } from '../support/service.js'

/*
 * Pages of 8 MB, before a process with the options of the image, which has 256 MiB.
 */

const throwaway = useThrowaway()
const pageBytes = 8_000_000
const processBytesMax = 256 * 1024 * 1024
const pollOptions = { timeout: 60_000 }
const [, imageOptions = ''] = /NODE_OPTIONS="(.*)"/.exec(readFileSync('docker/Dockerfile', 'utf8')) ?? []

let product: ProductDatabase
beforeAll(async () => {
  product = await createLargeProduct("'n'", pageBytes)
})

/** A product whose first two workspaces have a page of 100 records with about so many bytes of a character. */
async function createLargeProduct(character: string, bytes: number): Promise<ProductDatabase> {
  const created = await throwaway.createProduct('plain', { registrations: 100 })
  const count = (workspace: number): number =>
    created.truth.registrations.filter((one) => one.workspace === workspace && one.archived === 'no').length
  const id = created.product.workspaceId(0)
  const length = `FLOOR(${bytes / 2} / IF(workspace_id = '${id}', ${count(0)}, ${count(1)}))`
  await runStatements(created.adminUrl, [
    'ALTER TABLE event_registrations MODIFY attendee_name MEDIUMTEXT NOT NULL, MODIFY attendee_email MEDIUMTEXT NOT NULL',
    `UPDATE event_registrations SET attendee_name = REPEAT(${character}, ${length}), attendee_email = REPEAT(${character}, ${length})`,
  ])
  return created
}

function start(env: Readonly<Record<string, string>>, served = product): Promise<ProbedService> {
  return startProbedService(throwaway, served, {
    NODE_OPTIONS: imageOptions,
    DATABASE_POOL_SIZE: '10',
    RATE_LIMIT_PER_MINUTE: '0',
    ...env,
  })
}

/** Asks for the same page in other words, so that nothing is shared. */
function ask({ origin }: ProbedService, at: number, key: string = keys.both): ClientRequest {
  const since = new Date(Date.UTC(2020, 0, 1) + at).toISOString()
  const headers = { authorization: `Bearer ${key}` }
  return get(`${origin}${base}/registrations?limit=100&updatedSince=${since}`, { headers, agent: false })
}

/** The status and the size of an answer, read to its end. */
async function read(request: ClientRequest): Promise<{ readonly status: number; readonly bytes: number }> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const chunk of answer) bytes += (chunk as Buffer).length
  return { status: answer.statusCode ?? 0, bytes }
}

/** Requests whose answers are not read, and the status of each that has come. */
function askUnread(service: ProbedService, count: number, key?: string) {
  const statuses: number[] = []
  const requests = Array.from({ length: count }, (_, at) => ask(service, at, key))
  for (const request of requests) {
    request.on('error', () => undefined)
    request.on('response', ({ statusCode = 0 }) => statuses.push(statusCode))
  }
  const leave = (): void => {
    for (const request of requests) request.destroy()
  }
  return { statuses, leave }
}

async function readMetric({ ops }: ProbedService, name: string): Promise<number> {
  const text = await (await fetch(`${ops}/metrics`)).text()
  return Number(new RegExp(`^vitrine_database_${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** The statements that were sent, whatever came of them. */
async function countSent(service: ProbedService): Promise<number> {
  const outcomes = ['ok', 'failed'].map((outcome) =>
    readMetric(service, `statement_duration_seconds_count\\{outcome="${outcome}"\\}`),
  )
  return (await Promise.all(outcomes)).reduce((sum, count) => sum + (Number.isNaN(count) ? 0 : count), 0)
}

test('32 lists of one key, right after a start, are answered one after the other', async () => {
  const service = await start({})
  const answers = await Promise.all(Array.from({ length: 32 }, (_, at) => read(ask(service, at))))
  for (const { status, bytes } of answers)
    expect(status === 503 || (status === 200 && bytes > pageBytes)).toBe(true)
  expect((await service.measure()).peakBytes).toBeLessThan(processBytesMax)
  await service.stop()
})

test('two keys that ask for the largest pages, whose characters are escaped, leave the process within its memory', async () => {
  // Six bytes of JSON for each: 19 of the 20 MiB that one result may have.
  const largest = 19 * 1024 * 1024
  const service = await start({}, await createLargeProduct('CHAR(1)', largest / 6))
  const answers = await Promise.all(
    [keys.both, keys.other].flatMap((key) =>
      Array.from({ length: 8 }, (_, at) => read(ask(service, at, key))),
    ),
  )
  for (const { status, bytes } of answers)
    expect(status === 503 || (status === 200 && bytes > largest)).toBe(true)
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1)
  expect((await service.measure()).peakBytes).toBeLessThan(processBytesMax)
  await service.stop()
})

test('answers that are not read hold their bytes until the callers leave, and others wait for the time limit', async () => {
  const service = await start({ DATABASE_QUERY_TIMEOUT_MS: '2000' })
  const crowds = [askUnread(service, 50), askUnread(service, 50, keys.other)]
  const listStatuses = (): readonly number[] => crowds.flatMap(({ statuses }) => statuses)
  await expect.poll(() => listStatuses().length, pollOptions).toBe(100)
  expect(new Set(listStatuses())).toEqual(new Set([200, 503]))
  // A late list takes the place of an answer that was not read within the time limit.
  expect(await readMetric(service, 'result_bytes')).toBeGreaterThan(pageBytes)
  expect((await read(ask(service, 0, keys.empty))).status).toBe(200)
  expect((await service.measure()).peakBytes).toBeLessThan(processBytesMax)
  for (const { leave } of crowds) leave()
  await expect.poll(() => readMetric(service, 'result_bytes'), pollOptions).toBe(0)
  await service.stop()
})

test('lists of callers who left leave the queue, and no statement is sent for them', async () => {
  const service = await start({ DATABASE_QUEUE_LIMIT: '100' })
  const { statuses, leave } = askUnread(service, 400)
  // One table has four fifths of the queue.
  await expect.poll(() => readMetric(service, 'waiting'), pollOptions).toBe(80)
  await expect.poll(() => statuses.length, pollOptions).toBeGreaterThan(300)
  leave()
  await expect.poll(() => readMetric(service, 'waiting'), pollOptions).toBe(0)
  expect((await read(ask(service, 0, keys.other))).status).toBe(200)
  expect(await countSent(service)).toBeLessThan(30)
  await service.stop()
})

import { SpanKind } from '@opentelemetry/api'
import { NodeSDK, tracing } from '@opentelemetry/sdk-node'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { base, createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const exporter = new tracing.InMemorySpanExporter()
// What an operator would start the process with; it takes what is read from the environment from nowhere else.
const sdk = new NodeSDK({
  spanProcessors: [new tracing.SimpleSpanProcessor(exporter)],
  instrumentations: [],
  autoDetectResources: false,
})
sdk.start()
afterAll(() => sdk.shutdown())

const throwaway = useThrowaway()
let database: ProductDatabase
let service: TestService
let api: string
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 100 })
  service = await startService(database, { env: { TRACING: 'on', DATABASE_QUERY_TIMEOUT_MS: '2000' } })
  api = await service.app.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(() => {
  exporter.reset()
})

const ask = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
  const answer = await fetch(`${api}${path}`, {
    headers: { authorization: `Bearer ${keys.both}`, ...headers },
  })
  await answer.arrayBuffer()
  return answer.status
}

/** The spans of requests, each with those that are within it, once as many requests have ended. */
const readTree = async (requests: number) => {
  const spans = (): readonly tracing.ReadableSpan[] => exporter.getFinishedSpans()
  const servers = () => spans().filter(({ kind }) => kind === SpanKind.SERVER)
  await expect.poll(() => servers().length).toBe(requests)
  return servers().map((server) => ({
    server,
    within: spans().filter(
      ({ parentSpanContext }) => parentSpanContext?.spanId === server.spanContext().spanId,
    ),
  }))
}

test('a request is a span with its route, status and key, and each of its statements one within it', async () => {
  const traceId = 'af7651916cd43dd8448eb211c80319c7'
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  expect(await ask(`${base}/registrations?limit=2&status=CONFIRMED`, headers)).toBe(200)
  const [one] = await readTree(1)
  expect(one!.server).toMatchObject({
    name: `GET ${base}/registrations`,
    parentSpanContext: { spanId: 'b7ad6b7169203331' },
  })
  expect(one!.server.spanContext().traceId).toBe(traceId)
  expect(one!.server.attributes).toEqual({
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'http.route': `${base}/registrations`,
    'http.response.status_code': 200,
    'vitrine.key.id': expect.stringMatching(/^[0-9a-f]{12}$/) as string,
    'vitrine.workspace.id': database.product.workspaceId(0),
    'vitrine.rows': 2,
  })
  // The key is looked up, then the list.
  expect(one!.within.map(({ name, kind }) => [name, kind])).toEqual([
    ['SELECT workspace_api_keys', 2],
    ['SELECT event_registrations', 2],
  ])
  expect(one!.within[1]!.attributes).toMatchObject({
    'db.system.name': 'mysql',
    'db.operation.name': 'SELECT',
    'db.query.text': expect.stringContaining('from `event_registrations`') as string,
    // Two records, and one more.
    'db.response.returned_rows': 3,
  })
  expect(one!.within.every((span) => span.spanContext().traceId === traceId)).toBe(true)
})

test('each of the requests that are read together has a span of its statement', async () => {
  const client = createClient(service)
  const { body } = await client.get('registrations', { limit: 20 })
  const ids = body.data.map(({ id }) => String(id))
  exporter.reset()
  await Promise.all(ids.map((id) => client.get(`registrations/${id}`)))
  const tree = await readTree(ids.length)
  expect(tree.filter(({ within }) => within.length === 1)).toHaveLength(ids.length)
})

test('what fails is named by its kind, and no span holds a key, a value, a query or a path', async () => {
  const secret = 'canary4711'
  const before = keys.other
  expect(await ask(`${base}/registrations?status=${secret}&eventId=${secret}`)).toBe(200)
  expect(await ask(`${base}/registrations?${secret}=1`)).toBe(400)
  expect(await ask(`${base}/registrations/${secret}`)).toBe(404)
  expect(await ask(`/${secret}`)).toBe(404)
  expect(
    await ask(`${base}/registrations`, { authorization: `Bearer ${secret}`, 'x-request-id': secret }),
  ).toBe(401)
  expect(
    await ask(`${base}/registrations`, { traceparent: secret, tracestate: secret, baggage: `a=${secret}` }),
  ).toBe(200)
  const admin = await mysql.createConnection({ uri: database.adminUrl })
  await admin.query('LOCK TABLES workspace_api_keys WRITE')
  expect(await ask(`${base}/registrations`, { authorization: `Bearer ${before}` })).toBe(503)
  await admin.end()
  const tree = await readTree(7)
  expect(tree.map(({ server }) => [server.name, server.status.code])).toEqual([
    [`GET ${base}/registrations`, 0],
    [`GET ${base}/registrations`, 0],
    [`GET ${base}/registrations/:id`, 0],
    ['GET', 0],
    [`GET ${base}/registrations`, 0],
    [`GET ${base}/registrations`, 0],
    [`GET ${base}/registrations`, 2],
  ])
  expect(tree[6]!.server.attributes['error.type']).toBe('503')
  expect(tree[6]!.within.map(({ attributes }) => attributes['error.type'])).toEqual(['database_unavailable'])
  const all = JSON.stringify(
    exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, links, status, resource }) => [
        ...[name, attributes, events, links, status],
        resource.attributes,
      ]),
  )
  for (const kept of [secret, ...Object.values(keys), 'CONFIRMED', 'authorization'])
    expect([kept, all.includes(kept)]).toEqual([kept, false])
})

test('a caller that goes away leaves no span open', async () => {
  const admin = await mysql.createConnection({ uri: database.adminUrl })
  await admin.query('LOCK TABLES event_registrations WRITE')
  const gone = new AbortController()
  const answer = fetch(`${api}${base}/registrations?limit=7`, {
    signal: gone.signal,
    headers: { authorization: `Bearer ${keys.both}` },
  })
  await expect
    .poll(async () => (await service.ops.inject('/metrics')).body)
    .toContain('\nvitrine_database_active 1\n')
  gone.abort()
  await expect(answer).rejects.toThrow()
  const [one] = await readTree(1)
  expect(one!.server.attributes).toMatchObject({ 'error.type': 'caller_gone' })
  await admin.end()
  await expect.poll(() => exporter.getFinishedSpans().length).toBe(2)
})

test('without TRACING there is no span', async () => {
  const quiet = await startService(database)
  const headers = { authorization: `Bearer ${keys.both}` }
  expect((await quiet.app.inject({ url: `${base}/registrations`, headers })).statusCode).toBe(200)
  expect(exporter.getFinishedSpans()).toEqual([])
})

import { readFileSync } from 'node:fs'
import mysql from 'mysql2/promise'
import { beforeAll, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 100 })
})

/** The lines of requests, in their order. */
const requestsOf = (service: TestService): readonly Readonly<Record<string, unknown>>[] =>
  service.logLines().filter(({ msg }) => msg === 'request')

test('a request has one line in the log, with all that an operator asks for', async () => {
  const service = await startService(database)
  const client = createClient(service)
  const { body } = await client.get('registrations', { limit: 3 }, { 'x-request-id': 'mine' })
  await client.get(`registrations/${String(body.data[0]!['id'])}`)
  await client.get('nothing')
  const [list, item, nothing] = requestsOf(service)
  expect(list).toEqual({
    level: 30,
    time: expect.any(Number) as number,
    reqId: 'mine',
    method: 'GET',
    route: '/api/public/v1/registrations',
    status: 200,
    durationMs: expect.any(Number) as number,
    databaseMs: expect.any(Number) as number,
    keyId: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
    workspaceId: database.product.workspaceId(0),
    rows: 3,
    msg: 'request',
  })
  expect(item).toMatchObject({ route: '/api/public/v1/registrations/:id', rows: 1 })
  expect(nothing).toMatchObject({ route: '(none)', status: 404, databaseMs: 0 })
  for (const { durationMs, databaseMs } of [list!, item!]) {
    expect(Number(databaseMs)).toBeGreaterThan(0)
    expect(Number(databaseMs)).toBeLessThanOrEqual(Number(durationMs))
  }
})

test('the time of the database counts a statement that failed, and the look for a key', async () => {
  const service = await startService(database, { env: { DATABASE_QUERY_TIMEOUT_MS: '400' } })
  const admin = await mysql.createConnection({ uri: database.adminUrl })
  const isWaitedFor = async (table: string, path: string): Promise<void> => {
    await admin.query(`LOCK TABLES ${table} WRITE`)
    expect((await createClient(service).get(path)).status).toBe(503)
    await admin.query('UNLOCK TABLES')
  }
  await isWaitedFor('workspace_api_keys', 'registrations')
  expect((await createClient(service).get('registrations')).status).toBe(200)
  await isWaitedFor('event_registrations', 'registrations')
  await isWaitedFor('event_registrations', 'registrations/none')
  await admin.end()
  const [key, , list, item] = requestsOf(service)
  for (const line of [key, list, item]) expect(Number(line!['databaseMs'])).toBeGreaterThan(300)
  const { body: metrics } = await service.ops.inject('/metrics')
  const failed = /^vitrine_database_statement_duration_seconds_count\{outcome="failed"\} (\d+)$/m.exec(
    metrics,
  )
  expect(Number(failed?.[1])).toBe(3)
})

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly definition?: string }[] }
}

test('every metric that the dashboard asks for is one that the service has', async () => {
  const service = await startService(database)
  await createClient(service).get('registrations')
  await createClient(service, keys.revoked).get('registrations')
  const { body } = await service.ops.inject('/metrics')
  const known = new Set([...body.matchAll(/^([a-z0-9_]+)[{ ]/gm)].map(([, name]) => name))
  const dashboard = JSON.parse(readFileSync('docker/grafana-dashboard.json', 'utf8')) as Dashboard
  const asked = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ definition = '' }) => definition),
  ].flatMap((text) => text.match(/\bvitrine_\w+/g) ?? [])
  expect(asked.length).toBeGreaterThan(20)
  // The first needs a user who may see it, the second a row with such a code.
  const absent = ['vitrine_database_host_lag_seconds', 'vitrine_unknown_codes_total']
  expect(asked.filter((name) => !known.has(name) && !absent.includes(name))).toEqual([])
  // And of its own metrics none is left out.
  const toFamily = (name = ''): string => name.replace(/_(?:bucket|sum|count)$/, '')
  const own = [...known].map(toFamily).filter((name) => /^vitrine_(?!nodejs|process)/.test(name))
  const shown = new Set(asked.map(toFamily))
  expect(own.filter((name) => !shown.has(name))).toEqual([])
})

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { base } from '../support/client.js'
import { listBlocks } from '../support/readme.js'
import { startServing, toServingEnv } from '../support/serving.js'
import type { ServingProcess } from '../support/serving.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let folder: string
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 100 })
  // From where the packages of a checkout are found.
  folder = await mkdtemp(resolve('node_modules/.vitrine-'))
})
afterAll(() => rm(folder, { recursive: true }))

const headers = { authorization: `Bearer ${keys.both}` }

/** The service with README's file loaded first, before a collector that begins to listen. */
async function serveTraced(
  collector: Server,
  more: Readonly<Record<string, string>>,
): Promise<ServingProcess> {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const [script] = listBlocks('js')
  const file = join(folder, 'tracing.mjs')
  await writeFile(file, script!)
  const env = {
    ...toServingEnv(database),
    TRACING: 'on',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    ...more,
  }
  return startServing(throwaway, { env, nodeArgs: ['--import', pathToFileURL(file).href] })
}

test("with README's file a collector gets every span before the process ends, and nothing secret", async () => {
  const received: Buffer[] = []
  const collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk))
    request.on('end', () => response.end())
  })
  expect(listBlocks('sh')).toContain('TRACING=on node --import ./tracing.mjs dist/cli.js serve\n')
  const serving = await serveTraced(collector, { OTEL_SERVICE_NAME: 'vitrine-of-the-test' })
  const path = `${base}/registrations?limit=1&status=CONFIRMED`
  expect((await fetch(`${serving.api}${path}`, { headers })).status).toBe(200)
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  collector.close()
  const all = Buffer.concat(received).toString('latin1')
  for (const text of ['vitrine-of-the-test', `GET ${base}/registrations`, 'from `event_registrations`'])
    expect([text, all.includes(text)]).toEqual([text, true])
  for (const secret of [keys.both, 'CONFIRMED', 'limit=1'])
    expect([secret, all.includes(secret)]).toEqual([secret, false])
  expect(serving.output()).not.toContain('no OpenTelemetry SDK')
})

test('a collector that never answers does not hold up the end', async () => {
  const collector = createServer(() => undefined)
  const serving = await serveTraced(collector, { SHUTDOWN_GRACE_SECONDS: '8' })
  expect((await fetch(`${serving.api}${base}/registrations`, { headers })).status).toBe(200)
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  collector.closeAllConnections()
  collector.close()
})

test('TRACING without an SDK is logged, and the service starts', async () => {
  const serving = await startServing(throwaway, { env: { ...toServingEnv(database), TRACING: 'on' } })
  expect((await fetch(`${serving.api}${base}/registrations`, { headers })).status).toBe(200)
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  expect(serving.output()).toContain('no OpenTelemetry SDK was started')
})

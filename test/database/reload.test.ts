import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { runStatements, withAccount } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { createReader } from '../product/test-database.js'
import { createClient } from '../support/client.js'
import { makeFolder } from '../support/folder.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()
let product: ProductDatabase
let service: TestService
let client: ReturnType<typeof createClient>
let [mappingFile, urlFile] = ['', '']

beforeEach(async () => {
  product = await throwaway.createProduct('plain', { registrations: 40 })
  const folder = makeFolder()
  mappingFile = join(folder, 'mapping.yaml')
  urlFile = join(folder, 'url')
  writeFileSync(mappingFile, readFileSync(product.mappingFile, 'utf8'))
  writeFileSync(urlFile, product.readUrl)
  const env = { DATABASE_URL: '', DATABASE_URL_FILE: urlFile }
  service = await startService({ ...product, mappingFile }, { env })
  client = createClient(service)
})

const changeMapping = (from: string | RegExp, to: string): void => {
  const text = readFileSync(mappingFile, 'utf8')
  expect(text).toMatch(from)
  writeFileSync(mappingFile, text.replace(from, to))
}
const readMetric = async (name: string): Promise<string | undefined> => {
  const { body } = await service.ops.inject('/metrics')
  return new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(body)?.[1]
}
const post = async () => {
  const { statusCode, body } = await service.ops.inject({ method: 'POST', url: '/reload' })
  return { statusCode, body: JSON.parse(body) as unknown }
}
/** Puts an account into the file that may read what the changed mapping names, and nothing else. */
const changeAccount = async (): Promise<void> => {
  const user = `${new URL(product.readUrl).username}_b`
  throwaway.undo({ do: 'sql', url: product.adminUrl, statements: [`DROP USER IF EXISTS '${user}'`] })
  await createReader(product.adminUrl, { user, password: 'other', mappingFile, replicas: false })
  writeFileSync(urlFile, withAccount(product.readUrl, { user, password: 'other' }))
}
const renameStatus = (): void => {
  changeMapping(
    'status: reg_status',
    'status: { column: reg_status, values: { CONFIRMED: YES }, otherwise: NO }',
  )
}

describe('a reload', () => {
  test('puts another mapping into force: records, filters, routes, the OpenAPI document and the pages', async () => {
    const before = (await client.crawl('registrations')).map(({ status }) => status)
    expect(before).toContain('CONFIRMED')
    const readDocument = async () => (await client.get('openapi.json')).text
    const readPage = async () => (await client.get('/docs')).text
    const [document, page] = [await readDocument(), await readPage()]
    renameStatus()
    changeMapping(/^invoices:[^]*?^(?=neverRead)/m, '')
    changeMapping('name: attendee_name', 'name: attendee_phone')
    await changeAccount()
    expect(await readMetric('vitrine_configuration_changed')).toBe('1')
    expect(await post()).toEqual({ statusCode: 200, body: { status: 'loaded' } })
    expect(await readMetric('vitrine_configuration_changed')).toBe('0')
    // What the old account holds on open sessions is not used any more.
    await runStatements(product.adminUrl, [`DROP USER '${new URL(product.readUrl).username}'@'%'`])
    const after = (await client.crawl('registrations')).map(({ status }) => status)
    expect(after).toEqual(before.map((status) => (status === 'CONFIRMED' ? 'YES' : 'NO')))
    expect(await client.crawl('registrations', { status: 'YES' })).toHaveLength(
      before.filter((status) => status === 'CONFIRMED').length,
    )
    expect((await client.get('invoices')).status).toBe(404)
    expect(await readDocument()).not.toContain('/invoices')
    expect(document).toContain('/invoices')
    expect(await readPage()).not.toBe(page)
    expect((await service.ops.inject('/readyz')).statusCode).toBe(200)
    expect(service.logLines().filter(({ level }) => Number(level) >= 50)).toEqual([])
    expect(service.logs()).not.toContain('mysql://')
  })

  test('of a file that cannot be used leaves the old one in force, with every issue in one line', async () => {
    changeMapping('eventId: event_id', 'eventId: 7')
    changeMapping('name: attendee_name', 'name: 8')
    const rejected = await post()
    expect(rejected).toMatchObject({ statusCode: 422, body: { status: 'rejected' } })
    const [line, ...others] = service.logLines().filter(({ msg }) => String(msg).includes('was not reloaded'))
    expect(others).toEqual([])
    expect((line?.['issues'] as { path: string }[]).map(({ path }) => path)).toEqual([
      'registrations.fields.eventId',
      'registrations.fields.name',
    ])
    expect((await client.get('registrations')).status).toBe(200)
    expect(await readMetric('vitrine_reload_succeeded')).toBe('0')
    expect(await readMetric('vitrine_configuration_changed')).toBe('1')
  })

  test('of a mapping that the audit rejects leaves the old one in force', async () => {
    changeMapping('name: attendee_name', 'name: attendee_phone')
    expect(await post()).toMatchObject({
      statusCode: 422,
      body: {
        findings: [expect.stringContaining('attendee_phone'), expect.any(String)],
        advice: expect.stringContaining('second account') as string,
      },
    })
    expect((await client.get('registrations')).status).toBe(200)
    expect((await service.ops.inject('/readyz')).statusCode).toBe(200)
  })

  test('of what only a restart can take is rejected', async () => {
    changeMapping(/^/, 'heartbeat: { table: events, column: starts_at }\n')
    writeFileSync(urlFile, product.readUrl.replace(/\/[^/]*$/, '/other'))
    expect(await post()).toMatchObject({
      statusCode: 422,
      body: { issues: [{ path: 'DATABASE_URL_FILE' }, { path: 'heartbeat' }] },
    })
  })
})

test('20 reloads fail no request, and one in flight ends with the mapping that it began with', async () => {
  const original = readFileSync(mappingFile, 'utf8')
  renameStatus()
  const renamed = readFileSync(mappingFile, 'utf8')
  writeFileSync(mappingFile, original)
  const statuses = new Set<number>()
  const words = new Set<string>()
  let isOn = true
  const call = async (): Promise<void> => {
    while (isOn) {
      const { status, body } = await client.get('registrations', { limit: 5 })
      statuses.add(status)
      const shown = body.data.map((view) => (['YES', 'NO'].includes(String(view['status'])) ? 'new' : 'old'))
      words.add([...new Set(shown)].join())
    }
  }
  const calls = [call(), call()]
  for (let at = 0; at < 20; at += 1) {
    writeFileSync(mappingFile, at % 2 === 0 ? renamed : original)
    expect((await service.reload()).status).toBe('loaded')
  }
  isOn = false
  await Promise.all(calls)
  expect(statuses).toEqual(new Set([200]))
  expect(words).toEqual(new Set(['old', 'new']))
})

import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { ClientOptions } from '../../src/client/index.js'
import { json, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

/** A client of a server that responds with these scripts. */
async function connect(options: Partial<ClientOptions>, ...scripts: readonly Script[]) {
  const server = await startScript(...scripts)
  return { ...server, client: createClient({ url: server.url, key: 'k', ...options }) }
}

const record = json({ id: 'a' })

describe('the headers of a request', () => {
  test('are those of the client, then of the call', async () => {
    const options = { headers: { 'X-Gateway': 'g', 'X-Team': 't' }, appInfo: { name: 'crm', version: '2' } }
    const { client, headers } = await connect(options, record)
    await client.invoices.get('a', { headers: { 'x-team': 'other', 'x-request-id': 'mine' } })
    await client.invoices.get('a')
    const common = {
      accept: 'application/json',
      authorization: 'Bearer k',
      'x-gateway': 'g',
      'user-agent': expect.stringMatching(/^vitrine-client\/\S+ Node\.js\/[\d.]+ crm\/2$/) as unknown,
    }
    expect(headers[0]).toMatchObject({ ...common, 'x-team': 'other', 'x-request-id': 'mine' })
    expect(headers[1]).toMatchObject({ ...common, 'x-team': 't' })
    expect(headers[1]).not.toHaveProperty('x-request-id')
  })

  test('are sent with every page', async () => {
    const { client, headers } = await connect({}, page(['a'], 'c'), page(['b'], null))
    await client.invoices.list({ headers: { 'x-job': '7' } }).toArray({ max: 2 })
    await client.sync('invoices', { headers: { 'x-job': '7' }, onPage: () => undefined })
    expect(headers.map((one) => one['x-job'])).toEqual(['7', '7', '7'])
  })

  test('can be spread by a custom fetch that adds its own', async () => {
    const add: typeof fetch = (input, init) => {
      const headers = { ...(init?.headers as Record<string, string>), 'x-own': '1' }
      return fetch(input, { ...init, headers })
    }
    const { client, headers } = await connect({ fetch: add }, record)
    await client.invoices.get('a')
    expect(headers[0]).toMatchObject({ authorization: 'Bearer k', 'x-own': '1' })
  })
})

describe('an option of a call replaces that of the client', () => {
  test('retries', async () => {
    const { client, requests } = await connect({ retries: 5 }, problem('overloaded', 503))
    await expect(client.invoices.get('a', { retries: 0 })).rejects.toMatchObject({ code: 'overloaded' })
    await expect(client.invoices.list({ retries: 0 }).firstPage()).rejects.toMatchObject({ status: 503 })
    expect(requests).toHaveLength(2)
  })

  test('timeoutMs', async () => {
    const { client } = await connect({ retries: 0 }, () => undefined)
    const text = 'No complete response within 1 ms.'
    await expect(client.invoices.get('a', { timeoutMs: 1 })).rejects.toMatchObject({ detail: text })
    await expect(client.sync('invoices', { timeoutMs: 1, onPage: () => undefined })).rejects.toMatchObject({
      code: 'timeout',
    })
  })

  test.each([{ retries: -1 }, { timeoutMs: Number.NaN }])(
    '%j is a TypeError, and no request',
    async (wrong) => {
      const { client, requests } = await connect({}, record)
      await expect(client.invoices.get('a', wrong)).rejects.toThrow(TypeError)
      expect(requests).toEqual([])
    },
  )
})

test('an id that is no text and an invalid Date are a TypeError, and no request', async () => {
  const { client, requests } = await connect({}, record)
  for (const id of [undefined, null, {}, 7, ''])
    await expect(client.invoices.get(id as never)).rejects.toThrow(TypeError)
  const invalid = new Date('x')
  await expect(client.invoices.list({ updatedSince: invalid }).firstPage()).rejects.toThrow(TypeError)
  const since = { since: invalid, onPage: () => undefined }
  await expect(client.sync('invoices', since)).rejects.toThrow(TypeError)
  expect(requests).toEqual([])
})

test.each<[unknown, string]>([
  [{ eventId: {} }, 'The option eventId must be text'],
  [{ status: ['PAID', 'VOID'] }, 'The option status must be text'],
  [{ updatedSince: 5 }, 'The option updatedSince must be text'],
  [{ cursor: 5 }, 'The option cursor must be text'],
  [{ pageSize: 'x' }, 'The option pageSize must be a whole number'],
  [null, 'list takes its options as an object'],
])('a list of %j is a TypeError that names the option, and no request', async (options, text) => {
  const { client, requests } = await connect({}, record)
  const read = async () => client.invoices.list(options as never).firstPage()
  await expect(read()).rejects.toThrow(new TypeError(text))
  await expect(client.sync('invoices', {} as never)).rejects.toThrow(/sync needs onPage/)
  expect(requests).toEqual([])
})

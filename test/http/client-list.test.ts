import { describe, expect, expectTypeOf, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { Client, Fetched, Invoice, NotModified } from '../../src/client/index.js'
import { json, notModified, page, startScript } from '../support/scripted-server.js'
import type { Script, ScriptedServer } from '../support/scripted-server.js'

async function connect(...scripts: readonly Script[]): Promise<ScriptedServer & { readonly client: Client }> {
  const server = await startScript(...scripts)
  return { ...server, client: createClient({ url: server.url, key: 'k' }) }
}

describe('a list', () => {
  test('sends no request before it is read, and can be read again', async () => {
    const { client, requests } = await connect(page(['a'], null))
    const list = client.invoices.list()
    expect(requests).toEqual([])
    for (const _ of [1, 2]) expect(await list.toArray({ max: 1 })).toEqual([{ id: 'a' }])
    expect(requests).toHaveLength(2)
  })

  test('has a first page, which is one request', async () => {
    const { client, requests } = await connect(page(['a', 'b'], 'c', 'N'))
    const first = await client.invoices.list({ status: 'PAID', pageSize: 2 }).firstPage()
    expect(first).toEqual({ data: [{ id: 'a' }, { id: 'b' }], cursor: 'c', nextUpdatedSince: 'N', epoch: 0 })
    expect(requests.map(([path]) => path)).toEqual(['/api/public/v1/invoices?limit=2&status=PAID'])
  })

  test('has pages, as the collection has', async () => {
    const { client } = await connect(page(['a'], 'c'), page(['b'], null))
    const sizes: number[] = []
    for await (const { data } of client.invoices.list().pages()) sizes.push(data.length)
    expect(sizes).toEqual([1, 1])
  })
})

describe('toArray', () => {
  test.each([2, 3, Infinity])('returns all records of a list that has no more than max: %d', async (max) => {
    const { client } = await connect(page(['a'], 'c1'), page([], 'c2'), page(['b'], null))
    expect(await client.invoices.list().toArray({ max })).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  test('is a RangeError for a longer list, and reads no further page', async () => {
    const { client, requests } = await connect(page(['a', 'b'], 'c1'), page(['c'], 'c2'), page(['d'], null))
    await expect(client.invoices.list().toArray({ max: 2 })).rejects.toThrow(
      new RangeError('The list has more than 2 records; raise max, or read it in a loop'),
    )
    expect(requests).toHaveLength(2)
  })

  test.each([undefined, -1, Number.NaN])('needs max: %j is a TypeError, and no request', async (max) => {
    const { client, requests } = await connect(page(['a'], null))
    await expect(client.invoices.list().toArray({ max: max as number })).rejects.toThrow(TypeError)
    expect(requests).toEqual([])
  })
})

describe('ifNoneMatch', () => {
  test('makes a record notModified if the service answers 304, and a record otherwise', async () => {
    const { client, headers } = await connect(notModified, json({ id: 'a' }, 200, { etag: 'W/"2"' }))
    const unchanged = await client.invoices.get('a', { ifNoneMatch: 'W/"1"' })
    expect(unchanged).toMatchObject({ notModified: true, lastResponse: { status: 304, requestId: 'r-304' } })
    const changed = await client.invoices.get('a', { ifNoneMatch: 'W/"1"' })
    expect(changed.notModified).toBeUndefined()
    expect(changed).toMatchObject({ id: 'a', lastResponse: { etag: 'W/"2"' } })
    expect(headers.map((one) => one['if-none-match'])).toEqual(['W/"1"', 'W/"1"'])
  })

  test('makes a first page notModified, and is not sent with the other pages', async () => {
    const { client, headers } = await connect(notModified, page(['a'], null))
    const list = client.invoices.list()
    expect(await list.firstPage({ ifNoneMatch: 'W/"1"' })).toMatchObject({ notModified: true })
    expect(await list.firstPage({ ifNoneMatch: 'W/"0"' })).toMatchObject({ data: [{ id: 'a' }] })
    await list.toArray({ max: 1 })
    expect(headers.map((one) => one['if-none-match'])).toEqual(['W/"1"', 'W/"0"', undefined])
  })

  test('is not sent if it is null, as a stored tag can be', async () => {
    const { client, headers } = await connect(json({ id: 'a' }))
    await client.invoices.get('a', { ifNoneMatch: null })
    expect(headers[0]).not.toHaveProperty('if-none-match')
  })

  test('is needed: 304 without it is an error', async () => {
    const { client } = await connect(notModified)
    await expect(client.invoices.get('a')).rejects.toMatchObject({ code: 'unexpected_answer', status: 304 })
  })

  test('changes the type of the result', () => {
    expectTypeOf<Fetched<Invoice> | NotModified>().not.toHaveProperty('number')
    const use = async ({ invoices }: Client, etag: string | null): Promise<void> => {
      expectTypeOf(await invoices.get('a')).toEqualTypeOf<Fetched<Invoice>>()
      expectTypeOf(await invoices.get('a', { retries: 1 })).toEqualTypeOf<Fetched<Invoice>>()
      const result = await invoices.get('a', { ifNoneMatch: etag })
      expectTypeOf(result).toEqualTypeOf<Fetched<Invoice> | NotModified>()
      if (result.notModified) expectTypeOf(result).toEqualTypeOf<NotModified>()
      else expectTypeOf(result.number).toEqualTypeOf<string>()
      const first = await invoices.list().firstPage({ ifNoneMatch: etag })
      if (!first.notModified) expectTypeOf(first.data).toEqualTypeOf<readonly Invoice[]>()
    }
    expect(use).toBeTypeOf('function')
  })
})

test('fields of later releases are in the record and in the page', async () => {
  const meta = { cursor: null, nextUpdatedSince: 'N', total: 7 }
  const { client } = await connect(json({ data: [{ id: 'a', novel: [1] }], meta, links: {} }))
  expect(await client.invoices.list().firstPage()).toEqual({
    data: [{ id: 'a', novel: [1] }],
    cursor: null,
    nextUpdatedSince: 'N',
    epoch: 0,
    total: 7,
  })
})

import { describe, expect, test } from 'vitest'
import { productNames } from '../product/index.js'
import { products } from '../product/products.js'
import { listCollections, listExpected } from '../support/expected.js'
import { askPlainSql, plainSql } from '../support/plain-sql.js'
import { useServedProduct } from '../support/served-product.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

describe.each(productNames)('the %s product', (name) => {
  const { listsStatuses, singleTenant } = products[name]
  const served = useServedProduct(throwaway, name)

  describe.each(listCollections(name))('%s', (collection) => {
    const hasEvents = (): boolean =>
      listExpected(served.database, collection).some(({ event }) => event !== null)

    test.each([1, 7, 100])('a crawl by %i shows every record once, exactly and in order', async (limit) => {
      const expected = listExpected(served.database, collection).map(({ view }) => view)
      expect(expected.length).toBeGreaterThan(50)
      expect(await served.client.crawl(collection, { limit })).toEqual(expected)
    })

    test('the fields are those of the contract, in its order', async () => {
      const { body } = await served.client.get(collection, { limit: 50 })
      const expected = listExpected(served.database, collection)[0]!.view
      expect(Object.keys(body.data[0]!)).toEqual(Object.keys(expected))
    })

    test('a key sees its own workspace only', async () => {
      const expected = listExpected(served.database, collection, 1).map(({ view }) => view)
      expect(expected.length).toBeGreaterThan(10)
      expect(await served.other.crawl(collection)).toEqual(expected)
    })

    test.skipIf(plainSql[name] === undefined)('a full crawl is what plain SQL says', async () => {
      for (const [workspace, caller] of [served.client, served.other].entries()) {
        const { records, pick } = await askPlainSql(served.database, collection, workspace)
        expect(records.length).toBeGreaterThan(20)
        expect((await caller.crawl(collection, { limit: 40 })).map(pick)).toEqual(records)
      }
    })

    test('eventId shows just the records of that event, page by page', async () => {
      const event = served.database.product.eventId(2)
      const expected = listExpected(served.database, collection).filter((one) => one.event === 2)
      if (hasEvents()) expect(expected.length).toBeGreaterThan(5)
      expect(await served.client.crawl(collection, { eventId: event, limit: 3 })).toEqual(
        expected.map(({ view }) => view),
      )
    })

    test('status shows just the records of that very status, though the collation takes others for it', async () => {
      const all = listExpected(served.database, collection).map(({ view }) => view)
      const statuses = [...new Set(all.map((view) => String(view['status'])))]
      expect(statuses.length).toBeGreaterThan(2)
      for (const status of statuses) {
        const expected = all.filter((view) => view['status'] === status)
        expect(await served.client.crawl(collection, { status, limit: 9 })).toEqual(expected)
      }
    })

    test('all filters together show what meets them all', async () => {
      const all = listExpected(served.database, collection)
      const wanted = all.filter(({ event }) => event === (hasEvents() ? 1 : null))[0]!
      const status = String(wanted.view['status'])
      const updatedSince = String(all[Math.floor(all.length / 3)]!.view['updatedAt'])
      const expected = all.filter(
        ({ event, view }) =>
          event === wanted.event && view['status'] === status && String(view['updatedAt']) >= updatedSince,
      )
      expect(expected.length).toBeGreaterThan(1)
      const events = hasEvents() ? { eventId: served.database.product.eventId(1) } : {}
      expect(await served.client.crawl(collection, { ...events, status, updatedSince, limit: 2 })).toEqual(
        expected.map(({ view }) => view),
      )
    })

    test('updatedSince is inclusive and exact to the stored digits', async () => {
      const all = listExpected(served.database, collection)
      const step = 10 ** (6 - served.database.product.fractionDigits[collection])
      const stored = (at: number): number => Math.floor(all[at]!.truth.updatedAt / step) * step
      for (const at of [0, 1, 17, all.length - 1]) {
        const time = stored(at)
        const seconds = new Date(Math.floor(time / 1_000_000) * 1000).toISOString().slice(0, 19)
        const at0 = `${seconds}.${String(time % 1_000_000).padStart(6, '0')}`
        const from = all.findIndex((_, other) => stored(other) >= time)
        const after = all.filter((_, other) => stored(other) > time).length
        expect(await served.client.crawl(collection, { updatedSince: `${at0}Z`, limit: 100 })).toHaveLength(
          all.length - from,
        )
        // One nanosecond later, none of these is there any more.
        expect(
          await served.client.crawl(collection, { updatedSince: `${at0}001Z`, limit: 100 }),
        ).toHaveLength(after)
      }
    })

    test.each(['2999-01-01', '9999-12-31T23:59:59.999999999-23:59'])(
      'nothing changed since %s, and that is no error',
      async (updatedSince) => {
        const { status, body } = await served.client.get(collection, {
          updatedSince: updatedSince.replace('.999999999-23:59', 'Z'),
        })
        expect(status).toBe(200)
        expect(body).toMatchObject({ data: [], meta: { cursor: null } })
        expect(body.meta.nextUpdatedSince).toMatch(/^\d{4}-.*Z$/)
      },
    )

    test('everything changed since the beginning of time', async () => {
      const all = listExpected(served.database, collection)
      expect(await served.client.crawl(collection, { updatedSince: '0000-01-01', limit: 100 })).toHaveLength(
        all.length,
      )
    })

    test.each(['no such', "' or 1=1 -- ", 'CONFIRMED ', '😀', 'é', '\u0000', '%', '1abc', '0x31'])(
      'a filter that is %j matches nothing, and is no error',
      async (value) => {
        const event = await served.client.get(collection, { eventId: value })
        expect([event.status, event.body.data]).toEqual([200, []])
        const status = await served.client.get(collection, { status: value })
        // A mapping that lists its statuses refuses all others.
        if (listsStatuses.includes(collection)) expect(status.body.code).toBe('invalid_parameter')
        else expect([status.status, status.body.data]).toEqual([200, []])
      },
    )

    test('every record is found by its id, and shown as in the list', async () => {
      for (const { view } of listExpected(served.database, collection).slice(0, 40)) {
        const { status, body } = await served.client.get(
          `${collection}/${encodeURIComponent(String(view['id']))}`,
        )
        expect([status, body]).toEqual([200, view])
      }
    })

    test('a text that only resembles an id finds nothing', async () => {
      const id = String(listExpected(served.database, collection)[0]!.view['id'])
      const texts = [
        id.toLowerCase(),
        id.toUpperCase(),
        `${id} `,
        ` ${id}`,
        `0${id}`,
        `${id}.0`,
        `${id}e0`,
        `${id}abc`,
        `+${id}`,
        id.slice(0, -1),
        '-1',
        '%',
        '0',
        '😀',
        'é',
        '\u0000',
      ]
      const ids = new Set(listExpected(served.database, collection).map(({ view }) => view['id']))
      for (const text of texts.filter((text) => text !== '' && !ids.has(text))) {
        const { status, body } = await served.client.get(`${collection}/${encodeURIComponent(text)}`)
        expect([text, status, body.code]).toEqual([text, 404, 'not_found'])
      }
    })

    test.skipIf(singleTenant)("another workspace's record is answered as one that never was", async () => {
      const foreign = listExpected(served.database, collection, 1)[0]!.view
      const [theirs, none] = [
        await served.client.get(`${collection}/${String(foreign['id'])}`),
        await served.client.get(`${collection}/none`),
      ]
      const { requestId: _, ...first } = theirs.body as never as Record<string, unknown>
      const { requestId: __, ...second } = none.body as never as Record<string, unknown>
      expect(first).toEqual(second)
      expect((await served.other.get(`${collection}/${String(foreign['id'])}`)).status).toBe(200)
    })
  })
})

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CrawlState } from '../../../src/collections/cursor.js'
import { decodeCursor, encodeCursor, toOrder } from '../../../src/collections/cursor.js'
import type { CursorScope } from '../../../src/collections/cursor.js'
import type { Instant } from '../../../src/values/instant.js'
import { resolveProduct } from '../../support/plain-mapping.js'

const scope: CursorScope = { collection: 'invoices', workspaceId: 'W1' }
const state: CrawlState = {
  filters: { updatedSince: { seconds: 1_772_357_400, micros: 123_456 }, eventId: 'E1', status: 'bezahlt ✓' },
  startedAt: { seconds: 1_772_400_000, micros: 7 },
  position: { updatedAt: '2026-03-01 09:30:00.123', id: '01JNC8' },
}
const cursor = encodeCursor(state, state.position, scope)

const instants: fc.Arbitrary<Instant> = fc.record({
  seconds: fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }),
  micros: fc.integer({ min: 0, max: 999_999 }),
})
const texts = fc.string({ unit: 'binary' })
const storedTimes = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([date, digits]) => {
    const iso = date.toISOString()
    return `${iso.slice(0, 10)} ${iso.slice(11, digits === 0 ? 19 : 20 + digits)}`
  })
const states: fc.Arbitrary<CrawlState> = fc.record({
  filters: fc.record({
    updatedSince: fc.option(instants, { nil: undefined }),
    eventId: fc.option(texts, { nil: undefined }),
    status: fc.option(texts, { nil: undefined }),
  }),
  startedAt: instants.filter(({ seconds }) => seconds >= 0),
  oldestOpen: fc.option(
    instants.filter(({ seconds }) => seconds >= 0),
    { nil: undefined },
  ),
  position: fc.record({
    updatedAt: fc.oneof(storedTimes, fc.constantFrom(null, '0000-00-00 00:00:00', '2026-00-00 00:00:00')),
    id: texts,
    order: fc.option(fc.stringMatching(/^[ \t\r\n]{12}$/), { nil: undefined }),
  }),
})
const scopes: fc.Arbitrary<CursorScope> = fc.record({
  collection: fc.constantFrom('registrations', 'invoices'),
  workspaceId: texts,
})

/** A cursor over any JSON, with the right checksum: what someone who knows the format could make. */
function forge(json: string): string {
  const bytes = Buffer.from(json)
  const checksum = createHash('sha256')
    .update(JSON.stringify([scope.collection, scope.workspaceId]))
    .update(bytes)
    .digest()
    .subarray(0, 12)
  return Buffer.concat([checksum, bytes]).toString('base64url')
}

describe('a cursor', () => {
  test('brings back the state of the crawl, whatever its texts hold', () => {
    fc.assert(
      fc.property(states, scopes, (any, anyScope) => {
        expect(decodeCursor(encodeCursor(any, any.position, anyScope), anyScope)).toEqual(any)
      }),
    )
  })

  test('is read by releases before 3.1, whose checksum covers the blanks, and whose JSON ends in front of them', () => {
    const payload =
      '[1,"2026-03-01 09:30:00.123","01JNC8","2026-03-01T21:20:00.000007Z","2026-03-01T09:30:00.123456Z","E1","bezahlt ✓"]'
    expect(cursor).toBe(forge(payload))
    const order = toOrder(resolveProduct('plain').invoices.table)
    expect(order).toMatch(/^[ \t\r\n]{12}$/)
    const sealed = encodeCursor(state, { ...state.position, order }, scope)
    expect(sealed).toBe(forge(payload + order))
    expect(JSON.parse(payload + order)).toEqual(JSON.parse(payload))
  })

  test.each([
    [
      'invoices',
      'W1',
      'nYXA0sZRsZ5KbT2tWzEsIjIwMjYtMDMtMDEgMDk6MzA6MDAuMTIzIiwiMDFKTkM4IiwiMjAyNi0wMy0wMVQyMToyMDowMC4wMDAwMDdaIiwiMjAyNi0wMy0wMVQwOTozMDowMC4xMjM0NTZaIiwiRTEiLCJiZXphaGx0IOKckyJd',
    ],
    [
      'registrations',
      '41',
      'ulZQIy7RNsPG_kguWzEsIjIwMjYtMDMtMDEgMDk6MzA6MDAiLCI5MDA3MTk5MjU0NzQwOTkzIiwiMjAyNi0wMy0wMVQyMToyMDowMC4wMDAwMDdaIixudWxsLG51bGwsbnVsbCwiMjAyNi0wMy0wMVQyMTowMzoyMC41MDAwMDBaIl0',
    ],
    [
      'registrations',
      'a","b',
      'IAZWYsXECvMzAnqEWzEsIi0xIiwiIFwiXFxcdTAwMDDDqfCfmIAiLCIyMDI2LTAzLTAxVDIxOjIwOjAwLjAwMDAwN1oiLG51bGwsbnVsbCxudWxsXQ',
    ],
    [
      'invoices',
      '',
      '0Nzvkq7sw-ubP8KlWzEsbnVsbCxudWxsLCIxOTcwLTAxLTAxVDAwOjAwOjAwLjAwMDAwMFoiLG51bGwsIiIsbnVsbF0',
    ],
    [
      'invoices',
      'W1',
      'QDatodllwSpmfLiQWzEsIjAwMDAtMDAtMDAgMDA6MDA6MDAiLCJ4IiwiMjAyNi0wMy0wMVQyMToyMDowMC4wMDAwMDdaIiwiMDAwMS0wMS0wMVQwMDowMDowMC4wMDAwMDBaIixudWxsLG51bGxd',
    ],
  ])('of 3.0.0 is read as before: %s, %s', (collection, workspaceId, text) => {
    const own = { collection, workspaceId }
    const { position, ...crawl } = decodeCursor(text, own)!
    expect(position.order).toBeUndefined()
    expect(encodeCursor(crawl, position, own)).toBe(text)
  })

  test('of another collection or workspace is refused, whatever its name', () => {
    const own = { collection: 'invoices', workspaceId: 'a","b' }
    const run = { collection: 'invoices","a', workspaceId: 'b' }
    expect(decodeCursor(encodeCursor(state, state.position, own), run)).toBeUndefined()
    fc.assert(
      fc.property(states, scopes, scopes, (any, own, other) => {
        fc.pre(own.collection !== other.collection || own.workspaceId !== other.workspaceId)
        expect(decodeCursor(encodeCursor(any, any.position, own), other)).toBeUndefined()
      }),
    )
  })
})

describe('a cursor that came back otherwise is refused', () => {
  const alphabet = Array.from(
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n%é\u0000',
  )

  test('with any one character changed or added, padding among them', () => {
    for (let at = 0; at <= cursor.length; at += 1)
      for (const character of alphabet)
        for (const rest of [at, at + 1]) {
          const other = cursor.slice(0, at) + character + cursor.slice(rest)
          if (other !== cursor) expect(decodeCursor(other, scope)).toBeUndefined()
        }
  })

  test('replaced by any other text', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.base64String(), fc.json()), (text) => {
        expect(decodeCursor(text, scope)).toBeUndefined()
      }),
    )
  })
})

describe('a made-up cursor with the right checksum is refused', () => {
  const started = '2026-03-01T21:20:00.000007Z'

  test('unless it has the shape of a crawl', () => {
    expect(decodeCursor(forge(JSON.stringify([1, null, 'id', started, null, null, null])), scope)).toEqual({
      filters: { updatedSince: undefined, eventId: undefined, status: undefined },
      startedAt: { seconds: 1_772_400_000, micros: 7 },
      position: { updatedAt: null, id: 'id' },
    })
  })

  test.each<[what: string, json: string]>([
    ['another version', `[2,null,"id","${started}",null,null,null]`],
    ['a time that no column gives', `[1,"' or 1=1 --","id","${started}",null,null,null]`],
    ['an hour that does not exist', `[1,"2026-03-01 24:00:00","id","${started}",null,null,null]`],
    ['an id that is no text', `[1,null,5,"${started}",null,null,null]`],
    ['no start', '[1,null,"id",null,null,null,null]'],
    ['a start that is no instant', '[1,null,"id","yesterday",null,null,null]'],
    ['a start before there were cursors', '[1,null,"id","1969-12-31T23:59:59.999999Z",null,null,null]'],
    ['an updatedSince that is none', `[1,null,"id","${started}","2026-02-30T00:00:00.000000Z",null,null]`],
    ['a filter that is no text', `[1,null,"id","${started}",null,{"$ne":null},null]`],
    ['too few parts', `[1,null,"id","${started}",null,null]`],
    ['too many parts', `[1,null,"id","${started}",null,null,null,null]`],
    ['no list', '{"version":1}'],
    ['no JSON', '[1,'],
    ['nothing', ''],
  ])('for %s', (_what, json) => {
    expect(decodeCursor(forge(json), scope)).toBeUndefined()
  })
})

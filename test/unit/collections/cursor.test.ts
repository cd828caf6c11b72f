import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { CrawlState } from '../../../src/collections/cursor.js'
import { decodeCursor, encodeCursor, toOrder } from '../../../src/collections/cursor.js'
import type { CursorScope } from '../../../src/collections/cursor.js'
import type { Instant } from '../../../src/values/instant.js'
import { resolveProduct } from '../../support/plain-mapping.js'

const cases = parse(readFileSync('test/unit/collections/cursor.yaml', 'utf8')) as {
  readonly earlier: [collection: string, workspaceId: string, text: string][]
  readonly madeUp: Record<string, string>
}
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

/** Texts of the longest id, event or status, of characters that need most in JSON among others. */
const characters = ['\u0001', '\u001f', '\n', '\\', '"', 'u0001', '€', '😀']
const ofLength = (most: number): fc.Arbitrary<string> =>
  fc
    .oneof(fc.constantFrom(...characters), fc.string({ unit: fc.constantFrom(...characters) }))
    .map((text) => text.repeat(most).slice(0, most))
const long = fc
  .tuple(states, ofLength(2002), ofLength(200), ofLength(200))
  .map(([any, id, eventId, status]): CrawlState => {
    const position = { ...any.position, id: Array.from(id).slice(0, 1001).join('') }
    return { ...any, filters: { ...any.filters, eventId, status }, position }
  })

describe('a cursor', () => {
  test('restores the state of the crawl, whatever its texts hold, and fits into a URL', () => {
    fc.assert(
      fc.property(fc.oneof(states, long), scopes, (any, anyScope) => {
        const text = encodeCursor(any, any.position, anyScope)
        expect(text.length).toBeLessThan(7500)
        expect(decodeCursor(text, anyScope)).toEqual(any)
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

  test.each(cases.earlier)('of 3.0.0 is read as before: %s, %s', (collection, workspaceId, text) => {
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

  test.each(Object.entries(cases.madeUp))('for %s', (_what, json) => {
    expect(decodeCursor(forge(json.replace('@', started)), scope)).toBeUndefined()
  })
})

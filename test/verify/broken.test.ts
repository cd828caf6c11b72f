import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { guarantees } from '../../src/tools/verify/verify.js'
import { createSend } from '../../src/tools/verify/send.js'
import type { RawAnswer, RawRequest, Send } from '../../src/tools/verify/send.js'
import { keys } from '../product/index.js'
import { useThrowaway } from '../support/service.js'
import { findingsOf, listen, listOf, run } from '../support/verifying.js'
import { askService, breakService, rememberAnswers } from './broken-service.js'
import { breaks } from './breaks/index.js'
import { field, headers, pages, records, succeeded } from './change.js'

/*
 * The answers of a real service are changed so that one guarantee is broken at a time: `verify` must find and name it.
 * Each break is verified by the guarantee that must find it, and by those whose requests it looks at. The service is
 * asked the same only once.
 */

const throwaway = useThrowaway()
let origin: string
let service: ReturnType<typeof askService>
beforeAll(async () => {
  origin = await listen(await throwaway.createProduct('plain', { registrations: 260 }))
  service = rememberAnswers(askService(createSend(60_000), origin))
})
afterEach(() => vi.useRealTimers())

/** Time passes at once. */
const pass = (ms: number): Promise<unknown> => {
  const now = Date.now() + ms
  vi.useFakeTimers({ toFake: ['Date'], now })
  return Promise.resolve()
}

const allKeys = {
  key: keys.both,
  otherKey: keys.other,
  scopedKey: keys.registrations,
  revokedKey: keys.revoked,
}

/** The guarantees whose answers one looks at beside its own; `anyRequests` for all others. */
const requestsOf: Readonly<Record<string, readonly string[]>> = {
  'crawls-agree': ['updated-since'],
  'no-repeats': ['crawls-agree'],
  order: ['updated-since'],
  'next-link': ['updated-since'],
  'next-updated-since': ['crawls-agree'],
  gateway: ['not-found', 'filter-exact', 'updated-since'],
}
const anyRequests = ['single-record', 'not-found', 'not-modified', 'filter-event']

function withRequests(guarantee: string): readonly string[] {
  return [guarantee, ...(requestsOf[guarantee] ?? anyRequests)]
}

test('every guarantee holds where nothing is broken', async () => {
  const report = await run(origin, { keys: allKeys, maxRequests: 600 })
  expect(findingsOf(report)).toEqual([])
  expect(listOf(report, 'held')).toEqual(guarantees.map(([name]) => name))
})

test.each(breaks)('%s is broken where %s', async (guarantee, _, change) => {
  const send = breakService(service, change)
  const report = await run(origin, { keys: allKeys, send, only: withRequests(guarantee), wait: pass })
  const found = report.guarantees.find(({ name }) => name === guarantee)
  expect([report.ok, found?.outcome]).toEqual([false, 'broken'])
  const text = JSON.stringify(report)
  for (const secret of Object.values(keys)) expect(text).not.toContain(secret)
  for (const { request, got, expected } of found?.findings ?? []) {
    expect(request).toMatch(/^curl -sS -i .*'http:\/\/127\.0\.0\.1:\d+\//)
    expect([got, expected]).not.toContain('')
    expect(got).not.toBe(expected)
  }
})

/** The service, with this answer to some requests instead. */
function replaceWhere(isReplaced: (asked: RawRequest) => boolean, answer: () => Promise<RawAnswer>): Send {
  const send = breakService(service, (_, forward) => forward())
  return (asked) => (isReplaced(asked) ? answer() : send(asked))
}

const refuse = (): Promise<RawAnswer> =>
  Promise.resolve({ status: 0, headers: {}, body: Buffer.alloc(0), failure: 'connections are refused' })
const beUnavailable = (): Promise<RawAnswer> =>
  Promise.resolve({ status: 503, headers: { 'retry-after': '1' }, body: Buffer.alloc(0) })

test.each([
  ['refuses connections', refuse, 'the service stopped answering: connections are refused'],
  ['is not available', beUnavailable, 'the service stopped answering: the service answers 503'],
])('a service that %s after 100 requests breaks one guarantee, and the run ends', async (_, end, got) => {
  let sent = 0
  const send = replaceWhere(() => (sent += 1) > 100, end)
  const report = await run(origin, { keys: allKeys, send, maxRequests: 600, wait: pass })
  const lost = findingsOf(report).filter((one) => one.expected === 'an answer')
  expect(lost.map((one) => one.got)).toEqual([got])
  expect(lost[0]?.request).toMatch(/^curl /)
  expect(report.ok).toBe(false)
  expect(report.requests).toBeLessThan(120)
})

test('filters that take too long end no run', async () => {
  const send = replaceWhere(({ target }) => /[?&](?:eventId|status)=/.test(target), beUnavailable)
  const report = await run(origin, { keys: allKeys, send, maxRequests: 600, wait: pass })
  expect(findingsOf(report).filter(({ expected }) => expected === 'an answer')).toEqual([])
  expect(listOf(report, 'held')).toContain('single-record')
  expect(listOf(report, 'skipped')).toContain('filter-status')
})

test.each([
  // The sample of registrations is read by then, and its records one by one are not.
  ['once', (sent: number) => (sent > 8 ? 'later' : 'before'), []],
  ['all the time', String, ['registrations: its records changed in each of 3 attempts']],
])('records that change %s break nothing', async (_, toName, reasons) => {
  let sent = 0
  const moving = field('registrations', 'name', () => toName(sent))
  const send = breakService(service, (asked, forward) => {
    sent += 1
    return moving(asked, forward)
  })
  const report = await run(origin, { keys: { key: keys.both }, send, only: ['single-record'] })
  expect([findingsOf(report), listOf(report, 'held')]).toEqual([[], ['single-record']])
  expect(report.guarantees[0]?.reasons).toEqual(reasons)
})

test('nextUpdatedSince that is earlier on a later page, as with a heartbeat, breaks nothing', async () => {
  let ms = Date.now() - 3_600_000
  const earlier = pages((page) => {
    ms -= 1
    return { ...page, meta: { ...page.meta, nextUpdatedSince: new Date(ms).toISOString() } }
  })
  const send = breakService(service, earlier)
  const only = withRequests('next-updated-since')
  expect(findingsOf(await run(origin, { keys: allKeys, send, only }))).toEqual([])
})

test('a field that a later release adds is not a finding where the document has it', async () => {
  const more = records('invoices', (one) => ({ ...one, novel: 'x' }))
  const send = breakService(service, (asked, forward) =>
    more(asked, async (differences) => {
      const answer = await forward(differences)
      const text = answer.body.toString().replace('"total":{"pattern"', '"novel":{"type":"string"},$&')
      return asked.target.includes('openapi') ? { ...answer, body: Buffer.from(text) } : answer
    }),
  )
  const report = await run(origin, { keys: { key: keys.both }, send, only: withRequests('fields') })
  expect(findingsOf(report)).toEqual([])
})

test('Link to another address is a warning that names PUBLIC_URL', async () => {
  const moved = headers(succeeded, ({ link }) => ({ link: link?.replaceAll('</', '<https://inner.test/') }))
  const send = breakService(service, moved)
  const only = withRequests('next-link')
  const report = await run(origin, { keys: allKeys, send, only, maxRequests: 600 })
  expect([report.ok, findingsOf(report)]).toEqual([
    true,
    [
      expect.objectContaining({
        severity: 'warning',
        got: 'Link to https://inner.test',
        expected: `${origin}: PUBLIC_URL is the address that callers use`,
      }),
    ],
  ])
})

test('every guarantee has a break that it finds', () => {
  const named = new Set(breaks.map(([guarantee]) => guarantee))
  expect(guarantees.map(([name]) => name).filter((name) => !named.has(name))).toEqual([])
})

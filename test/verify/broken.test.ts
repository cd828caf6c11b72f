import { beforeAll, describe, expect, test } from 'vitest'
import { guarantees } from '../../src/verify/guarantees.js'
import type { VerifyReport } from '../../src/verify/report.js'
import { verify } from '../../src/verify/verify.js'
import { keys } from '../product/index.js'
import { startService, useThrowaway } from '../support/service.js'
import { changeNothing, startBreakingProxy } from './breaking-proxy.js'
import type { Change } from './breaking-proxy.js'
import { breaks, scopeBreaks } from './breaks/index.js'

/*
 * A proxy before a real service breaks one guarantee at a time: `verify` must find and name it. Each break is verified
 * by the guarantee that must find it, and by those whose requests it looks at; all at once would take many minutes.
 */

const throwaway = useThrowaway()
let origin: string
beforeAll(async () => {
  const database = await throwaway.createProduct('plain', { registrations: 160 })
  const { app } = await startService(database, { env: { RATE_LIMIT_PER_MINUTE: '1000000' } })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})

interface Through {
  readonly change: Change
  readonly key: string
  readonly only: readonly string[]
}

async function verifyThrough({ change, key, only }: Through): Promise<VerifyReport> {
  const proxy = await startBreakingProxy(origin, change)
  try {
    return await verify({
      url: proxy.origin,
      key,
      otherKey: keys.other,
      names: { key: 'VITRINE_KEY', otherKey: 'VITRINE_OTHER_KEY' },
      maxRequests: 500,
      timeoutMs: 60_000,
      userAgent: 'vitrine-test',
      only,
    })
  } finally {
    await proxy.close()
  }
}

const ofPages = ['order', 'no-repeats', 'next-link', 'next-updated-since']
const ofRecords = ['fields', 'field-types', 'timestamps', 'amounts', 'checked-in']

/** A guarantee that looks at all answers of the run needs others that ask for some. */
function withRequests(guarantee: string): readonly string[] {
  if (guarantees.find(({ name }) => name === guarantee)?.isLast !== true) return [guarantee]
  if (ofPages.includes(guarantee)) return [guarantee, 'crawls-agree']
  if (ofRecords.includes(guarantee)) return [guarantee, 'single-record']
  return [guarantee, 'single-record', 'not-found', 'not-modified', 'parameters']
}

/** The findings of a guarantee, each as a person reads it. */
async function findBroken(
  guarantee: string,
  change: Change,
  key: string,
): Promise<VerifyReport['guarantees'][number]['findings']> {
  const report = await verifyThrough({ change, key, only: withRequests(guarantee) })
  const found = report.guarantees.find(({ name }) => name === guarantee)
  expect([report.ok, found?.outcome]).toEqual([false, 'broken'])
  const text = JSON.stringify(report)
  for (const secret of Object.values(keys)) expect(text).not.toContain(secret)
  return found?.findings ?? []
}

describe.each([
  { holder: 'a key with both scopes', key: keys.both, broken: breaks },
  { holder: 'a key without the scope of invoices', key: keys.registrations, broken: scopeBreaks },
])('with $holder', ({ key, broken }) => {
  test('every guarantee that a break names holds where nothing is broken', async () => {
    const only = guarantees.map(({ name }) => name)
    const report = await verifyThrough({ change: changeNothing, key, only })
    expect(report.guarantees.filter(({ outcome }) => outcome === 'broken')).toEqual([])
    const held = report.guarantees.filter(({ outcome }) => outcome === 'held').map(({ name }) => name)
    expect(held).toEqual(expect.arrayContaining(broken.map(({ guarantee }) => guarantee)))
  })

  test.each(broken)('$guarantee is broken where $name', async ({ guarantee, change }) => {
    const findings = await findBroken(guarantee, change(), key)
    expect(findings.length).toBeGreaterThan(0)
    for (const { request, got, expected } of findings) {
      expect(request).toMatch(/^curl -sS -i .*'http:\/\/127\.0\.0\.1:\d+\//)
      expect(got).not.toBe('')
      expect(expected).not.toBe('')
      expect(got).not.toBe(expected)
    }
  })
})

test('every guarantee has a break that it finds', () => {
  const named = new Set([...breaks, ...scopeBreaks].map(({ guarantee }) => guarantee))
  expect(guarantees.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
})

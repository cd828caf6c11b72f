import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createReadiness } from '../../../src/service/readiness.js'
import type { Readiness } from '../../../src/service/readiness.js'
import { databaseUnavailable, overloaded } from '../../../src/database/errors.js'
import type { Row } from '../../../src/database/statement.js'
import { resolvePlain } from '../../support/plain-mapping.js'

/** The limits that a readiness check waits by; they pass when the test says so. */
const limits = vi.hoisted(() => ({ waiting: [] as (() => void)[] }))
vi.mock('node:timers/promises', () => ({
  setTimeout: (_ms: number, value: unknown) =>
    new Promise((resolve) => {
      limits.waiting.push(() => {
        resolve(value)
      })
    }),
}))
beforeEach(() => {
  limits.waiting.length = 0
})

/** Ends the limit that is waited by, once there is one. */
async function passLimit(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  limits.waiting.at(-1)?.()
}

interface Situation {
  readonly issues?: readonly string[]
  readonly findings?: number
  readonly hosts?: readonly (boolean | undefined)[]
  readonly check?: () => Promise<void>
  readonly runQuery?: () => Promise<readonly Row[]>
  readonly ageClock?: () => number
}

const never = <Result>(): Promise<Result> => new Promise<Result>(() => undefined)

function start(situation: Situation = {}): Readiness & { readonly asked: readonly string[] } {
  const asked: string[] = []
  const finding = { severity: 'error', object: 'o', privilege: null, problem: 'p', fix: 'm' } as const
  const readiness = createReadiness({
    audit: { listNew: () => Array.from({ length: situation.findings ?? 0 }, () => finding) },
    schema: {
      check: situation.check ?? (() => Promise.resolve()),
      listIssues: () => situation.issues ?? [],
      requireKeys: () => resolvePlain().apiKeys,
    },
    database: {
      measure: () => ({
        active: 0,
        waiting: 0,
        hosts: (situation.hosts ?? [true]).map((healthy) => ({
          name: 'h',
          active: 0,
          healthy,
          lagSeconds: undefined,
        })),
      }),
    },
    runQuery: ({ sql }) => {
      asked.push(sql)
      return situation.runQuery?.() ?? Promise.resolve([])
    },
    ageClock: situation.ageClock ?? (() => 0),
  })
  return { ...readiness, asked }
}

describe('the reasons against traffic', () => {
  test('are none when the key table can be read and no check found an issue', async () => {
    const { findUnready, asked } = start()
    expect(await findUnready()).toEqual([])
    expect(asked).toEqual(['select `key_hash` from `workspace_api_keys` where 1 = 0'])
  })

  test('are the issues of the schema, and the number of new findings of the audit', async () => {
    expect(await start({ issues: ['invoices: i'], findings: 2 }).findUnready()).toEqual([
      'invoices: i',
      'the audit has 2 new findings; the log lists them',
    ])
  })

  test('include what the comparison of this check found', async () => {
    const issues: string[] = []
    const check = (): Promise<void> => Promise.resolve(void issues.push('invoices: i'))
    expect(await start({ issues, check }).findUnready()).toEqual(['invoices: i'])
  })

  test.each([
    ['the database does not answer', databaseUnavailable(new Error('ECONNREFUSED'))],
    ['too many requests are queued', overloaded()],
  ])('include that %s', async (reason, error) => {
    expect(await start({ runQuery: () => Promise.reject(error) }).findUnready()).toEqual([reason])
  })

  test('name an issue of the key table once, which is then not read', async () => {
    const { findUnready, asked } = start({ issues: ['apiKeys.hash: found nothing'] })
    expect(await findUnready()).toEqual(['apiKeys.hash: found nothing'])
    expect(asked).toEqual([])
  })

  test('include a database that does not answer in time, within the time limit', async () => {
    const unready = start({ runQuery: never }).findUnready()
    await passLimit()
    expect(await unready).toEqual(['the database did not answer within 450 ms'])
  })

  test.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['is delayed by a locked table', never<never>],
  ])('do not include a comparison that %s', async (_, check) => {
    const unready = start({ check }).findUnready()
    await passLimit()
    expect(await unready).toEqual([])
  })
})

describe('the kinds of reasons, for the metrics', () => {
  test.each<[string, Situation, readonly string[]]>([
    ['none', {}, []],
    ['none while one of several hosts answers', { hosts: [false, true] }, []],
    ['none before the first health check', { hosts: [undefined] }, []],
    ['the database while no host answers', { hosts: [false, false] }, ['database']],
    ['the schema', { issues: ['i'] }, ['schema']],
    ['new findings of the audit', { findings: 1 }, ['audit']],
  ])('are %s', (_, situation, kinds) => {
    expect(start(situation).listUnready()).toEqual(kinds)
  })

  test.each([
    ['database', databaseUnavailable(new Error('ECONNREFUSED'))],
    ['overloaded', overloaded()],
  ])('have the %s of the last /readyz for 15 seconds, or until the next one', async (kind, error) => {
    let [now, fails] = [0, true]
    const runQuery = (): Promise<readonly Row[]> => (fails ? Promise.reject(error) : Promise.resolve([]))
    const { findUnready, listUnready } = start({ runQuery, ageClock: () => now })
    await findUnready()
    now = 14_999
    expect(listUnready()).toEqual([kind])
    now = 15_000
    expect(listUnready()).toEqual([])
    await findUnready()
    expect(listUnready()).toEqual([kind])
    fails = false
    await findUnready()
    expect(listUnready()).toEqual([])
  })
})

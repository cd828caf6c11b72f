import { expect, test } from 'vitest'
import type { QueryContext } from '../../../src/database/claim.js'
import type { Row } from '../../../src/database/statement.js'
import { readPage } from '../../../src/http/page.js'
import { planList } from '../../../src/query/list-plan.js'
import type { Instant } from '../../../src/values/instant.js'
import { bindPlain } from '../../support/plain-mapping.js'

/** 2026-03-01T09:30:00.000500Z, by the database's clock. */
const clock = { startedAt: '2026-03-01 09:30:00.000500' }
const now: Instant = { seconds: Date.UTC(2026, 2, 1, 9, 30) / 1000, micros: 500 }

/** A page whose statements get these answers, from data of some time. */
async function read(
  answers: readonly (readonly Row[])[],
  dataTime: Instant | undefined,
  known?: Instant,
): ReturnType<typeof readPage> {
  const left = [...answers]
  const caller = { destroyed: false }
  const claims: (QueryContext | undefined)[] = []
  const page = await readPage({
    workspaceId: 'W1',
    plan: planList(bindPlain().invoices.table, 'W1', {
      limit: 25,
      filters: { updatedSince: undefined, eventId: undefined, status: undefined },
      crawl: undefined,
    }),
    startedAt: known,
    runQuery: (_, claim) => {
      claims.push(claim)
      return Promise.resolve(left.shift()!)
    },
    findDataTime: () => dataTime,
    caller,
  })
  expect(left).toEqual([])
  for (const claim of claims) expect(claim).toMatchObject({ caller, workspaceId: 'W1' })
  return page
}

/** When a crawl counts as begun whose page comes from data of some time. */
const readStart = async (...input: Parameters<typeof read>): Promise<Instant> =>
  (await read(...input)).startedAt

test('rows that were committed between an empty look and the clock are part of the first page', async () => {
  expect(await read([[], [clock], [clock]], undefined)).toEqual({ rows: [clock], startedAt: now })
})

test('a crawl begins when its first page is read, by the clock of the rows or of a statement of its own', async () => {
  expect(await readStart([[clock]], undefined)).toEqual(now)
  expect(await readStart([[], [clock], []], undefined)).toEqual(now)
})

test('a crawl over data that are too old counts as begun when they end', async () => {
  const earlier = { seconds: now.seconds - 600, micros: 900_000 }
  expect(await readStart([[clock]], earlier)).toEqual(earlier)
  expect(await readStart([[], [clock], []], earlier)).toEqual(earlier)
  expect(await readStart([[clock]], { ...now, micros: 499 })).toEqual({ ...now, micros: 499 })
})

test('so does one whose later page comes from such data, and from then on', async () => {
  const earlier = { seconds: now.seconds - 600, micros: 0 }
  expect(await readStart([[]], earlier, now)).toEqual(earlier)
  expect(await readStart([[]], undefined, earlier)).toEqual(earlier)
  expect(await readStart([[]], now, earlier)).toEqual(earlier)
})

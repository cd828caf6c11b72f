import { describe } from '../exchange.js'
import type { Call } from '../exchange.js'
import { askPage } from '../pages.js'
import { defineGuarantee, forEachSample, LackError, listReadable } from '../run.js'
import type { Check, Guarantee, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'
import { forBothKeys } from './isolation.js'
import { expectProblem } from './problems.js'

/** The filters of a cursor go on without being sent; sent along, they must be the same. */
const checkCursorFilters = forEachSample(async (sample, run, verdict) => {
  const { path } = sample.collection
  const { status, cursor } = await findFilteredPage(run, sample)
  const { exchange, records } = await askPage(run.caller, { path, query: { cursor, limit: 100 } })
  const stranger = records.find((record) => record['status'] !== status)
  const got = `a record with status ${JSON.stringify(stranger?.['status'])}`
  const expected = `only ${JSON.stringify(status)}, the filter of the crawl`
  verdict.expect(stranger === undefined, { exchange, got, expected })
  const same = await run.caller.ask({ path, query: { cursor, status, limit: 1 } })
  const equal = '200: the filter equals the one of the cursor'
  verdict.expect(same.status === 200, { exchange: same, got: describe(same), expected: equal })
  for (const [parameter, value] of [
    ['eventId', 'verify-other-event'],
    ['updatedSince', '2001-02-03T04:05:06Z'],
  ] as const) {
    const other = await run.caller.ask({ path, query: { cursor, [parameter]: value } })
    expectProblem(verdict, other, `cursor_mismatch ${parameter}`)
  }
})

/** @throws LackError */
async function findFilteredPage(
  { caller }: Run,
  { records, collection: { path } }: Sample,
): Promise<{ readonly status: string; readonly cursor: string }> {
  const statuses = new Set(records.flatMap(({ status }) => (typeof status === 'string' ? [status] : [])))
  for (const status of [...statuses].slice(0, 3)) {
    const { cursor } = await askPage(caller, { path, query: { status, limit: 1 } })
    if (cursor !== null) return { status, cursor }
  }
  throw new LackError('no status has two records among the first')
}

/** A cursor of each collection, sent to the other. */
const checkCursorCollection: Check = async (run, verdict) => {
  const readable = listReadable(run)
  if (readable.length < 2) verdict.skip('the key can read only one collection')
  for (const { path } of readable)
    for (const other of readable)
      if (other.path !== path) await expectForeign(run, verdict, { path }, { path: other.path })
}

/** A cursor of each of the two keys, sent with the other one. */
const checkCursorWorkspace = forBothKeys(async ({ collection: { path } }, run, verdict) => {
  const [one, other] = [{ path, from: 'key' } as const, { path, from: 'otherKey' } as const]
  await expectForeign(run, verdict, one, other)
  await expectForeign(run, verdict, other, one)
})

/** The cursor of a list, sent to another one. */
async function expectForeign({ caller }: Run, verdict: Verdict, own: Call, other: Call): Promise<void> {
  const { cursor } = await askPage(caller, { ...own, query: { limit: 1 } })
  if (cursor === null)
    verdict.skip(`${own.path.slice(1)}: fewer than two records, so that there is no cursor`)
  else expectProblem(verdict, await caller.ask({ ...other, query: { cursor } }), 'invalid_cursor cursor')
}

/** What a cursor is bound to. */
export const cursorGuarantees: readonly Guarantee[] = [
  defineGuarantee(
    'cursor-filters',
    'A cursor carries its filters, and other filters with it are refused',
    checkCursorFilters,
  ),
  defineGuarantee('cursor-collection', 'A cursor of another collection is refused', checkCursorCollection),
  defineGuarantee('cursor-workspace', 'A cursor of another workspace is refused', checkCursorWorkspace),
]

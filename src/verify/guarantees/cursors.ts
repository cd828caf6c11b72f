import { describe } from '../exchange.js'
import { askPage } from '../pages.js'
import type { Page } from '../pages.js'
import { defineGuarantee, forEachSample, listReadable } from '../run.js'
import type { Check, Guarantee, Run, Sample } from '../run.js'
import { expectProblem } from './problems.js'

/** The filters of a cursor go on without being sent; sent along, they must be the same. */
const checkCursorFilters = forEachSample(async (sample, run, verdict) => {
  const { path, name } = sample.collection
  const first = await findFilteredPage(run, sample)
  if (first === undefined) {
    verdict.skip(`${name}: no status has two records among the first`)
    return
  }
  const { status, page } = first
  const cursor = page.cursor ?? ''
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

async function findFilteredPage(
  { caller }: Run,
  { records, collection: { path } }: Sample,
): Promise<{ readonly status: string; readonly page: Page } | undefined> {
  const statuses = [...new Set(records.map((record) => record['status']))]
  for (const status of statuses.slice(0, 3)) {
    if (typeof status !== 'string') continue
    const page = await askPage(caller, { path, query: { status, limit: 1 } })
    if (page.cursor !== null) return { status, page }
  }
  return undefined
}

const tooFew = 'fewer than two records, so that there is no cursor'

/** A cursor of each collection, sent to the other. */
const checkCursorCollection: Check = async (run, verdict) => {
  const readable = listReadable(run)
  if (readable.length < 2) verdict.skip('the key can read only one collection')
  for (const { path, name } of readable.length < 2 ? [] : readable) {
    const { cursor } = await askPage(run.caller, { path, query: { limit: 1 } })
    if (cursor === null) verdict.skip(`${name}: ${tooFew}`)
    for (const other of readable)
      if (other.name !== name && cursor !== null)
        expectProblem(
          verdict,
          await run.caller.ask({ path: other.path, query: { cursor } }),
          'invalid_cursor cursor',
        )
  }
}

/** A cursor of each of the two keys, sent with the other one. */
const checkCursorWorkspace: Check = async (run, verdict) => {
  if (run.keys.otherKey === undefined) {
    verdict.skip('it needs --other-key-env')
    return
  }
  for (const { path, name, access } of listReadable(run)) {
    if (access.otherKey !== 'readable') {
      verdict.skip(`${name}: the other key cannot read it`)
      continue
    }
    for (const [from, to] of [
      ['key', 'otherKey'],
      ['otherKey', 'key'],
    ] as const) {
      const { cursor } = await askPage(run.caller, { path, from, query: { limit: 1 } })
      if (cursor === null) {
        verdict.skip(`${name}: one of the workspaces has ${tooFew}`)
        continue
      }
      const exchange = await run.caller.ask({ path, from: to, query: { cursor } })
      expectProblem(verdict, exchange, 'invalid_cursor cursor')
    }
  }
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

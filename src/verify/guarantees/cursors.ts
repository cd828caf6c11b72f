import { describe, isProblem, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { askPage, readId } from '../pages.js'
import type { Page } from '../pages.js'
import { forEachSample, listReadable } from '../run.js'
import type { Check, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'

/** The cursor of the first page; undefined if there is only one record. */
async function findCursor({ caller }: Run, { collection }: Sample): Promise<string | undefined> {
  const { cursor } = await askPage(caller, { path: collection.path, query: { limit: 1 } })
  return cursor ?? undefined
}

const tooFew = 'fewer than two records, so that there is no cursor'

/** The filters of a cursor go on without being sent; sent along, they must be the same. */
export const checkCursorFilters = forEachSample(async (sample, run, verdict) => {
  const { path, name } = sample.collection
  const first = await findFilteredPage(run, sample)
  if (first === undefined) {
    verdict.skip(`${name}: no status has two records among the first`)
    return
  }
  const { status, page } = first
  const cursor = page.cursor ?? ''
  const alone = await askPage(run.caller, { path, query: { cursor, limit: 100 } })
  const stranger = alone.records.find((record) => record['status'] !== status)
  verdict.expect(stranger === undefined, {
    exchange: alone.exchange,
    got: `a record with status ${JSON.stringify(stranger?.['status'])}`,
    expected: `only ${JSON.stringify(status)}, the filter of the crawl`,
  })
  const same = await run.caller.ask({ path, query: { cursor, status, limit: 1 } })
  verdict.expect(same.status === 200, {
    exchange: same,
    got: describe(same),
    expected: '200: the filter equals the one of the cursor',
  })
  for (const [parameter, value] of [
    ['eventId', 'verify-other-event'],
    ['updatedSince', '2001-02-03T04:05:06Z'],
  ] as const) {
    const exchange = await run.caller.ask({ path, query: { cursor, [parameter]: value } })
    expectRefused(verdict, exchange, 'cursor_mismatch', parameter)
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

/** A cursor of each collection, sent to the other. */
export const checkCursorCollection: Check = async (run, verdict) => {
  const readable = listReadable(run)
  if (readable.length < 2) {
    verdict.skip('the key can read only one collection')
    return
  }
  await forEachSample(async (sample, { caller }) => {
    const cursor = await findCursor(run, sample)
    if (cursor === undefined) verdict.skip(`${sample.collection.name}: ${tooFew}`)
    for (const { path, name } of readable)
      if (name !== sample.collection.name && cursor !== undefined)
        expectRefused(verdict, await caller.ask({ path, query: { cursor } }), 'invalid_cursor', 'cursor')
  })(run, verdict)
}

/** One character other, too many or too few, and texts that were never a cursor. */
export const checkCursorAltered = forEachSample(async (sample, run, verdict) => {
  const cursor = await findCursor(run, sample)
  if (cursor === undefined) {
    verdict.skip(`${sample.collection.name}: ${tooFew}`)
    return
  }
  const replace = (at: number): string =>
    `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`
  const altered = [
    ...[0, 18, Math.floor(cursor.length / 2), cursor.length - 1].map(replace),
    cursor.slice(0, -1),
    `${cursor}A`,
    `${cursor}=`,
    `${cursor} `,
    'abc',
    '',
  ]
  for (const text of altered) {
    const exchange = await run.caller.ask({ path: sample.collection.path, query: { cursor: text } })
    expectRefused(verdict, exchange, 'invalid_cursor', 'cursor')
  }
})

/** A cursor of each of the two keys, sent with the other one. */
export const checkCursorWorkspace: Check = async (run, verdict) => {
  if (!run.hasOtherKey) {
    verdict.skip('it needs --other-key-env')
    return
  }
  for (const { path, name, otherAccess } of listReadable(run)) {
    if (otherAccess !== 'readable') {
      verdict.skip(`${name}: the other key cannot read it`)
      continue
    }
    for (const [from, to] of [
      ['key', 'otherKey'],
      ['otherKey', 'key'],
    ] as const) {
      const { cursor } = await askPage(run.caller, { path, from, query: { limit: 1 } })
      if (cursor === null) verdict.skip(`${name}: one of the workspaces has ${tooFew}`)
      else
        expectRefused(
          verdict,
          await run.caller.ask({ path, from: to, query: { cursor } }),
          'invalid_cursor',
          'cursor',
        )
    }
  }
}

/** Expects the problem of a parameter. */
export function expectRefused(
  verdict: Verdict,
  exchange: Exchange,
  code: string,
  parameter: string | undefined,
): void {
  const problem = toObject(exchange.json)
  const isRefused = exchange.status === 400 && isProblem(exchange) && problem['code'] === code
  const names = problem['parameter'] === undefined ? '' : ` for ${JSON.stringify(problem['parameter'])}`
  verdict.expect(isRefused && problem['parameter'] === parameter, {
    exchange,
    got: `${describe(exchange)}${names}${describeRecords(exchange)}`,
    expected: `400 ${code}${parameter === undefined ? '' : ` for ${JSON.stringify(parameter)}`}`,
  })
}

function describeRecords({ json }: Exchange): string {
  const { data } = toObject(json)
  if (!Array.isArray(data)) return ''
  const [first] = data as readonly unknown[]
  return ` with ${data.length} records${first === undefined ? '' : `, the first ${readId(toObject(first))}`}`
}

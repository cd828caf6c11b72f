import { readId } from '../pages.js'
import { forEachSample } from '../run.js'
import type { Check } from '../run.js'
import { expectRefused } from './cursors.js'

/** Queries of a list, and the parameter that each of them has wrong. */
const wrongQueries: readonly (readonly [query: string, parameter: string])[] = [
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=', 'limit'],
  ['limit=5&limit=5', 'limit'],
  ['updatedSince=yesterday', 'updatedSince'],
  ['updatedSince=2026-03-01T09:30:00', 'updatedSince'],
  ['updatedSince=2026-02-30', 'updatedSince'],
  ['updatedSince=2026-03-01T24:00:00Z', 'updatedSince'],
  ['updatedSince=', 'updatedSince'],
  ['updatedSince=2026-03-01&updatedSince=2026-03-02', 'updatedSince'],
  ['eventId=', 'eventId'],
  ['eventId=a&eventId=b', 'eventId'],
  [`eventId=${'x'.repeat(201)}`, 'eventId'],
  ['status=', 'status'],
  ['status=%ff', 'status'],
]

const unknownQueries: readonly (readonly [query: string, parameter: string])[] = [
  ['page=2', 'page'],
  ['Limit=5', 'Limit'],
  ['eventId[]=a', 'eventId[]'],
  ['sort=name', 'sort'],
]

/** One request for each; the first collection gets all of them. */
export const checkParameters: Check = async (run, verdict) => {
  let part = 1
  await forEachSample(async ({ collection: { path }, records }, { caller }) => {
    for (const [query, parameter] of wrongQueries.filter((_, at) => at % part === 0))
      expectRefused(verdict, await caller.ask({ path, query }), 'invalid_parameter', parameter)
    for (const [query, parameter] of unknownQueries.filter((_, at) => at % part === 0))
      expectRefused(verdict, await caller.ask({ path, query }), 'unknown_parameter', parameter)
    const [record] = records
    const id = record === undefined ? 'verify-no-such-id' : encodeURIComponent(readId(record))
    const single = await caller.ask({ path: `${path}/${id}`, query: 'limit=1' })
    expectRefused(verdict, single, 'unknown_parameter', 'limit')
    // Both lists share their parameters, so that a part of them is enough for the other one.
    part = 3
  })(run, verdict)
  const document = await run.caller.ask({ path: '/openapi.json', from: 'none', query: 'limit=1' })
  expectRefused(verdict, document, 'unknown_parameter', 'limit')
}

import { describe, isObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage, readId } from '../pages.js'
import { confirm, forEachSample } from '../run.js'
import type { Sample } from '../run.js'
import { expectProblem } from './problems.js'

/** Records of a sample that are read one by one. */
const singlesMax = 8

/** Spread over the sample, the first and the last of a page among them. */
export const checkSingleRecord = forEachSample(async (sample, { caller }, verdict) => {
  const { path, name } = sample.collection
  if (sample.records.length === 0) verdict.skip(`${name}: no record`)
  for (const record of spread(sample.records, singlesMax)) {
    const problem = await confirm(async () => {
      const exchange = await caller.ask({ path: `${path}/${encodeURIComponent(readId(record))}` })
      if (exchange.status === 200 && JSON.stringify(exchange.json) === JSON.stringify(record))
        return undefined
      // It may have been changed or archived since the sample was read.
      const page = sample.pages.find(({ records }) => records.includes(record))
      const again = page && (await askPage(caller, page.exchange.call))
      const listed = again?.records.find((one) => readId(one) === readId(record))
      return JSON.stringify(listed) === JSON.stringify(record) ? exchange : ('unsteady' as const)
    })
    if (problem === 'unsteady') continue
    verdict.expect(problem === undefined, {
      exchange: problem ?? sample.first.exchange,
      got: problem === undefined ? '' : describeDifference(problem, record),
      expected: `200 with the record as the list has it: ${toUrl(sample)}`,
    })
  }
})

function toUrl({ first }: Sample): string {
  return first.exchange.url
}

/** Names of fields only: values can be personal. */
function describeDifference(exchange: Exchange, record: Json): string {
  if (exchange.status !== 200 || !isObject(exchange.json)) return describe(exchange)
  const single = exchange.json
  const names = [...new Set([...Object.keys(record), ...Object.keys(single)])]
  const different = names.filter((name) => JSON.stringify(single[name]) !== JSON.stringify(record[name]))
  return different.length === 0
    ? '200 with the fields in another order'
    : `200 with another ${different.join(', ')}`
}

/** The first, the last, and others in between. */
function spread<One>(all: readonly One[], count: number): readonly One[] {
  const step = Math.max(1, (all.length - 1) / (count - 1))
  const places = new Set(Array.from({ length: count }, (_, at) => Math.round(at * step)))
  return all.filter((_, at) => places.has(at))
}

/** Variants of a real id. Where one of them is the id of another record, the answer is that record. */
export const checkIdExact = forEachSample(async ({ collection, records }, { caller }, verdict) => {
  const id = readId(records.find((record) => /[a-z]/i.test(readId(record))) ?? records[0])
  if (records.length === 0) verdict.skip(`${collection.name}: no record`)
  for (const variant of records.length === 0 ? [] : listVariants(id)) {
    const exchange = await caller.ask({ path: `${collection.path}/${encodeURIComponent(variant)}` })
    if (exchange.status === 200 && isObject(exchange.json) && readId(exchange.json) === variant) continue
    expectProblem(verdict, exchange, 404, 'not_found')
  }
})

function listVariants(id: string): readonly string[] {
  const numbers = /^\d+$/.test(id) ? [`0${id}`, `${id}.0`, `+${id}`, `${id}e0`] : []
  const swapped = id === id.toLowerCase() ? id.toUpperCase() : id.toLowerCase()
  const variants = [swapped, `${id} `, ` ${id}`, `${id}\u0301`, ...numbers]
  return variants.filter((one) => one !== id)
}

/** Texts that no product has as an id. */
export const checkNotFound = forEachSample(async ({ collection: { path } }, { caller }, verdict) => {
  for (const id of ['verify-no-such-id', '%25', '99999999999999999999'])
    expectProblem(verdict, await caller.ask({ path: `${path}/${id}` }), 404, 'not_found')
})

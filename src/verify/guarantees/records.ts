import { describe, isObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage, readId, spread } from '../pages.js'
import { confirm, defineGuarantee, forEachSample, LackError } from '../run.js'
import type { Guarantee } from '../run.js'
import { expectProblem } from './problems.js'
import { listVariants } from './values.js'

/** Records of a sample that are read one by one. */
const singlesMax = 8

/** Spread over the sample, the first and the last of a page among them. */
const checkSingleRecord = forEachSample(async (sample, { caller }, verdict) => {
  const { path } = sample.collection
  if (sample.records.length === 0) throw new LackError('no record')
  const expected = `200 with the record as the list has it: ${sample.first.exchange.url}`
  for (const record of spread(sample.records, singlesMax)) {
    const text = JSON.stringify(record)
    const problem = await confirm(async () => {
      const exchange = await caller.ask({ path: `${path}/${encodeURIComponent(readId(record))}` })
      if (exchange.status === 200 && JSON.stringify(exchange.json) === text) return undefined
      // It may have been changed or archived since the sample was read.
      const page = sample.pages.find(({ records }) => records.includes(record))
      const again = page && (await askPage(caller, page.exchange.call))
      const listed = again?.records.find((one) => readId(one) === readId(record))
      if (JSON.stringify(listed) !== text) return 'unsteady'
      return { exchange, got: describeDifference(exchange, record), expected }
    })
    verdict.add(problem)
  }
})

/** Names of fields only: values can be personal. */
function describeDifference(exchange: Exchange, record: Json): string {
  if (exchange.status !== 200 || !isObject(exchange.json)) return describe(exchange)
  const single = exchange.json
  const names = [...new Set([...Object.keys(record), ...Object.keys(single)])]
  const different = names.filter((name) => JSON.stringify(single[name]) !== JSON.stringify(record[name]))
  if (different.length === 0) return '200 with the fields in another order'
  return `200 with another ${different.join(', ')}`
}

/** Variants of a real id. Where one of them is the id of another record, the answer is that record. */
const checkIdExact = forEachSample(async ({ collection, records }, { caller }, verdict) => {
  if (records.length === 0) throw new LackError('no record')
  const id = readId(records.find((record) => /[a-z]/i.test(readId(record))) ?? records[0])
  for (const variant of listVariants(id, [`${id}\t`, `${id}.json`])) {
    const exchange = await caller.ask({ path: `${collection.path}/${encodeURIComponent(variant)}` })
    const isOther = exchange.status === 200 && isObject(exchange.json) && readId(exchange.json) === variant
    if (!isOther) expectProblem(verdict, exchange, 'not_found')
  }
})

/** Single records. */
export const recordGuarantees: readonly Guarantee[] = [
  defineGuarantee('single-record', 'A single record equals the record of the list', checkSingleRecord),
  defineGuarantee('id-exact', 'An id matches byte for byte', checkIdExact),
]

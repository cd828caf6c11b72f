import { recordFields } from '../../../client/records.js'
import { describe, isObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage, listIds, readId, readPage, spread } from '../pages.js'
import { collectionNames, forEachPlace, guarantee, watching } from '../run.js'
import type { Check, Place } from '../run.js'
import type { Verdict } from '../verdict.js'
import { expectProblem } from './problems.js'
import { listVariants } from './values.js'

/** Every record of the run, in lists and alone, of whichever key. Names of fields are shown, and no value: a field may leak. */
const checkFields: Check = ({ exchanges, verdict }) => {
  for (const exchange of exchanges) {
    const collection = collectionNames.find((name) => exchange.call.path.split('/')[1] === name)
    if (collection === undefined || exchange.status !== 200) continue
    const isList = exchange.call.path === `/${collection}`
    const records = isList ? (readPage(exchange)?.records ?? []) : [exchange.json].filter(isObject)
    const expected = Object.keys(recordFields[collection]).join(', ')
    for (const names of new Set(records.map((record) => Object.keys(record).join(', '))))
      verdict.expect(names === expected, exchange, `a record with ${names}`, expected)
  }
}

/** Records of a sample that are read one by one. */
const singlesMax = 8

/** Spread over the sample, the first and the last of a page among them. An empty id has no address. */
async function checkSingles(place: Place): Promise<string | undefined> {
  const { path, pages, first, ask, verdict } = place
  const records = place.records.filter((record) => readId(record) !== '')
  const expected = `200 with the record as the list has it: ${first.exchange.url}`
  for (const record of spread(records, singlesMax)) {
    const text = JSON.stringify(record)
    await verdict.confirm(async () => {
      const exchange = await ask({ path: `${path}/${encodeURIComponent(readId(record))}` })
      if (exchange.status === 200 && JSON.stringify(exchange.json) === text) return undefined
      // It may have been changed or archived since the sample was read.
      const page = pages.find((one) => one.records.includes(record)) ?? first
      const again = await askPage(place, page.exchange.call)
      const listed = again.records.find((one) => readId(one) === readId(record))
      if (JSON.stringify(listed) !== text) return 'unsteady'
      return { exchange, got: describeDifference(exchange, record), expected }
    })
  }
  return records.length === 0 ? 'no record' : undefined
}

/** Names of fields only: values can be personal. */
function describeDifference(exchange: Exchange, record: Json): string {
  const { status, json: single } = exchange
  if (status !== 200 || !isObject(single)) return describe(exchange)
  const names = [...new Set([...Object.keys(record), ...Object.keys(single)])]
  const different = names.filter((name) => JSON.stringify(single[name]) !== JSON.stringify(record[name]))
  return `200 with ${different.length === 0 ? 'the fields in another order' : `another ${different.join(', ')}`}`
}

/** Where a text is the id of another record, the answer is that record. */
export function expectNoOther(verdict: Verdict, exchange: Exchange, id: string): void {
  const isOther = exchange.status === 200 && isObject(exchange.json) && readId(exchange.json) === id
  if (!isOther) expectProblem(verdict, exchange, 'not_found')
}

/** Variants of a real id. */
async function checkIdExact({ path, records, ask, verdict }: Place): Promise<string | undefined> {
  const ids = listIds(records)
  const id = ids.find((one) => /[a-z]/i.test(one)) ?? ids[0]
  if (id === undefined) return 'no record'
  for (const variant of listVariants(id, [`${id}\t`, `${id}.json`]))
    expectNoOther(verdict, await ask({ path: `${path}/${encodeURIComponent(variant)}` }), variant)
  return undefined
}

/** Records: the fields of the contract and no other, and each as its list has it. */
export const recordGuarantees = [
  guarantee('single-record', 'A single record equals the record of the list', forEachPlace(checkSingles)),
  guarantee('id-exact', 'An id matches byte for byte', forEachPlace(checkIdExact)),
  watching('fields', 'A record has the fields of the contract in their order, and no other', checkFields),
]

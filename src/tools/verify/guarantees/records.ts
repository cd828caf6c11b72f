import { describe, isObject, listIds, readId, spread } from '../answer.js'
import type { Exchange, Json } from '../answer.js'
import { forEachSample, guarantee } from '../run.js'
import type { Run, Sample } from '../run.js'
import { expectNoOther } from './problems.js'
import { listVariants } from './values.js'

/** Records of a sample that are read one by one. */
const singlesMax = 8

/** Spread over the sample, the first and the last of a page among them. An empty id has no address. */
async function checkSingles(run: Run, { path, records, first }: Sample): Promise<string | undefined> {
  const known = records.filter((record) => readId(record) !== '')
  const expected = `200 with the record as the list has it: ${first.exchange.url}`
  for (const record of spread(known, singlesMax)) {
    const exchange = await run.ask({ path: `${path}/${encodeURIComponent(readId(record))}` })
    const isSame = exchange.status === 200 && JSON.stringify(exchange.json) === JSON.stringify(record)
    run.compare(isSame, exchange, describeDifference(exchange, record), expected)
  }
  return known.length === 0 ? 'no record' : undefined
}

/** Names of fields only: values can be personal. */
function describeDifference(exchange: Exchange, record: Json): string {
  const { status, json: single } = exchange
  if (status !== 200 || !isObject(single)) return describe(exchange)
  const names = [...new Set([...Object.keys(record), ...Object.keys(single)])]
  const different = names.filter((name) => JSON.stringify(single[name]) !== JSON.stringify(record[name]))
  return `200 with ${different.length === 0 ? 'the fields in another order' : `another ${different.join(', ')}`}`
}

/** Variants of a real id. */
async function checkIdExact(run: Run, { path, records }: Sample): Promise<string | undefined> {
  const ids = listIds(records)
  const id = ids.find((one) => /[a-z]/i.test(one)) ?? ids[0]
  if (id === undefined) return 'no record'
  for (const variant of listVariants(id, [`${id}\t`, `${id}.json`]))
    expectNoOther(run, await run.ask({ path: `${path}/${encodeURIComponent(variant)}` }), variant)
  return undefined
}

/** Single records: each as its list has it, and found by its id alone. */
export const recordGuarantees = [
  guarantee('single-record', 'A single record equals the record of the list', forEachSample(checkSingles)),
  guarantee('id-exact', 'An id matches byte for byte', forEachSample(checkIdExact)),
]

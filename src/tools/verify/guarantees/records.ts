import { describe, listIds, listVariants, readId, spread, toObject } from '../answer.js'
import type { Exchange, Json } from '../answer.js'
import type { Guarantee, Run, Sample } from '../run.js'
import { forEachSample } from '../sample.js'
import { expectNoOther } from './refusals.js'

/** Records of a sample that are read one by one. */
const singlesMax = 8

/** Spread over the sample, the first and the last of a page among them. An empty id has no address. */
async function checkSingles(run: Run, { path, records, first }: Sample): Promise<string | undefined> {
  const known = records.filter((record) => readId(record) !== '')
  const expected = `200 with the record as the list has it: ${first.exchange.url}`
  for (const record of spread(known, singlesMax)) {
    const exchange = await run.ask({ path: `${path}/${encodeURIComponent(readId(record))}` })
    const isSame = exchange.status === 200 && JSON.stringify(exchange.json) === JSON.stringify(record)
    run.expect(exchange, [isSame, describeDifference(exchange, record), expected])
  }
  return known.length === 0 ? 'no record' : undefined
}

/** Names of fields only: values can be personal. */
function describeDifference(exchange: Exchange, record: Json): string {
  const single = toObject(exchange.json)
  const names = Object.keys({ ...record, ...single })
  const different = names.filter((name) => JSON.stringify(single[name]) !== JSON.stringify(record[name]))
  return `${describe(exchange)} with another ${different.join(', ') || 'order of fields'}`
}

/** Variants of a real id. */
async function checkIdExact(run: Run, { path, records }: Sample): Promise<string | undefined> {
  const ids = listIds(records)
  const id = ids.find((one) => /[a-z]/i.test(one)) ?? ids[0]
  if (id === undefined) return 'no record'
  for (const variant of listVariants(id, `${id}\t`, `${id}.json`))
    expectNoOther(run, await run.ask({ path: `${path}/${encodeURIComponent(variant)}` }), variant)
  return undefined
}

/** Single records: each as its list has it, and found by its id alone. */
export const recordGuarantees: readonly Guarantee[] = [
  ['single-record', 'A single record equals the record of the list', forEachSample(checkSingles)],
  ['id-exact', 'An id matches byte for byte', forEachSample(checkIdExact)],
]

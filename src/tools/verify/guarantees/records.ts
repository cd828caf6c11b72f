import { recordFields } from '../../../client/records.js'
import { describe, isObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage, listIds, readId, readPage, spread } from '../pages.js'
import { byRules, collectionNames, forEachPlace, LackError } from '../run.js'
import type { Check, Checks, CollectionName, Place, Rule, Run } from '../run.js'
import { confirm } from '../verdict.js'
import type { Verdict } from '../verdict.js'
import { expectProblem } from './problems.js'
import { describeValue, findAmountProblem, isDay, isTimestamp, listVariants } from './values.js'

interface Shown {
  readonly collection: CollectionName
  readonly record: Json
  readonly exchange: Exchange
}

/** Every record of the run, in lists and alone, of whichever key; each text of it once. */
function listRecords({ caller }: Run): readonly Shown[] {
  const seen = new Map<string, Shown>()
  for (const exchange of caller.exchanges) {
    const collection = collectionNames.find((name) => exchange.call.path.split('/')[1] === name)
    if (collection === undefined || exchange.status !== 200) continue
    const isList = exchange.call.path === `/${collection}`
    const records = isList ? (readPage(exchange)?.records ?? []) : [exchange.json].filter(isObject)
    for (const record of records) {
      const text = `${collection} ${JSON.stringify(record)}`
      if (!seen.has(text)) seen.set(text, { collection, record, exchange })
    }
  }
  return [...seen.values()]
}

/** What every record of the run must be. */
function forRecords(listRules: (record: Json, collection: CollectionName) => readonly Rule[]): Check {
  return byRules(listRecords, ({ record, collection }) => listRules(record, collection))
}

/** Formats are guarantees of their own. An id can be empty, where the product has such a row. */
function listTypeRules(record: Json, collection: CollectionName): readonly Rule[] {
  const known = Object.entries(recordFields[collection]).filter(([name]) => name in record)
  return known.map(([name, { type, isNullable }]) => {
    const value = record[name]
    const isMet = value === null ? isNullable : typeof value === type
    const expected = `${name} that is a ${type}${isNullable ? ' or null' : ''}`
    return [isMet, `${name} that is ${describeValue(value)}`, expected]
  })
}

/** Timestamps have three digits and Z; days of invoices may be days alone. */
function listTimeRules(record: Json): readonly Rule[] {
  return ['createdAt', 'updatedAt', 'checkedInAt', 'issueDate', 'dueDate'].flatMap(
    (name): readonly Rule[] => {
      const value = record[name]
      if (typeof value !== 'string') return []
      const mayBeDay = name.endsWith('Date')
      const isTime = isTimestamp(value) || (mayBeDay && isDay(value))
      const expected = `2026-03-01T09:30:00.123Z${mayBeDay ? ', or 2026-03-01' : ''}, a time that exists`
      return [[isTime, `${name}: ${JSON.stringify(value)}`, expected]]
    },
  )
}

/** Records of a sample that are read one by one. */
const singlesMax = 8

/** Spread over the sample, the first and the last of a page among them. An empty id has no address. */
async function checkSingles({ path, pages, first, caller, verdict, ...sample }: Place): Promise<void> {
  const records = sample.records.filter((record) => readId(record) !== '')
  if (records.length === 0) throw new LackError('no record')
  const expected = `200 with the record as the list has it: ${first.exchange.url}`
  for (const record of spread(records, singlesMax)) {
    const text = JSON.stringify(record)
    const attempt = async () => {
      const exchange = await caller.ask({ path: `${path}/${encodeURIComponent(readId(record))}` })
      if (exchange.status === 200 && JSON.stringify(exchange.json) === text) return undefined
      // It may have been changed or archived since the sample was read.
      const page = pages.find((one) => one.records.includes(record))
      const again = page && (await askPage(caller, page.exchange.call))
      const listed = again?.records.find((one) => readId(one) === readId(record))
      if (JSON.stringify(listed) !== text) return 'unsteady'
      return { exchange, got: describeDifference(exchange, record), expected }
    }
    verdict.add(await confirm(attempt))
  }
}

/** Names of fields only: values can be personal. */
function describeDifference(exchange: Exchange, record: Json): string {
  if (exchange.status !== 200 || !isObject(exchange.json)) return describe(exchange)
  const single = exchange.json
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
async function checkIdExact({ path, records, caller, verdict }: Place): Promise<void> {
  const ids = listIds(records)
  const id = ids.find((one) => /[a-z]/i.test(one)) ?? ids[0]
  if (id === undefined) throw new LackError('no record')
  for (const variant of listVariants(id, [`${id}\t`, `${id}.json`]))
    expectNoOther(verdict, await caller.ask({ path: `${path}/${encodeURIComponent(variant)}` }), variant)
}

/** Records: the fields of the contract and no other, and each as its list has it. */
export const recordChecks: Checks = {
  'single-record': forEachPlace(checkSingles),
  'id-exact': forEachPlace(checkIdExact),
  // Names of fields are shown, and no value: a field that leaks must not leak here.
  fields: forRecords((record, collection) => {
    const [names, expected] = [record, recordFields[collection]].map((one) => Object.keys(one).join(', '))
    return [[names === expected, `a record with ${names ?? ''}`, expected ?? '']]
  }),
  'field-types': forRecords(listTypeRules),
  timestamps: forRecords(listTimeRules),
  amounts: forRecords(({ total, currency }) => {
    if (typeof total !== 'string' || typeof currency !== 'string') return []
    const problem = findAmountProblem(total, currency)
    return [[problem === undefined, `${JSON.stringify(total)} ${JSON.stringify(currency)}`, problem ?? '']]
  }),
  'checked-in': forRecords(({ checkedIn, checkedInAt }) =>
    checkedIn === false
      ? [[checkedInAt === null, `checkedInAt ${JSON.stringify(checkedInAt)} with checkedIn false`, 'null']]
      : [],
  ),
}

import { describe, isObject, listIds, readId, spread } from '../answer.js'
import type { Exchange, Json } from '../answer.js'
import { forEachSample, guarantee } from '../run.js'
import type { Run, Sample } from '../run.js'
import { expectNoOther } from './problems.js'

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

/** Whether a text is a timestamp of the contract, of a time that exists: JavaScript reads February 30th as March 2nd. */
export function isTimestamp(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

/** Capitals for small letters, and small letters for capitals. */
export function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))
}

/** A text in another case, with blanks or an accent, and as other numbers, and others; a collation would find them. */
export function listVariants(text: string, others: readonly string[]): readonly string[] {
  const swapped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()
  // The database would convert these to the same number.
  const numbers = /^\d+$/.test(text) ? [`0${text}`, `${text}.0`, `+${text}`, `${text}e0`] : []
  const all = new Set([swapped, `${text} `, ` ${text}`, `${text}\n`, `${text}\u0301`, ...numbers, ...others])
  return [...all].filter((one) => one !== text && one.trim() !== '')
}

const minuteMs = 60_000
/** By how much clocks are set back in autumn, in minutes: an hour, on Lord Howe half an hour, at Troll two. */
const shifts = [60, 30, 120].flatMap((minutes) => [minutes * minuteMs, -minutes * minuteMs])
let zones: readonly Intl.DateTimeFormat[] | undefined

/**
 * Whether a record changed before an instant, as far as its time can show. A product that stores local times has an hour
 * in autumn that occurs twice: it is shown as the earlier one, and `updatedSince` then starts before it.
 */
export function isEarly(updatedAt: string, since: string): boolean {
  if (updatedAt >= since) return false
  const times = [Date.parse(updatedAt), Date.parse(since)] as const
  if (!(times[1] - times[0] < 240 * minuteMs)) return true
  zones ??= Intl.supportedValuesOf('timeZone').map(
    (timeZone) => new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  )
  const isTwice = (zone: Intl.DateTimeFormat, one: number): boolean =>
    shifts.some((shift) => zone.format(one) === zone.format(one + shift))
  return !zones.some((zone) => times.every((one) => isTwice(zone, one)))
}

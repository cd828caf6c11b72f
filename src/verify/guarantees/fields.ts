import { recordFields } from '../../client/records.js'
import { isObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { readPage } from '../pages.js'
import { collectionNames, defineLast } from '../run.js'
import type { CollectionName, Guarantee, Run } from '../run.js'
import { describeValue, findAmountProblem, isDay, isTimestamp } from './values.js'

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

/** One thing that a record must be. */
type Rule = readonly [isMet: boolean, got: string, expected: string]

/** A guarantee that is a table: what every record of the run must be. */
function defineRecords(
  name: string,
  title: string,
  listRules: (record: Json, collection: CollectionName) => readonly Rule[],
): Guarantee {
  return defineLast(name, title, (run, verdict) => {
    for (const { collection, record, exchange } of listRecords(run))
      for (const [isMet, got, expected] of listRules(record, collection))
        verdict.expect(isMet, { exchange, got, expected })
  })
}

/** Names of fields are shown, and no value: a field that leaks must not leak here. */
function listFieldRules(record: Json, collection: CollectionName): readonly Rule[] {
  const names = Object.keys(record).join(', ')
  const expected = Object.keys(recordFields[collection]).join(', ')
  return [[names === expected, `a record with ${names}`, expected]]
}

/** Formats are guarantees of their own. */
function listTypeRules(record: Json, collection: CollectionName): readonly Rule[] {
  return Object.entries(recordFields[collection])
    .filter(([name]) => name in record)
    .map(([name, { type, isNullable }]) => {
      const value = record[name]
      const isEmptyId = value === '' && /^id$|Id$/.test(name)
      const isMet = value === null ? isNullable : typeof value === type && !isEmptyId
      const expected = `${name} that is a ${type}${isNullable ? ' or null' : ''}`
      return [isMet, `${name} that is ${describeValue(value)}`, expected]
    })
}

/** Timestamps have three digits and Z; days of invoices may be days alone. */
function listTimeRules(record: Json): readonly Rule[] {
  return ['createdAt', 'updatedAt', 'checkedInAt', 'issueDate', 'dueDate'].flatMap((name) => {
    const value = record[name]
    if (typeof value !== 'string') return []
    const mayBeDay = name.endsWith('Date')
    const isTime = isTimestamp(value) || (mayBeDay && isDay(value))
    const expected = `2026-03-01T09:30:00.123Z${mayBeDay ? ', or 2026-03-01' : ''}, a time that exists`
    return [[isTime, `${name}: ${JSON.stringify(value)}`, expected] as const]
  })
}

function listAmountRules({ total, currency }: Json, collection: CollectionName): readonly Rule[] {
  if (collection !== 'invoices' || typeof total !== 'string' || typeof currency !== 'string') return []
  const problem = findAmountProblem(total, currency)
  return [[problem === undefined, `${JSON.stringify(total)} ${JSON.stringify(currency)}`, problem ?? '']]
}

function listCheckInRules({ checkedIn, checkedInAt }: Json): readonly Rule[] {
  if (checkedIn !== false) return []
  return [[checkedInAt === null, `checkedInAt ${JSON.stringify(checkedInAt)} with checkedIn false`, 'null']]
}

/** The fields of the contract, and no other. */
export const fieldGuarantees: readonly Guarantee[] = [
  defineRecords(
    'fields',
    'A record has the fields of the contract in their order, and no other',
    listFieldRules,
  ),
  defineRecords('field-types', 'Each field has its type', listTypeRules),
  defineRecords(
    'timestamps',
    'Timestamps are UTC with three fractional digits, and days exist',
    listTimeRules,
  ),
  defineRecords('amounts', 'A total is an exact decimal with the digits of its currency', listAmountRules),
  defineRecords('checked-in', 'checkedInAt is null whenever checkedIn is false', listCheckInRules),
]

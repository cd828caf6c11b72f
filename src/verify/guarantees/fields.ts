import { isObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { listPages } from './lists.js'
import { collectionNames } from '../run.js'
import type { Check, CollectionName, Run } from '../run.js'
import { findAmountProblem } from './amounts.js'
import { describeValue, isDay, isTimestamp } from './values.js'

/** What a field must be; the answer is what it is instead, or undefined. */
type Rule = (value: unknown) => boolean

const isText: Rule = (value) => typeof value === 'string'
const isFilled: Rule = (value) => typeof value === 'string' && value !== ''
const isBoolean: Rule = (value) => typeof value === 'boolean'
const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value)

/** The fields of the contract in their order, with their types. Formats are guarantees of their own. */
const fieldsOf: Readonly<Record<CollectionName, Readonly<Record<string, Rule>>>> = {
  registrations: {
    id: isFilled,
    eventId: isFilled,
    status: isText,
    name: isText,
    email: isText,
    checkedIn: isBoolean,
    checkedInAt: orNull(isText),
    createdAt: isText,
    updatedAt: isText,
  },
  invoices: {
    id: isFilled,
    number: isText,
    status: isText,
    total: isText,
    currency: isText,
    issueDate: isText,
    dueDate: orNull(isText),
    createdAt: isText,
    updatedAt: isText,
  },
}

interface Shown {
  readonly collection: CollectionName
  readonly record: Json
  readonly exchange: Exchange
}

/** Every record of the run, in lists and alone, of whichever key; each text of it once. */
function listRecords(run: Run): readonly Shown[] {
  const seen = new Map<string, Shown>()
  const add = (shown: Shown): void => {
    const key = `${shown.collection} ${JSON.stringify(shown.record)}`
    if (!seen.has(key)) seen.set(key, shown)
  }
  for (const { exchange, records } of listPages(run))
    for (const record of records) add({ collection: toCollection(exchange) ?? 'invoices', record, exchange })
  for (const exchange of run.caller.exchanges) {
    const collection = toCollection(exchange)
    const isSingle = collection !== undefined && exchange.call.path !== `/${collection}`
    if (isSingle && exchange.status === 200 && isObject(exchange.json))
      add({ collection, record: exchange.json, exchange })
  }
  return [...seen.values()]
}

function toCollection({ call }: Exchange): CollectionName | undefined {
  return collectionNames.find((name) => call.path === `/${name}` || call.path.startsWith(`/${name}/`))
}

/** Names of fields are shown, and no value: a field that leaks must not leak here. */
export const checkFields: Check = (run, verdict) => {
  for (const { collection, record, exchange } of listRecords(run)) {
    const names = Object.keys(record).join(', ')
    const expected = Object.keys(fieldsOf[collection]).join(', ')
    verdict.expect(names === expected, { exchange, got: `a record with ${names}`, expected })
  }
}

/** Text, boolean, or null where the contract has it. */
export const checkFieldTypes: Check = (run, verdict) => {
  for (const { collection, record, exchange } of listRecords(run))
    for (const [name, rule] of Object.entries(fieldsOf[collection])) {
      if (!(name in record)) continue
      verdict.expect(rule(record[name]), {
        exchange,
        got: `${name} that is ${describeValue(record[name])}`,
        expected: `${name} of its type: ${describeRule(rule)}`,
      })
    }
}

function describeRule(rule: Rule): string {
  if (rule === isBoolean) return 'a boolean'
  if (rule === isFilled) return 'a string that is not empty'
  return rule(null) ? 'a string or null' : 'a string'
}

/** Timestamps have three digits and Z; days of invoices may be days alone. */
export const checkTimestamps: Check = (run, verdict) => {
  for (const { record, exchange } of listRecords(run))
    for (const name of ['createdAt', 'updatedAt', 'checkedInAt', 'issueDate', 'dueDate']) {
      const value = record[name]
      if (typeof value !== 'string') continue
      const mayBeDay = name.endsWith('Date')
      verdict.expect(isTimestamp(value) || (mayBeDay && isDay(value)), {
        exchange,
        got: `${name}: ${JSON.stringify(value)}`,
        expected: `2026-03-01T09:30:00.123Z${mayBeDay ? ', or 2026-03-01' : ''}, a time that exists`,
      })
    }
}

/** Of every invoice of the run. */
export const checkAmounts: Check = (run, verdict) => {
  for (const { collection, record, exchange } of listRecords(run)) {
    const { total, currency } = record
    if (collection !== 'invoices' || typeof total !== 'string' || typeof currency !== 'string') continue
    const problem = findAmountProblem(total, currency)
    verdict.expect(problem === undefined, {
      exchange,
      got: `${JSON.stringify(total)} ${JSON.stringify(currency)}`,
      expected: problem ?? '',
    })
  }
}

/** Of every registration of the run. */
export const checkCheckedIn: Check = (run, verdict) => {
  for (const { record, exchange } of listRecords(run)) {
    if (typeof record['checkedIn'] !== 'boolean' || record['checkedIn']) continue
    const { checkedInAt } = record
    verdict.expect(checkedInAt === null, {
      exchange,
      got: `checkedInAt ${JSON.stringify(checkedInAt)} with checkedIn false`,
      expected: 'null',
    })
  }
}

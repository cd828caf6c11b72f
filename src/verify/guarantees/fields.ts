import { recordFields } from '../../client/records.js'
import type { FieldType } from '../../client/records.js'
import { isObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { listPages } from './lists.js'
import { collectionNames, defineLast } from '../run.js'
import type { CollectionName, Guarantee, Run } from '../run.js'
import { describeValue, findAmountProblem, isDay, isTimestamp } from './values.js'

const isOfType = {
  'a string': (value: unknown) => typeof value === 'string',
  'a string that is not empty': (value: unknown) => typeof value === 'string' && value !== '',
  'a string or null': (value: unknown) => typeof value === 'string' || value === null,
  'a boolean': (value: unknown) => typeof value === 'boolean',
}

type TypeName = keyof typeof isOfType

/** The fields of the contract in their order, with their types. Formats are guarantees of their own. */
const fieldsOf: Readonly<Record<CollectionName, Readonly<Record<string, TypeName>>>> = {
  registrations: toTypeNames(recordFields.registrations),
  invoices: toTypeNames(recordFields.invoices),
}

function toTypeNames(fields: Readonly<Record<string, FieldType>>): Readonly<Record<string, TypeName>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toTypeName(name, field)]))
}

function toTypeName(name: string, { type, isNullable }: FieldType): TypeName {
  if (type === 'boolean') return 'a boolean'
  if (isNullable) return 'a string or null'
  return /^id$|Id$/.test(name) ? 'a string that is not empty' : 'a string'
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
  const expected = Object.keys(fieldsOf[collection]).join(', ')
  return [[names === expected, `a record with ${names}`, expected]]
}

function listTypeRules(record: Json, collection: CollectionName): readonly Rule[] {
  return Object.entries(fieldsOf[collection])
    .filter(([name]) => name in record)
    .map(([name, type]) => {
      const got = `${name} that is ${describeValue(record[name])}`
      return [isOfType[type](record[name]), got, `${name} that is ${type}`]
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

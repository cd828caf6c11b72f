import type { Column } from '../database/column.js'
import { all, equals, Hole, join, quote, quoteColumn, sql } from '../database/sql.js'
import type { Given, Sql } from '../database/sql.js'
import type { BoundValue } from '../database/statement.js'
import { findEventColumn, listTimeRanges } from './resolved-table.js'
import type {
  EventLink,
  IdentifierColumn,
  IdentifierPlace,
  ResolvedTable,
  TimeColumn,
} from './resolved-table.js'
import { listStoredStatuses } from './status-field.js'
import { toStoredIdentifier } from '../values/identifiers.js'
import { toEpoch } from '../values/epoch.js'
import { toDatabaseTime } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { matchKey } from './lookup.js'
import { selectCases, testFound, testValue } from './rows.js'

/** The stored form of a caller's text, or undefined where the column cannot hold it. */
export function bindIdentifier(
  { column, identifier }: IdentifierColumn,
  text: string,
): BoundValue | undefined {
  // A CHAR is read without spaces at its end, but a comparison ignores them.
  if (text.endsWith(' ') && /^char\b/i.test(column.type)) return undefined
  return toStoredIdentifier(text, identifier)
}

/** What a request compares with, as it is stored, by the names of the holes; undefined for what no row can have. */
export type Wanted = readonly (readonly [name: string, value: BoundValue | undefined])[]

/** An event, as each place that can have it stores it; NULL where a place cannot. */
export function bindEvent({ eventId }: Pick<ResolvedTable, 'eventId'>, text: string): Wanted {
  const places = eventId?.kind === 'link' ? [eventId.event] : (eventId?.places ?? [])
  const stored = places.map((place) =>
    place.kind === 'column' ? bindIdentifier(place, text) : place.constant === text ? text : undefined,
  )
  const isPossible = stored.some((one) => one !== undefined)
  return [
    ['event', isPossible ? text : undefined],
    ...stored.map((one, at) => [`event${at}`, one ?? null] as const),
  ]
}

/** A public status: the stored values that it stands for, or all others that the mapping lists. */
export function bindStatus({ status }: ResolvedTable, word: string): Wanted {
  if (status.kind === 'cases') return [['status', word]]
  const { stored, isOther } = listStoredStatuses(status, word)
  const values = stored.flatMap((one) => bindIdentifier(status, one) ?? [])
  const named = values.map((value, at) => [`${isOther ? 'other' : 'equal'}${at}`, value] as const)
  return [['status', isOther || values.length > 0 ? word : undefined], ...named]
}

/** The stored form for each column of times: the digits of their fractions can differ. */
export function bindSince(time: TimeColumn, since: Instant): Wanted {
  return listTimeRanges(time).map(({ column }, at) => [
    `since${at}`,
    toStoredTime({ ...time, column }, since),
  ])
}

/** The stored form of an instant, so that `>=` holds for exactly the times at or after it; undefined after the year 9999. */
export function toStoredTime({ column, zone, epoch }: TimeColumn, instant: Instant): string | undefined {
  if (epoch !== undefined) return column.unsigned && instant.seconds < 0 ? '0' : toEpoch(instant, epoch)
  return toDatabaseTime(instant, zone, column.fractionDigits)
}

/** The condition that a row has the status of a filter. */
export function hasStatus(table: ResolvedTable, given: Given): Sql {
  const { status } = table
  if (status.kind === 'cases') {
    const word = selectCases(status, (test) => testValue(test, table))
    return sql`cast(${word} as binary) = cast(${new Hole('status')} as binary)`
  }
  const names = [...given.keys()].filter((name) => /^(?:equal|other)\d/.test(name))
  return testFound(table, status, (quoted) => {
    if (names.length === 0) return sql`${quoted} is not null`
    const tests = names.map((name) => equals(status.column, quoted, new Hole(name)))
    const any = sql`(${join(tests, ' or ')})`
    return given.has('other0') ? sql`not ${any}` : any
  })
}

/** The condition that a row is of the event of a filter: the first place that has one has this one. */
export function isOfEvent(table: ResolvedTable): Sql {
  const { eventId } = table
  if (eventId === undefined) return sql`1 = 0`
  if (eventId.kind === 'link') return isLinked(table, eventId)
  const test = (place: IdentifierPlace, of: (column: Column, quoted: Sql) => Sql) =>
    place.kind === 'constant' ? undefined : testFound(table, place, (quoted) => of(place.column, quoted))
  const conditions = eventId.places.map((place, at) => {
    const event = new Hole(`event${at}`)
    const isWanted = test(place, (column, quoted) => equals(column, quoted, event))
    return { isThere: test(place, hasText) ?? sql`1`, isWanted: isWanted ?? sql`${event} is not null` }
  })
  const [only] = conditions
  if (only !== undefined && findEventColumn(table) !== undefined) return only.isWanted
  const cases = conditions.map(({ isThere, isWanted }) => sql`when ${isThere} then ${isWanted}`)
  return sql`case ${join(cases, ' ')} else 0 end`
}

/** Whether a place has an event: an empty text is none. */
function hasText({ kind }: Column, quoted: Sql): Sql {
  return kind === 'text' ? sql`length(${quoted}) > 0` : sql`${quoted} is not null`
}

/** A scalar subquery, because both servers turn EXISTS into a join that begins at the link table, and then sort. */
function isLinked({ name, id }: ResolvedTable, { table, invoice, event }: EventLink): Sql {
  const key = quoteColumn('link', invoice.column)
  const conditions = [
    matchKey(invoice.column, key, id.column, quoteColumn(name, id.column)),
    equals(event.column, quoteColumn('link', event.column), new Hole('event0')),
  ]
  return sql`(select 1 from ${quote(table)} as \`link\` where ${all(conditions)} limit 1) = 1`
}

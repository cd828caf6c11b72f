import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { Column } from '../database/column.js'
import { all, equals, Hole, join, quote, quoteColumn, sql } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import type { ColumnResolver } from './column-resolver.js'
import type { Wanted } from './field.js'
import {
  bindIdentifier,
  findIdentifier,
  findPlaces,
  IdentifierOption,
  listColumns,
  ReferenceOption,
} from './identifier-fields.js'
import type { IdentifierColumn, Places } from './identifier-fields.js'
import { matchKey, testFound } from './lookup.js'
import { closed, firstOf, TableName } from './options.js'

/* What the filter `eventId` compares: the event that a field shows, or an option of the section. */

const Link = Type.Object(
  { table: TableName, invoice: IdentifierOption, event: IdentifierOption },
  {
    ...closed,
    description: '{ table, invoice, event }, or null where invoices have no event',
  },
)
/** The option of the filter `eventId` where the record does not show its event: a place, a table that links them, or none. */
export const EventFilterOption = firstOf(ReferenceOption, [Link, Type.Null()])
/** The same as the mapping names it. */
export type EventFilterMapping = Static<typeof EventFilterOption>

/** A table that links invoices to events. */
interface EventLink {
  readonly kind: 'link'
  readonly table: string
  readonly invoice: IdentifierColumn
  readonly event: IdentifierColumn
}

/** What the filter `eventId` compares. */
export type EventFilter = Places | EventLink

/** Finds what a filter compares that no field shows. */
export function findEventFilter(
  option: EventFilterMapping,
  columns: ColumnResolver,
): EventFilter | undefined {
  if (option === null) return undefined
  if (typeof option === 'string' || !('table' in option)) return findPlaces(option, columns)
  const { table, invoice, event } = option
  return {
    kind: 'link',
    table,
    invoice: findIdentifier(invoice, columns.at('invoice', table)),
    event: findIdentifier(event, columns.at('event', table)),
  }
}

/** The columns that can have the event of a record; none where a table links them. */
export function listEventColumns(eventId: EventFilter | undefined): readonly IdentifierColumn[] {
  return eventId?.kind === 'places' ? listColumns(...eventId.places) : []
}

/** The one column that has the event of a record; undefined where several have it, a constant or a link table. */
export function findEventColumn({ eventId }: Pick<EventTable, 'eventId'>): IdentifierColumn | undefined {
  const [place, ...others] = eventId?.kind === 'places' ? eventId.places : []
  return place?.kind === 'column' && others.length === 0 ? place : undefined
}

/** An event, as each place that can have it stores it; NULL where a place cannot. */
export function bindEvent(eventId: EventFilter | undefined, text: string): Wanted {
  const places = eventId?.kind === 'link' ? [eventId.event] : (eventId?.places ?? [])
  const stored = places.map((place) =>
    place.kind === 'column' ? bindIdentifier(place, text) : place.constant === text ? text : undefined,
  )
  const isPossible = stored.some((value) => value !== undefined)
  return [
    ['event', isPossible ? text : undefined],
    ...stored.map((value, at) => [`event${at}`, value ?? null] as const),
  ]
}

/** A table whose records have events. */
interface EventTable {
  readonly name: string
  readonly id: IdentifierColumn
  readonly eventId: EventFilter | undefined
}

/** The condition that a row is of the event of a filter: the first place that has one has this one. */
export function isOfEvent(table: EventTable): Sql {
  const { eventId } = table
  if (eventId === undefined) return sql`1 = 0`
  if (eventId.kind === 'link') return isLinked(table, eventId)
  const cases = eventId.places.map((place, at): Sql => {
    const event = new Hole(`event${at}`)
    if (place.kind === 'constant') return sql`when 1 then ${event} is not null`
    const { column } = place
    const isThere = testFound(table, place, (quoted) => hasText(column, quoted))
    return sql`when ${isThere} then ${testFound(table, place, (quoted) => equals(column, quoted, event))}`
  })
  const column = findEventColumn(table)
  return column === undefined
    ? sql`case ${join(cases, ' ')} else 0 end`
    : testFound(table, column, (quoted) => equals(column.column, quoted, new Hole('event0')))
}

/** Whether a place has an event: an empty text is none. */
function hasText({ kind }: Column, quoted: Sql): Sql {
  return kind === 'text' ? sql`length(${quoted}) > 0` : sql`${quoted} is not null`
}

/** A scalar subquery, because both servers turn EXISTS into a join that begins at the link table, and then sort. */
function isLinked({ name, id }: EventTable, { table, invoice, event }: EventLink): Sql {
  const key = quoteColumn('link', invoice.column)
  const conditions = [
    matchKey(invoice.column, key, id.column, quoteColumn(name, id.column)),
    equals(event.column, quoteColumn('link', event.column), new Hole('event0')),
  ]
  return sql`(select 1 from ${quote(table)} as \`link\` where ${all(conditions)} limit 1) = 1`
}

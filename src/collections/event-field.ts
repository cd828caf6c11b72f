import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { ColumnResolver, Field, ResolvedField } from './field.js'
import { identifier } from './field-kinds.js'
import type { Documented } from './field-kinds.js'
import { lookupForm, referenceForm, referenceShapes } from './section-options.js'
import { IdentifierOption, TableName, closed, isConstant, isFirst } from './options.js'
import type { EventChoice, IdentifierColumn } from './resolved-table.js'
import {
  findFirstIssue,
  firstForm,
  notEmpty,
  resolveFirst,
  toIdentifierField,
  withFirst,
} from './text-source.js'

/** A column of events of this table or of another, or the first of several that has one. */
const EventOption = withFirst(referenceShapes, referenceForm)
type EventMapping = Static<typeof EventOption>

/** The column that a list is filtered by `eventId` with, where the record does not show it. */
export const EventFilterOption = Type.Union(
  [
    ...EventOption.anyOf,
    Type.Object({ table: TableName, invoice: IdentifierOption, event: IdentifierOption }, closed),
    Type.Null(),
  ],
  {
    description: `a column name, ${lookupForm}, ${firstForm}, { table, invoice, event } for a table that links invoices and events, or null where invoices have no event`,
  },
)
/** The filter `eventId` as the mapping names it. */
export type EventFilterMapping = Static<typeof EventFilterOption>

type EventPlaceMapping = Static<(typeof referenceShapes)[number]>

type ResolvedEvent = ResolvedField & { readonly found: IdentifierColumn | EventChoice }

/** The identifier of an event. */
export function eventIdentifier(documented: Documented) {
  return {
    ...identifier(documented),
    option: EventOption,
    findIssue: findFirstIssue,
    resolve: (option, name, resolver): ResolvedEvent => {
      const found = resolveEventColumn(option, `fields.${name}`, resolver)
      const resolved = resolveFirst<IdentifierColumn>(found, name, (column, nextName) =>
        toIdentifierField(nextName(), column),
      )
      return { ...notEmpty(resolved), found }
    },
  } satisfies Field<typeof EventOption>
}

/** What the filter by event compares. */
export function resolveEventColumn(
  option: EventMapping,
  path: string,
  resolver: ColumnResolver,
): IdentifierColumn | EventChoice {
  const find = (place: EventPlaceMapping): IdentifierColumn =>
    resolver.follow(place, path).findIdentifier(place, path)
  if (!isFirst(option)) return find(option)
  return { first: option.first.map((place) => (isConstant(place) ? place : find(place))) }
}

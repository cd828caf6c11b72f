import type { Static } from '@sinclair/typebox'
import type { ColumnResolver, Field, ResolvedField } from './field.js'
import { identifier } from './field-kinds.js'
import type { Documented } from './field-kinds.js'
import { referenceForm, referenceShapes } from './lookup-option.js'
import { isConstant, isFirst } from './options.js'
import type { EventChoice, IdentifierColumn } from './resolved-table.js'
import { findFirstIssue, resolveFirst, toIdentifierField, withFirst } from './text-source.js'

/** A column of events of this table or of another, or the first of several that has one. */
export const EventOption = withFirst(referenceShapes, referenceForm)
type EventMapping = Static<typeof EventOption>
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
      return { ...resolved, found }
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

import type { BoundValue } from '../database/statement.js'
import type { IdentifierColumn, ResolvedTable } from '../resources/resolved-table.js'
import { toStoredIdentifier } from '../values/identifier.js'

/** The stored form of a workspace, or undefined where the column cannot hold it. */
export function bindWorkspace({ workspace }: ResolvedTable, workspaceId: string): BoundValue | undefined {
  return 'constant' in workspace ? workspaceId : bindIdentifier(workspace, workspaceId)
}

/** The stored form of a caller's text, or undefined where the column cannot hold it. */
export function bindIdentifier(
  { column, identifier }: IdentifierColumn,
  text: string,
): BoundValue | undefined {
  // A CHAR is read without spaces at its end, but a comparison ignores them.
  if (text.endsWith(' ') && /^char\b/i.test(column.type)) return undefined
  return toStoredIdentifier(text, identifier)
}

/** Adds a value under the name of its hole. @returns whether there is one */
export type Add = (name: string, value: BoundValue | undefined) => boolean

/** The stored forms of an event in each place that can have it. @returns whether any can */
export function bindEvent(add: Add, { eventId }: Pick<ResolvedTable, 'eventId'>, text: string): boolean {
  if (eventId === undefined) return false
  if (!('first' in eventId))
    return add('event', bindIdentifier('event' in eventId ? eventId.event : eventId, text))
  const added = eventId.first.map((place, at) =>
    'constant' in place
      ? place.constant === text && add(`event${at}`, text)
      : add(`event${at}`, bindIdentifier(place, text)),
  )
  return added.includes(true) && add('event', text)
}

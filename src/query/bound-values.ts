import type { BoundValue } from '../database/statement.js'
import type { EventLink, IdentifierColumn, ResolvedTable } from '../resources/resolved-table.js'
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

/** The stored form of an event, or undefined where no record can have it. */
export function bindEvent(eventId: ResolvedTable['eventId'], text: string): BoundValue | undefined {
  return eventId === undefined ? undefined : bindIdentifier(toEventColumn(eventId), text)
}

/** The column that the filter `eventId` compares. */
export function toEventColumn(eventId: IdentifierColumn | EventLink): IdentifierColumn {
  return 'event' in eventId ? eventId.event : eventId
}

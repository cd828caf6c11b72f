import type { Schema } from '../database/schema.js'
import { toBound } from './bound.js'
import type { Bound, RegistrationColumns } from './bound.js'
import type { ColumnFinder } from './find-columns.js'
import type { Mapping } from './mapping-schema.js'

/** The columns of registrations, and what their statements select. */
export function bindRegistrations(
  section: Mapping['registrations'],
  schema: Schema,
  finder: ColumnFinder,
): Bound<RegistrationColumns> {
  const { fields } = section
  const names = typeof fields.name === 'string' ? [fields.name] : fields.name.columns
  const columns: RegistrationColumns = {
    id: finder.findIdentifier(fields.id, 'fields.id'),
    eventId: finder.findIdentifier(fields.eventId, 'fields.eventId'),
    status: finder.findStatus(fields.status, 'fields.status'),
    names: names.map((name) => finder.find(name, ['text'], 'fields.name')),
    nameSeparator: typeof fields.name === 'string' ? '' : (fields.name.separator ?? ' '),
    email: finder.find(fields.email, ['text'], 'fields.email'),
    checkedIn:
      typeof fields.checkedIn === 'string'
        ? finder.find(fields.checkedIn, ['integer', 'bit'], 'fields.checkedIn')
        : undefined,
    checkedInAt:
      fields.checkedInAt === undefined
        ? undefined
        : finder.findTime(fields.checkedInAt, 'fields.checkedInAt'),
    createdAt: finder.findTime(fields.createdAt, 'fields.createdAt'),
    updatedAt: finder.findTime(fields.updatedAt, 'fields.updatedAt'),
  }
  const selected = [
    { as: 'id', column: columns.id.column },
    { as: 'eventId', column: columns.eventId.column },
    { as: 'status', column: columns.status.column },
    ...columns.names.map((column, part) => ({ as: toNamePart(part), column })),
    { as: 'email', column: columns.email },
    ...(columns.checkedIn === undefined ? [] : [{ as: 'checkedIn', column: columns.checkedIn }]),
    ...(columns.checkedInAt === undefined ? [] : [{ as: 'checkedInAt', column: columns.checkedInAt.column }]),
    { as: 'createdAt', column: columns.createdAt.column },
    { as: 'updatedAt', column: columns.updatedAt.column },
  ]
  return toBound(section, schema, finder, { columns, eventId: columns.eventId, selected })
}

/** The name under which a part of a split name is selected: `name`, `name2`, `name3`. */
export function toNamePart(part: number): string {
  return part === 0 ? 'name' : `name${part + 1}`
}

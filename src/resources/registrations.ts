import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { toNamePart } from '../mapping/bind-registrations.js'
import type { Bound, RegistrationColumns } from '../mapping/bound.js'
import { readBoolean } from '../values/boolean.js'
import { joinTexts } from '../values/text.js'
import {
  createIdentifierReader,
  createStatusReader,
  createTextReader,
  createTimeReader,
  listStatuses,
  named,
} from './collection.js'
import type { ResolvedResource } from './collection.js'
import { IdentifierField, NullableTimestampField, StatusField, TimestampField } from './fields.js'

/** A registration as callers see it. Source: `docs/contract.md`, "Records". */
export const RegistrationSchema = Type.Object(
  {
    id: IdentifierField('Unique among the registrations of all workspaces.', '01JNC8Q4Z6V3T9W2K5M7XB0RDE'),
    eventId: IdentifierField('The event that the person registered for.', '01JNC8PZX1F4H6J8K0M2N4P6Q8'),
    status: StatusField('CONFIRMED'),
    name: Type.String({ description: "The attendee's name, in any script.", examples: ['نورة القحطاني'] }),
    email: Type.String({
      description: "The attendee's e-mail address, as it was entered.",
      examples: ['noura@example.com'],
    }),
    checkedIn: Type.Boolean({
      description: 'Whether the attendee was checked in at the event.',
      examples: [true],
    }),
    checkedInAt: NullableTimestampField(
      'When; null whenever `checkedIn` is false, or the time was not kept.',
    ),
    createdAt: TimestampField('When the registration was made.', '2026-02-20T14:05:11.000Z'),
    updatedAt: TimestampField('When the registration last changed.', '2026-03-01T09:30:00.123Z'),
  },
  {
    $id: 'Registration',
    additionalProperties: false,
    description: "One person's registration for one event.",
  },
)

/** A registration as callers see it. */
export type RegistrationView = Static<typeof RegistrationSchema>

type RegistrationRow = Readonly<Partial<Record<string, unknown>>>

/** The registrations of a mapped table. */
export function createRegistrations(bound: Bound<RegistrationColumns>): ResolvedResource<RegistrationView> {
  const { table: source, columns, invalidRows } = bound
  return {
    name: 'registrations',
    scope: 'registration.read',
    table: source,
    invalidRows,
    statuses: listStatuses(columns.status.values?.values()),
    schema: RegistrationSchema,
    toView: createRegistrationMapper(columns),
  }
}

function createRegistrationMapper(columns: RegistrationColumns): (row: RegistrationRow) => RegistrationView {
  const readId = createIdentifierReader('id', columns.id)
  const readEventId = createIdentifierReader('eventId', columns.eventId)
  const readStatus = createStatusReader(columns.status)
  const readName = createNameReader(columns)
  const readEmail = createTextReader('email')
  const readCheckIn = createCheckInReader(columns)
  const readCreatedAt = createTimeReader('createdAt', columns.createdAt)
  const readUpdatedAt = createTimeReader('updatedAt', columns.updatedAt)
  return (row) => {
    const { checkedIn, checkedInAt } = readCheckIn(row)
    return {
      id: readId(row['id']),
      eventId: readEventId(row['eventId']),
      status: readStatus(row['status']),
      name: readName(row),
      email: readEmail(row['email']),
      checkedIn,
      checkedInAt,
      createdAt: readCreatedAt(row['createdAt']),
      updatedAt: readUpdatedAt(row['updatedAt']),
    }
  }
}

function createNameReader({ names, nameSeparator }: RegistrationColumns): (row: RegistrationRow) => string {
  const parts = names.map((_, part) => toNamePart(part))
  if (parts.length === 1) {
    const readName = createTextReader('name')
    return (row) => readName(row['name'])
  }
  const join = named('name', (cells) => joinTexts(cells as readonly unknown[], nameSeparator))
  return (row) => join(parts.map((part) => row[part]))
}

type CheckIn = Pick<RegistrationView, 'checkedIn' | 'checkedInAt'>

/** The two fields hang together: a time without a check-in is not shown, whatever the columns say. */
function createCheckInReader(columns: RegistrationColumns): (row: RegistrationRow) => CheckIn {
  const readFlag = named('checkedIn', readBoolean)
  const readTime =
    columns.checkedInAt === undefined ? undefined : createTimeReader('checkedInAt', columns.checkedInAt)
  return (row) => {
    const time = row['checkedInAt'] ?? null
    const checkedIn = columns.checkedIn === undefined ? time !== null : readFlag(row['checkedIn'])
    const checkedInAt = checkedIn && time !== null && readTime !== undefined ? readTime(time) : null
    return { checkedIn, checkedInAt }
  }
}

import { defineCollection } from './define-collection.js'
import { status } from './status-field.js'
import { personalText, personName } from './text-fields.js'
import { changeTimestamp, nullableTimestamp, timestamp } from './time-fields.js'
import { flag } from './flag-field.js'
import { eventIdentifier, identifier } from './identifier-fields.js'

/** One person's registration for one event. Source: `docs/contract.md`, "Records". */
export const registrations = defineCollection({
  name: 'registrations',
  typeName: 'Registration',
  scope: 'registration.read',
  description: "One person's registration for one event.",
  fields: {
    id: identifier({
      description: 'Unique among the registrations of all workspaces.',
      example: '01JNC8Q4Z6V3T9W2K5M7XB0RDE',
    }),
    eventId: eventIdentifier({
      description: 'The event that the person registered for.',
      example: '01JNC8PZX1F4H6J8K0M2N4P6Q8',
    }),
    status: status({ example: 'CONFIRMED' }),
    name: personName({ description: "The attendee's name, in any script.", example: 'نورة القحطاني' }),
    email: personalText({
      description: "The attendee's e-mail address, as it was entered.",
      example: 'noura@example.com',
    }),
    checkedIn: flag({
      description: 'Whether the attendee was checked in at the event.',
      example: true,
      from: 'checkedInAt',
    }),
    checkedInAt: nullableTimestamp({
      description:
        'The time of the check-in; null if `checkedIn` is false or the product did not store the time.',
      example: '2026-03-01T08:55:02.040Z',
      unless: 'checkedIn',
    }),
    createdAt: timestamp({
      description: 'When the registration was made.',
      example: '2026-02-20T14:05:11.000Z',
    }),
    updatedAt: changeTimestamp({
      description: 'When the registration last changed.',
      example: '2026-03-01T09:30:00.123Z',
    }),
  },
})

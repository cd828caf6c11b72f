import { listEvents } from './events.js'
import { chooseRows } from './choose-rows.js'
import { findCheckIn, listEmails, listNames } from './people.js'
import { toSection } from './section.js'
import type { Section, SectionInput } from './section.js'
import { listStatuses, registrationSigns } from './status.js'
import { listCreated, listUpdated } from './times.js'
import { registrationTypes } from './visibility.js'

/** The section `registrations` for a table. */
export async function proposeRegistrations(input: SectionInput): Promise<Section> {
  const { table, findReferences, readCodes, recorder } = input
  const at = (field: string): string => `registrations.fields.${field}`
  const rows = await chooseRows(input, 'registrations', registrationTypes)
  const eventId = await recorder.choose({
    path: at('eventId'),
    wanted: 'the event that the person registered for',
    candidates: listEvents(table, findReferences),
  })
  const status = await recorder.choose({
    path: at('status'),
    wanted: 'the state of the registration',
    candidates: await listStatuses(table, {
      readCodes,
      findReferences,
      signs: registrationSigns,
      otherwise: 'CONFIRMED',
    }),
  })
  const name = await recorder.choose({
    path: at('name'),
    wanted: 'the name of the attendee',
    candidates: listNames(table, findReferences),
  })
  const email = await recorder.choose({
    path: at('email'),
    wanted: 'the e-mail address of the attendee',
    candidates: listEmails(table, findReferences),
  })
  const fields = { id: rows.id, eventId, status, name, email, ...(await chooseCheckIn(input)) }
  return { ...rows.section, fields: { ...toSection(fields), ...(await chooseTimes(input, 'registrations')) } }
}

async function chooseCheckIn({ table, recorder }: SectionInput): Promise<Section> {
  const found = findCheckIn(table)
  const checkedIn = await recorder.choose({
    path: 'registrations.fields.checkedIn',
    wanted: 'whether the person was checked in',
    candidates: found.checkedIn,
  })
  const isFromTime = typeof checkedIn === 'object' && checkedIn !== null && 'from' in checkedIn
  const isNever = typeof checkedIn === 'object' && checkedIn !== null && 'constant' in checkedIn
  const checkedInAt = isNever
    ? undefined
    : await recorder.choose({
        path: 'registrations.fields.checkedInAt',
        wanted: 'when the person was checked in',
        candidates: found.checkedInAt,
        optional: !isFromTime,
      })
  return toSection({ checkedIn, checkedInAt })
}

/** The two times that every record has. */
export async function chooseTimes({ table, recorder }: SectionInput, section: string): Promise<Section> {
  const createdAt = await recorder.choose({
    path: `${section}.fields.createdAt`,
    wanted: 'when the record was created',
    candidates: listCreated(table),
  })
  const updatedAt = await recorder.choose({
    path: `${section}.fields.updatedAt`,
    wanted: 'when the record last changed',
    candidates: listUpdated(table),
  })
  return toSection({ createdAt, updatedAt })
}

import { isRealDay } from '../values/calendar.js'
import { parseApiTime, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { createInvalid, describeWord } from './query-string.js'

const form =
  'an RFC 3339 timestamp with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T12:30:00.5+03:00, or a date'

/** The instant of a value of `updatedSince`. @throws Problem that says what is wrong with it */
export function parseUpdatedSince(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const instant = parseApiTime(text)
  if (instant === undefined) throw createInvalid('updatedSince', describeMistake(text))
  // A cursor could not carry it.
  if (instant.seconds < 0 && toInstantText(instant) === undefined)
    throw createInvalid('updatedSince', 'is before the year 0')
  return instant
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)(?:([Tt ])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(.*))?$/

/** What a text is that is no instant. Only its digits are repeated. */
function describeMistake(text: string): string {
  const match = dateTime.exec(text)
  const found =
    describeWord(text, 'leave it out to read everything') ??
    (match === null ? describeForm(text) : (describeDay(match) ?? describeTime(match)))
  return found ?? `is not ${form}`
}

function describeForm(text: string): string | undefined {
  if (/^\d{9,19}(?:\.\d+)?$/.test(text)) return `is a number; send ${form}`
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{4}/.test(text))
    return 'does not begin with the year; write the day as 2026-03-01'
  return undefined
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
]

function describeDay([, year = '', month = '', day = '']: RegExpExecArray): string | undefined {
  const name = months[Number(month) - 1]
  if (name === undefined) return `has the month ${month}; months are 01 to 12`
  if (isRealDay(Number(year), Number(month), Number(day))) return undefined
  return `has a day that does not exist: ${Number(day)} ${name} ${year}`
}

function describeTime(match: RegExpExecArray): string | undefined {
  const [separator, hour, minute, second, fraction = '', zone] = match.slice(4)
  const time = [hour, minute, second].join(':')
  const mistakes: readonly (readonly [isMade: boolean, found: string])[] = [
    [separator === ' ', 'has a space between date and time; write T'],
    [second === undefined, 'has no seconds; write the time as 09:30:00'],
    [!/^([01]\d|2[0-3])(:[0-5]\d){2}$/.test(time), `has a time that does not exist: ${time}`],
    [fraction.length > 9, 'has more than nine fractional digits'],
    [zone === '', 'has no offset; add Z for UTC, or an offset such as +03:00'],
  ]
  const [, found] = mistakes.find(([isMade]) => isMade) ?? []
  return found ?? 'has an offset that is not valid; write Z for UTC, or hours and minutes as in +03:00'
}

import type { Zone } from './instant.js'

/*
 * What the text of DATETIME columns means: an offset, or the local time of a zone of the IANA database, which Node has from
 * ICU. A local time that occurs twice in autumn means the earlier instant; one that does not exist in spring means the
 * instant at which the clocks change.
 */

const offsetForm = /^([+-])(\d{2}):(\d{2})$/

/** The zone of an offset such as `+03:00`, or of a name such as `Europe/Berlin`; undefined for another text. */
export function parseZone(text: string): Zone | undefined {
  const match = offsetForm.exec(text)
  if (match === null) return createNamedZone(text)
  return createOffsetZone((match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])))
}

/** The zone of a number of minutes east of UTC. */
export function createOffsetZone(minutes: number): Zone {
  return {
    name: formatOffset(minutes),
    toInstant: ({ seconds, micros }) => ({ seconds: seconds - minutes * 60, micros }),
    toFirstLocal: ({ seconds, micros }) => ({ seconds: seconds + minutes * 60, micros }),
  }
}

/** An offset such as `+03:00`. @param minutes east of UTC */
export function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'))
  return `${minutes < 0 ? '-' : '+'}${hours ?? ''}:${rest ?? ''}`
}

/** The change of the clocks around a day. Offsets are in seconds east of UTC. */
interface Change {
  /** The first instant with the offset `after`, in seconds since 1970. */
  readonly at: number
  readonly before: number
  /** Equal to `before` where the clocks do not change. */
  readonly after: number
}

function createNamedZone(name: string): Zone | undefined {
  const readOffset = createOffsetReader(name)
  if (readOffset === undefined) return undefined
  const findChange = createChangeFinder(readOffset)
  return {
    name,
    toInstant: ({ seconds, micros }) => {
      const { at, before, after } = findChange(seconds)
      if (seconds - before < at) return { seconds: seconds - before, micros }
      return seconds - after < at ? { seconds: at, micros: 0 } : { seconds: seconds - after, micros }
    },
    toFirstLocal: ({ seconds, micros }) => {
      const { at, before, after } = findChange(seconds)
      // The local times of the gap mean this instant too.
      if (seconds === at && micros === 0 && after > before) return { seconds: at + before, micros }
      if (seconds >= at) return { seconds: seconds + after, micros }
      // A row that is written in the repeated hour has a smaller local time than one that was written before.
      return seconds >= at - (before - after)
        ? { seconds: at + after, micros: 0 }
        : { seconds: seconds + before, micros }
    },
  }
}

/** Reads the offset at an instant from ICU; undefined for a name that it does not know. */
function createOffsetReader(name: string): ((seconds: number) => number) | undefined {
  const format = createFormat(name)
  if (format === undefined) return undefined
  return (seconds) => {
    const parts = format.formatToParts(seconds * 1000)
    const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text)
    if (match === null) throw new Error(`Not an offset: ${text}`)
    const [, sign, hours = 0, minutes = 0, rest = 0] = match
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest))
  }
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const secondsOfDay = 86_400
/** The days whose changes are kept: ICU takes 30 µs for an offset. */
const daysMax = 4096

/** Finds the change of the clocks near a time, in local or in universal time: from a day before its day to a day after. */
function createChangeFinder(readOffset: (seconds: number) => number): (seconds: number) => Change {
  const changes = new Map<number, Change>()
  return (seconds) => {
    const day = Math.floor(seconds / secondsOfDay)
    const change =
      changes.get(day) ?? readChange(readOffset, (day - 1) * secondsOfDay, (day + 2) * secondsOfDay)
    if (changes.size >= daysMax) changes.clear()
    changes.set(day, change)
    return change
  }
}

function readChange(readOffset: (seconds: number) => number, from: number, to: number): Change {
  const before = readOffset(from)
  if (readOffset(to) === before) return { at: to, before, after: before }
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (readOffset(middle) === before) low = middle
    else high = middle
  }
  return { at: high, before, after: readOffset(high) }
}

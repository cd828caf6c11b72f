/*
 * The zones that products of the model are in, by the rules of their governments and without a library. The rules hold
 * from 2008, and products in a named zone have no earlier times.
 */

interface Zone {
  readonly standardMinutes: number
  readonly summerMinutes: number
  /** The instants in UTC, in milliseconds, between which there is summer time. */
  readonly findSummer: (year: number) => readonly [from: number, to: number]
}

const hour = 3_600_000
const none = (): readonly [number, number] => [0, 0]

const zones: Readonly<Record<string, Zone>> = {
  'Asia/Riyadh': { standardMinutes: 180, summerMinutes: 180, findSummer: none },
  'Asia/Kolkata': { standardMinutes: 330, summerMinutes: 330, findSummer: none },
  'Europe/Berlin': {
    standardMinutes: 60,
    summerMinutes: 120,
    findSummer: (year) => [findSunday(year, 2, 25) + hour, findSunday(year, 9, 25) + hour],
  },
  'America/New_York': {
    standardMinutes: -300,
    summerMinutes: -240,
    findSummer: (year) => [findSunday(year, 2, 8) + 7 * hour, findSunday(year, 10, 1) + 6 * hour],
  },
}

/** The names of the zones, those with summer time twice: it has the most cases. */
export const zoneNames = [...Object.keys(zones), 'Europe/Berlin', 'America/New_York']

/** The first Sunday on or after a day, at midnight in UTC. */
function findSunday(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month, day))
  return date.getTime() + ((7 - date.getUTCDay()) % 7) * 24 * hour
}

/**
 * The instant of a local time. A time that occurs twice is the earlier one, a time that does not exist the instant at
 * which the clocks change.
 *
 * @param zone an offset such as `+03:00`, or a name.
 */
export function toZoneMicros(local: bigint, zone: string): bigint {
  if (/^[+-]/.test(zone)) return local - BigInt(parseOffset(zone)) * 60_000_000n
  const { standardMinutes, summerMinutes, findSummer } = zones[zone]!
  const [from, to] = findSummer(new Date(Number(local / 1000n)).getUTCFullYear()).map(
    (ms) => BigInt(ms) * 1000n,
  )
  const standard = local - BigInt(standardMinutes) * 60_000_000n
  const summer = local - BigInt(summerMinutes) * 60_000_000n
  if (standard < from!) return standard
  if (summer < from!) return from!
  return summer < to! ? summer : standard
}

/** The last instant that a local time can mean: that of its second occurrence, where it has one. */
export function toLastMicros(local: bigint, zone: string): bigint {
  const first = toZoneMicros(local, zone)
  if (/^[+-]/.test(zone)) return first
  const { standardMinutes, findSummer } = zones[zone]!
  const standard = local - BigInt(standardMinutes) * 60_000_000n
  const [, to] = findSummer(new Date(Number(local / 1000n)).getUTCFullYear())
  return standard >= BigInt(to) * 1000n && first < BigInt(to) * 1000n ? standard : first
}

/** Whether summer time begins at an instant: the local times that do not exist all mean it. */
export function isSummerStart(micros: bigint, zone: string): boolean {
  if (/^[+-]/.test(zone)) return false
  const [from] = zones[zone]!.findSummer(new Date(Number(micros / 1000n)).getUTCFullYear())
  return from > 0 && micros === BigInt(from) * 1000n
}

function parseOffset(zone: string): number {
  const [hours, minutes] = zone.slice(1).split(':').map(Number)
  return (zone.startsWith('-') ? -1 : 1) * (hours! * 60 + minutes!)
}

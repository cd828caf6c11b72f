import { countTexts } from './values.js'
import type { Cells } from './values.js'

/** Milliseconds since 1970 of a time as text; the session's zone is UTC. NaN without one. */
function toMs(cell: string | undefined): number {
  return Date.parse(`${(cell ?? '').slice(0, 23).replace(' ', 'T')}Z`)
}

/** How old the newest time is, such as `newest 12h ago`. */
export function describeNewest(cells: Cells, kind: string, now: string): readonly string[] {
  const newest = cells.reduce((max = '', cell = '') => (cell > max ? cell : max), '') ?? ''
  const time = toMs(kind === 'date' ? `${newest} 00:00:00` : newest)
  if (Number.isNaN(time)) return []
  const minutes = Math.round(Math.abs(toMs(now) - time) / 60_000)
  const hours = Math.round(minutes / 60)
  const age = minutes < 120 ? `${minutes}m` : hours < 48 ? `${hours}h` : `${Math.round(hours / 24)}d`
  return [`newest ${age} ${time > toMs(now) ? 'ahead' : 'ago'}`]
}

/** How many times lie after the creation of their rows. */
export function compareTimes(cells: Cells, created: Cells): readonly string[] {
  const later = cells.filter((cell, i) => (cell ?? '') > (created[i] ?? '9')).length
  return [`>created ${later}`]
}

/** The unit of integers that are times since 1970. */
export function findEpoch(cells: Cells): 's' | 'ms' | 'us' | undefined {
  const numbers = cells.map(Number).filter((number) => number > 0)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const [since, until] = [Date.UTC(2000, 0), Date.UTC(2100, 0)]
  const fits = (ms: number): boolean => low * ms > since && high * ms < until
  return fits(1000) ? 's' : fits(1) ? 'ms' : fits(0.001) ? 'us' : undefined
}

/** The usual distance of a DATETIME from a TIMESTAMP of the same row, in quarters of an hour. */
export function describeOffset(cells: Cells, stamps: Cells, stamp: string): readonly string[] {
  const quarters = cells.map((cell, i) => {
    const minutes = (toMs(cell) - toMs(stamps[i])) / 60_000
    const quarter = Math.round(minutes / 15) * 15
    return Math.abs(minutes) <= 840 && Math.abs(minutes - quarter) < 0.1 ? String(quarter) : undefined
  })
  const [first] = countTexts(quarters)
  const pairs = cells.filter((cell, i) => cell !== undefined && stamps[i] !== undefined).length
  if (first === undefined || first.rows < Math.max(3, pairs / 2)) return []
  const sign = first.code.startsWith('-') ? '' : '+'
  return [`${sign}${first.code}m from ${stamp} in ${first.rows} of ${pairs}`]
}

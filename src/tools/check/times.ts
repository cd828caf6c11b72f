import { parseDatabaseTime } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { formatOffset, parseZone } from '../../values/zone.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { matches } from '../facts/names.js'
import { toSnake } from '../facts/words.js'
import { countValues, readTime, toSeconds, toSeenName } from './sample.js'
import type { Sample } from './sample.js'

/* Whether the times of a collection are read with the right zone and unit, and from the column that moves last. */

/** Clocks of several writers can differ by this much without an error. */
const toleranceSeconds = 5

/** What the times of a sample say. @param now the clock of the database; @param timezone of the mapping */
export function listWrongTimes(sample: Sample, now: Instant, timezone: string): readonly Finding[] {
  const [newest] = sample.rows
  const changed = newest && readTime(sample.collection.table, newest.row)
  const ahead = toSeconds(changed) - toSeconds(now)
  const problem = `contains a change ${Math.round(ahead)} seconds in the future`
  const fix = 'set timezone to the zone that the product writes in, or correct the rows: a sync repeats them'
  const place = `${sample.collection.name}.fields.updatedAt`
  return [
    ...(ahead > toleranceSeconds ? [createError(place, problem, fix)] : []),
    ...(changed === undefined || ahead > toleranceSeconds ? [] : findQuiet(sample, changed, now)),
    ...findOld(sample),
    ...findLater(sample, timezone),
    ...findOffset(sample, timezone),
  ]
}

/** Before it, no product has its newest record: a number was read with a unit that is too small. */
const firstYear = '2000'

function findOld({ rows, collection: { name } }: Sample): readonly Finding[] {
  return ['createdAt', 'updatedAt', 'issueDate'].flatMap((field) => {
    const newest = rows.reduce((most, { record }) => {
      const text = String(record?.[field] ?? '')
      return text > most ? text : most
    }, '')
    const fix = 'write epoch with the unit in which the product counts: s, ms or us'
    const isOld = newest !== '' && newest < firstYear
    return isOld ? [createError(`${name}.fields.${field}`, `its newest time is shown as ${newest}`, fix)] : []
  })
}

/** A product that seems to be quiet for hours, and was changed in the last minutes if the zone were another one. */
function findQuiet({ collection: { table } }: Sample, changed: Instant, now: Instant): readonly Finding[] {
  const { column, zone } = table.updatedAt
  const age = now.seconds - changed.seconds
  if (column.kind !== 'datetime' || age < 45 * 60 || age > 14 * 3600) return []
  const local = (zone?.toFirstLocal(changed) ?? changed).seconds
  const hours = Array.from({ length: 27 }, (_, at) => at - 12).find((offset) => {
    const other = now.seconds - (local - offset * 3600)
    return other >= -toleranceSeconds && other < 300
  })
  if (hours === undefined) return []
  const problem = `the newest change is ${Math.round(age / 60)} minutes old, and would be a few minutes old with ${formatOffset(hours * 60)}`
  return [createWarning('timezone', problem, 'ask in which zone the product writes DATETIME columns')]
}

/** Columns of changes that are later than the one of the mapping; those of another type by a day, as the zone can be wrong. */
function findLater({ rows, seen, collection }: Sample, timezone: string): readonly Finding[] {
  const { updatedAt, name: table } = collection.table
  return seen.flatMap((one) => {
    const isOfChange = one.kind !== 'text' && matches('changeTime', toSnake(one.name))
    if (!isOfChange || one.name === updatedAt.column.name) return []
    const zone = one.kind === 'datetime' ? parseZone(timezone) : undefined
    const least = one.kind === updatedAt.column.kind ? 1 : 86_400
    const later = rows.filter(({ row }) => {
      const time = parseDatabaseTime(String(row[toSeenName(one)]), zone)
      const changed = readTime(collection.table, row)
      return time !== undefined && changed !== undefined && toSeconds(time) > toSeconds(changed) + least
    }).length
    const problem = `${table}.${one.name} is later than ${updatedAt.column.name} in ${later} of ${rows.length} rows of the sample, so a sync can miss changes`
    const fix = 'map the column that moves with every change'
    return later > rows.length / 100
      ? [createWarning(`${collection.name}.fields.updatedAt`, problem, fix)]
      : []
  })
}

const quarter = 900

/**
 * A DATETIME of creation or change that is usually at one distance from such a TIMESTAMP of the same row, which is in UTC
 * whatever the zone is: rows that were not changed since. Where the zone is right, it explains the distance.
 */
function findOffset({ rows, seen, collection }: Sample, timezone: string): readonly Finding[] {
  const zone = parseZone(timezone)
  const times = seen.filter(({ name }) => /creat|insert|regist|updat|modif|chang/.test(toSnake(name)))
  const [locals, stamps] = (['datetime', 'timestamp'] as const).map((kind) =>
    times.filter((one) => one.kind === kind),
  )
  const pairs = locals?.flatMap((local) => (stamps ?? []).map((stamp) => [local, stamp] as const)) ?? []
  const found = pairs.flatMap(([local, stamp]) => {
    const offsets = rows.flatMap(({ row }) => {
      const [written, meant] = [local, stamp].map((one) => parseDatabaseTime(String(row[toSeenName(one)])))
      if (written === undefined || meant === undefined) return []
      const seconds = written.seconds - meant.seconds
      const offset = Math.round(seconds / quarter) * quarter
      const isRight = Math.abs((zone?.toInstant(written) ?? written).seconds - meant.seconds) <= 60
      const isNear = Math.abs(seconds - offset) <= 6 && Math.abs(offset) <= 14 * 3600
      return isRight ? ['right'] : isNear ? [formatOffset(offset / 60)] : ['other']
    })
    const counts = countValues(offsets.filter((one) => one !== 'other'))
    const [most, count] = counts[0] ?? ['right', 0]
    // By chance, one of seventy distances is near to a quarter of an hour.
    if (most === 'right' || count < 10 || count < offsets.length / 20) return []
    const problem = `${collection.table.name}.${local.name} of ${collection.name} is ${most} ahead of the TIMESTAMP ${stamp.name} of the same row`
    const fix = `set timezone to the zone that the product writes in, such as ${most}`
    return [createError('timezone', problem, fix)]
  })
  return found.slice(0, 1)
}

import type { Column } from '../../database/column.js'
import type { Row } from '../../database/statement.js'
import { parseDatabaseTime } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { formatOffset, parseZone } from '../../values/zone.js'
import { countTexts } from '../facts/values.js'
import { toSnake } from '../facts/words.js'
import type { Evidence, Rule } from './contradictions.js'
import { toSeenName } from './sample.js'

/* Whether the times of a collection are read with the right zone and unit, and from the column that moves last. */

/** Clocks of several writers can differ by this much without an error. */
const toleranceSeconds = 5

const quarter = 900

const unit = 'write epoch with the unit in which the product counts: s, ms or us'
const inZone = 'set timezone to the zone that the product writes in, or correct the rows: a sync repeats them'

/** What the times of a sample can say. */
export const timeRules: readonly Rule[] = [
  ['fields.updatedAt', true, findFuture, inZone],
  ['fields.createdAt', true, findOld, unit],
  [
    'fields.createdAt',
    true,
    findSwapped,
    'exchange the columns of createdAt and updatedAt, or correct the zone',
  ],
  ['fields.updatedAt', true, findOld, unit],
  ['fields.issueDate', true, findOld, unit],
  ['/timezone', false, findQuiet, 'ask in which zone the product writes DATETIME columns'],
  ['/timezone', true, findOffset, inZone],
]

/** How many seconds ago the newest change was. */
function findAge({ sample: { shown }, now }: Evidence): number {
  const [newest] = shown
  const changed = newest && Date.parse(String(newest.record['updatedAt'])) / 1000
  return changed === undefined ? 0 : now.seconds - changed
}

function findFuture(evidence: Evidence): string | undefined {
  const age = findAge(evidence)
  return age < -toleranceSeconds ? `contains a change ${Math.round(-age)} seconds in the future` : undefined
}

/** Before the year 2000 no product has its newest record: a number was read with a unit that is too small. */
function findOld({ values }: Evidence): string | undefined {
  const newest = values.toSorted().at(-1) ?? '2'
  return newest < '2' ? `its newest time is shown as ${newest}` : undefined
}

/** More records were created after their last change than before it. Some can be: rows that were copied, and clocks. */
function findSwapped({ sample: { shown } }: Evidence): string | undefined {
  const toMs = (time: unknown): number => Date.parse(String(time))
  const ahead = shown.map(({ record }) => toMs(record['createdAt']) - toMs(record['updatedAt']))
  const later = ahead.filter((ms) => ms > toleranceSeconds * 1000).length
  if (later < 10 || later <= ahead.filter((ms) => ms < 0).length) return undefined
  return `is later than updatedAt in ${later} of ${shown.length} records`
}

/** A product that seems to be quiet for hours, and was changed in the last minutes if the zone were another one. */
function findQuiet(evidence: Evidence): string | undefined {
  const age = findAge(evidence)
  const hours = Math.floor((age + toleranceSeconds) / 3600)
  const isNear = age - hours * 3600 < 300 && hours >= 1 && hours <= 14
  if (evidence.sample.collection.table.updatedAt.column.kind !== 'datetime' || !isNear) return undefined
  return `the newest change is ${Math.round(age / 60)} minutes old, and would be new in a zone that is ${formatOffset(-hours * 60)} from this one`
}

/** A time that no field shows. @param zone of a DATETIME; undefined to read it as UTC */
function readSeen(row: Row, column: Column, zone?: ReturnType<typeof parseZone>): Instant | undefined {
  return parseDatabaseTime(String(row[toSeenName(column)]), column.kind === 'datetime' ? zone : undefined)
}

/**
 * A DATETIME of creation or change that is usually at one distance from such a TIMESTAMP of the same row, which is in UTC
 * whatever the zone is: rows that were not changed since. Where the zone is right, it explains the distance.
 */
function findOffset({ sample, timezone }: Evidence): string | undefined {
  const { seen, shown, collection } = sample
  const zone = parseZone(timezone)
  const times = seen.filter(({ name }) => /creat|insert|regist|updat|modif|chang/.test(toSnake(name)))
  const pairs = times
    .filter(({ kind }) => kind === 'datetime')
    .flatMap((local) => times.flatMap((stamp) => (stamp.kind === 'timestamp' ? [{ local, stamp }] : [])))
  const found = pairs.flatMap(({ local, stamp }) => {
    const offsets = shown.flatMap(({ row }) => {
      const [written, read, meant] = [readSeen(row, local), readSeen(row, local, zone), readSeen(row, stamp)]
      if (written === undefined || meant === undefined) return []
      const seconds = written.seconds - meant.seconds
      const offset = Math.round(seconds / quarter) * quarter
      const isNear = Math.abs(seconds - offset) <= 6 && Math.abs(offset) <= 14 * 3600
      if (Math.abs((read?.seconds ?? 0) - meant.seconds) <= 60) return ['right']
      return isNear ? [formatOffset(offset / 60)] : ['other']
    })
    const [most] = countTexts(offsets.filter((one) => one !== 'other'))
    // By chance, one of seventy distances is near to a quarter of an hour.
    if (most === undefined || most.code === 'right' || most.rows < Math.max(10, offsets.length / 20))
      return []
    const names = `${collection.table.name}.${local.name} of ${collection.name}`
    return [`${names} is ${most.code} ahead of the TIMESTAMP ${stamp.name} of the same row`]
  })
  return found[0]
}

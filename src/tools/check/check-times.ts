import type { Clock } from '../../clock.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { listProjectedColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { epochUnits, parseEpoch } from '../../values/epoch.js'
import type { EpochUnit } from '../../values/epoch.js'
import { formatOffset } from '../../values/zone.js'
import { describeZone } from '../../collections/time-fields.js'
import { readServerClock, toInstantText } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { readTime, toInstantSeconds } from './check-sample.js'
import { readField } from './sample-reader.js'
import type { Sample } from './check-sample.js'
import { createError, createSection, createWarning, toTable } from '../report/report.js'
import type { Finding, Section } from '../report/report.js'

/** The clock of the database, compared with the clock of this machine. */
export interface ClockReading {
  readonly now: Instant
  /** Milliseconds that the database is ahead of this machine; the error is at most half the round trip. */
  readonly aheadMs: number
  readonly roundTripMs: number
}

const attempts = 5

/** Keys expire by the clock of this machine. A greater difference means that a clock is not set by NTP. */
const clockToleranceMs = 1000

/** Clocks of several writers can differ by this much without an error. */
const writerToleranceSeconds = 2

/** Reads the clock of the database several times, and keeps the reading with the shortest round trip. */
export async function readClock(runQuery: RunQuery, clock: Clock): Promise<ClockReading> {
  const readings: ClockReading[] = []
  while (readings.length < attempts) {
    const before = clock()
    const [row] = await runQuery({ sql: 'select utc_timestamp(6) as `now`', values: [] })
    const after = clock()
    const now = readServerClock(row?.['now'])
    const aheadMs = toInstantSeconds(now) * 1000 - (before + after) / 2
    readings.push({ now, aheadMs, roundTripMs: after - before })
  }
  return readings.reduce((best, one) => (one.roundTripMs <= best.roundTripMs ? one : best))
}

/** Whether both clocks show the same time. */
export function checkClock({ aheadMs, roundTripMs }: ClockReading): Section {
  const isOff = Math.abs(aheadMs) - roundTripMs / 2 > clockToleranceMs
  const problem = `differ by ${Math.round(Math.abs(aheadMs))} ms: keys expire that much too ${aheadMs > 0 ? 'late' : 'early'}`
  return createSection({
    id: 'clock',
    title: 'Clocks',
    intro:
      'Syncs use the clock of the database only. The clock of this machine decides when a key has expired, so both clocks should agree.',
    tables: [
      toTable('clock', { aheadMs: 'Database ahead by, ms', roundTripMs: 'Round trip, ms' }, [
        { aheadMs: Math.round(aheadMs), roundTripMs: Math.round(roundTripMs) },
      ]),
    ],
    notes: [],
    findings: isOff ? [createWarning('the clocks', problem, 'set the clocks of both machines by NTP')] : [],
  })
}

/** The newest change of a collection, read with the time zone that the mapping gives the column. */
interface NewestChange {
  readonly collection: BoundCollection
  readonly newest: Instant | undefined
  /** Seconds after the clock of the database. */
  readonly aheadSeconds: number | undefined
  /** Another unit, with which an integer would be a recent time. */
  readonly unit: EpochUnit | undefined
}

/** The section of what follows. */
export const timesHead = { id: 'times', title: 'Time zone of the columns' } as const

/** A change in the future shows that a column is in another time zone than the mapping has. */
export function checkTimes(samples: readonly Sample[], now: Instant): Section {
  const changes = samples.map((sample) => findNewest(sample, now))
  return createSection({
    ...timesHead,
    intro:
      'A DATETIME has no time zone; the mapping says in which one it is written. A change in the future means that it is written in another.',
    tables: [
      toTable(
        'newest',
        {
          collection: 'Collection',
          column: 'Column',
          type: 'Type',
          zone: 'Read as',
          newest: 'Newest, in UTC',
          age: 'Seconds before the database’s clock',
        },
        changes.map(({ collection, newest, aheadSeconds }) => {
          const { updatedAt } = collection.table
          return {
            collection: collection.name,
            column: nameChangeColumn(collection.table),
            type: updatedAt.column.type,
            zone: describeZone(updatedAt),
            newest: newest === undefined ? null : (toInstantText(newest) ?? null),
            age: aheadSeconds === undefined ? null : Math.round(-aheadSeconds),
          }
        }),
      ),
    ],
    notes: [],
    findings: [
      ...changes.flatMap(evaluateFuture),
      ...samples.flatMap(evaluateOrder),
      ...samples.flatMap((sample) => evaluateUnits(sample, now)),
    ],
  })
}

function evaluateFuture({ collection, newest, aheadSeconds, unit }: NewestChange): readonly Finding[] {
  if (newest === undefined || aheadSeconds === undefined || aheadSeconds <= writerToleranceSeconds) return []
  const problem = `contains a change ${Math.round(aheadSeconds)} seconds in the future`
  const fix =
    unit === undefined
      ? adviseZone(collection.table, newest, aheadSeconds)
      : adviseUnit(collection, 'updatedAt', unit)
  return [createError(nameChangeColumn(collection.table), problem, fix)]
}

/** A row that was created after its last change shows that the two columns are not in the same time zone. */
function evaluateOrder({ collection, rows }: Sample): readonly Finding[] {
  const { name, table } = collection
  const early = rows.flatMap((row) => {
    const seconds = readSecondsToChange(row)
    return seconds !== undefined && seconds < -writerToleranceSeconds ? [-seconds] : []
  })
  if (early.length === 0) return []
  const most = Math.round(Math.max(...early))
  const problem = `${early.length} of ${rows.length} rows of the sample were created after their last change, by up to ${most} seconds`
  const fix = `if only one of the two columns of ${name}.fields.createdAt and updatedAt is a DATETIME, set timezone to the zone that the product writes it in`
  return [createWarning(nameChangeColumn(table), problem, fix)]
}

/** Before it, no product has its newest record: a number was read with a unit that is too small. */
const firstYear = '2000'

/** An integer that counts in a greater unit than the mapping says is shown as a time of 1970. */
function evaluateUnits({ collection, rows }: Sample, now: Instant): readonly Finding[] {
  const { table, fields } = collection
  return ['createdAt', 'updatedAt'].flatMap((field) => {
    const [found] = listProjectedColumns(fields[field]?.projection ?? [])
    if (found?.column.kind !== 'integer') return []
    const times = rows.map((row) => ({ shown: readField(row, field) ?? '', cell: row[field] }))
    const [{ shown, cell } = { shown: '', cell: undefined }] = times.sort((a, b) =>
      a.shown < b.shown ? 1 : -1,
    )
    if (shown === '' || shown >= firstYear) return []
    const unit = findUnit(cell, now)
    const problem = `its newest time is shown as ${shown}, which is before the year ${firstYear}`
    return [createWarning(nameColumn(table.name, found), problem, adviseUnit(collection, field, unit))]
  })
}

function adviseUnit({ name }: BoundCollection, field: string, unit: EpochUnit | undefined): string {
  const known = unit === undefined ? '' : `: with ${unit}, the time would be a recent one`
  return `set epoch in ${name}.fields.${field} to the unit in which the product counts${known}`
}

/** The unit with which an integer is a time from the year 2000 to a day from now. */
function findUnit(cell: unknown, now: Instant): EpochUnit | undefined {
  const [first, last] = [Date.parse(firstYear) / 1000, now.seconds + 86_400]
  return epochUnits.find((unit) => {
    const { seconds } = parseEpoch(cell, unit) ?? { seconds: 0 }
    return seconds >= first && seconds <= last
  })
}

function nameChangeColumn({ name, updatedAt }: ResolvedTable): string {
  return nameColumn(name, updatedAt)
}

function nameColumn(table: string, { column, lookup }: FoundColumn): string {
  return `${lookup?.table ?? table}.${column.name}`
}

/** Seconds from the creation of a record to its last change; undefined for a row that cannot be shown. */
function readSecondsToChange(row: Row): number | undefined {
  const [createdAt, updatedAt] = ['createdAt', 'updatedAt'].map((field) => readField(row, field))
  if (createdAt === undefined || updatedAt === undefined) return undefined
  return (Date.parse(updatedAt) - Date.parse(createdAt)) / 1000
}

function findNewest({ collection, rows }: Sample, now: Instant): NewestChange {
  // They are in the order of their changes.
  const newest = rows[0] && readTime(collection.table, rows[0])
  const aheadSeconds = newest && toInstantSeconds(newest) - toInstantSeconds(now)
  const { epoch } = collection.table.updatedAt
  const unit = epoch === undefined ? undefined : findUnit(rows[0]?.['updatedAt'], now)
  return { collection, newest, aheadSeconds, unit: unit === epoch ? undefined : unit }
}

/** The smallest offset, in quarter hours as time zones have them, with which the newest change is in the past. */
function adviseZone({ updatedAt }: ResolvedTable, newest: Instant, aheadSeconds: number): string {
  const offset = (updatedAt.zone?.toFirstLocal(newest) ?? newest).seconds - newest.seconds
  const minutes = Math.round(offset / 60) + Math.ceil(aheadSeconds / 900) * 15
  if (updatedAt.column.kind !== 'datetime' || minutes > 14 * 60)
    return 'correct the time of change of these rows: a sync would return them again and again'
  return `set timezone to the zone that the product writes in; with ${formatOffset(minutes)} the change would be in the past`
}

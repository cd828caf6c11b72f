import type { Description } from '../description.js'
import { join, quote, sql, toStatement } from '../../database/sql.js'
import type { Row } from '../../database/statement.js'
import { listProjectedColumns } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { parseDatabaseTime } from '../../values/instant.js'
import type { Instant, Zone } from '../../values/instant.js'
import { formatOffset, parseZone } from '../../values/zone.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { fromNewest } from './groups-sql.js'
import type { Question } from './questions.js'
import { readTime, toInstantSeconds } from './sample.js'
import type { Sample } from './sample.js'

/* Whether the times of a collection are read with the right zone and unit. */

/** Clocks of several writers can differ by this much without an error. */
const toleranceSeconds = 5

/** What the newest times of a sample say. @param now the clock of the database */
export function findWrongTimes(
  { rows: [newest, ...rows], collection }: Sample,
  now: Instant,
): readonly Finding[] {
  const changed = newest && readTime(collection.table, newest.row)
  if (newest === undefined || changed === undefined) return []
  const ahead = toInstantSeconds(changed) - toInstantSeconds(now)
  const problem = `contains a change ${Math.round(ahead)} seconds in the future`
  const fix = 'set timezone to the zone that the product writes in, or correct the rows: a sync repeats them'
  if (ahead > toleranceSeconds) return [createError(`${collection.name}.fields.updatedAt`, problem, fix)]
  return [...findQuiet(collection, changed, now), ...findOld(collection, [newest, ...rows])]
}

/** Before it, no product has its newest record: a number was read with a unit that is too small. */
const firstYear = '2000'

function findOld({ name }: BoundCollection, rows: Sample['rows']): readonly Finding[] {
  return ['createdAt', 'updatedAt', 'issueDate'].flatMap((field) => {
    const texts = rows.map(({ record }) => String(record?.[field] ?? ''))
    const newest = texts.reduce((a, b) => (a > b ? a : b), '')
    const fix = 'write epoch with the unit in which the product counts: s, ms or us'
    const isOld = newest !== '' && newest < firstYear
    return isOld ? [createError(`${name}.fields.${field}`, `its newest time is shown as ${newest}`, fix)] : []
  })
}

/** A product that seems to be quiet for hours, and was changed in the last minutes if the zone were another one. */
function findQuiet({ table }: BoundCollection, changed: Instant, now: Instant): readonly Finding[] {
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

/** Compares each mapped DATETIME with each TIMESTAMP of the same row, which is in UTC whatever the zone is. */
export function askOffsets(
  { name, table, fields }: BoundCollection,
  description: Description,
  timezone: string,
): readonly Question[] {
  const own = Object.values(fields).flatMap(({ projection }) => listProjectedColumns(projection))
  const mapped = own.filter(({ lookup, column }) => lookup === undefined && column.kind === 'datetime')
  const locals = [...new Set(mapped.map(({ column }) => column.name))]
  const all = description.get(table.name)?.columns ?? []
  const stamps = all.filter(({ kind }) => kind === 'timestamp').map((column) => column.name)
  if (locals.length === 0 || stamps.length === 0) return []
  const names = [...locals, ...stamps]
  const cells = names.map((column) => sql`cast(${quote(column)} as char) as ${quote(column)}`)
  const statement = sql`select ${join(cells, ', ')} from ${fromNewest(table, names)} limit ${'500'}`
  const evaluate = (rows: readonly Row[]): readonly Finding[] => {
    const pairs = locals.flatMap((local) => stamps.map((stamp) => ({ local, stamp })))
    const found = pairs.flatMap(({ local, stamp }) => {
      const offset = findOffset(
        rows.map((row) => [row[local], row[stamp]]),
        parseZone(timezone),
      )
      const problem = `${table.name}.${local} of ${name} is ${offset ?? ''} ahead of the TIMESTAMP ${stamp} of the same row`
      const fix = `set timezone to the zone that the product writes in, such as ${offset ?? ''}`
      return offset === undefined ? [] : [createError('timezone', problem, fix)]
    })
    return found.slice(0, 1)
  }
  return [{ object: 'timezone', statement: toStatement(statement), evaluate }]
}

const quarter = 900

/** The offset between two columns; undefined where the zone explains it, or where they are of different moments. */
function findOffset(rows: readonly (readonly unknown[])[], zone: Zone | undefined): string | undefined {
  const pairs = rows.flatMap(([local, stamp]) => {
    const [written, meant] = [parseDatabaseTime(String(local)), parseDatabaseTime(String(stamp))]
    return written === undefined || meant === undefined ? [] : [{ written, meant }]
  })
  const near = pairs.flatMap(({ written, meant }) => {
    const seconds = written.seconds - meant.seconds
    const offset = Math.round(seconds / quarter) * quarter
    const isNear = Math.abs(seconds - offset) <= 6 && Math.abs(offset) <= 14 * 3600
    const read = zone?.toInstant(written) ?? written
    return isNear ? [{ offset, isRight: Math.abs(read.seconds - meant.seconds) <= 60 }] : []
  })
  const wrong = near.filter(({ isRight }) => !isRight)
  if (near.length < 10 || near.length < pairs.length * 0.8 || wrong.length <= near.length / 10)
    return undefined
  return formatOffset((wrong[0]?.offset ?? 0) / 60)
}

import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { quote, sql } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import type { Column } from '../database/column.js'
import { isZeroEpoch, readEpoch, toEpoch } from '../values/epoch.js'
import type { EpochUnit } from '../values/epoch.js'
import { readDay, readDayStart, readTimestamp, showInstant, toDatabaseTime } from '../values/instant.js'
import type { Instant, Zone } from '../values/instant.js'
import { missingColumn } from './column-resolver.js'
import type { AcceptedColumn, ColumnResolver } from './column-resolver.js'
import { alwaysNull, defineField, toColumnField } from './field.js'
import type { Documented, ResolvedField, Wanted } from './field.js'
import { closed, foundColumn, oneOf, ownColumn, partsOf } from './options.js'
import type { ColumnOption } from './options.js'
import type { FoundColumn } from './found-column.js'
import { isNull, zeroOf } from './row-test.js'

const epoch = oneOf(['s', 'ms', 'us'], {
  title: 'epoch',
  description: 's, ms or us: the unit of an integer that counts from 1970-01-01 UTC',
})
const timeForm = 'a column name, or { column, epoch: s | ms | us } for an integer'
/** A point in time, in a column of the same table. */
export const TimeOption = ownColumn({ epoch }, timeForm)
const FoundTimeOption = foundColumn({ epoch }, timeForm)
const NullableDayOption = Type.Union([FoundTimeOption, Type.Null()], {
  description: `${FoundTimeOption.description}; null where the product has none`,
})

const neverChanges = oneOf([true], {
  description: 'true, where a record never changes after it was made',
})
const bothTimes = 'two columns: the time of the last change, and the one that counts where it is NULL'
const First = Type.Object(
  { first: Type.Array(TimeOption, { minItems: 2, maxItems: 2, description: bothTimes }) },
  closed,
)
const changeForm =
  'a column of the same table: with a time of another table, a sync misses changes; { column, epoch, neverChanges: true } where records never change, or { first: [updated_at, created_at] } where it is NULL before the first change'
const ChangeTimeOption = Type.Union(
  [ownColumn({ epoch, neverChanges }, changeForm, { description: changeForm }), First],
  { description: changeForm },
)
/** The time of the last change as the mapping names it. */
export type ChangeTimeMapping = Static<typeof ChangeTimeOption>

/** A column of points in time, and how its cells are written. */
export interface TimeColumn extends FoundColumn {
  /** The zone of the text of the cells; undefined for UTC. */
  readonly zone: Zone | undefined
  /** The unit of integers since 1970-01-01 UTC; undefined for a column of dates and times. */
  readonly epoch?: EpochUnit | undefined
}

const form = 'DATETIME or TIMESTAMP; for an integer since 1970, { column, epoch: s }, or ms or us'
const times: AcceptedColumn = { kinds: ['datetime', 'timestamp'], form }
const days: AcceptedColumn = { kinds: ['datetime', 'timestamp', 'date'], form: `DATE, ${form}` }
const epochs: AcceptedColumn = {
  kinds: ['integer'],
  form: 'an integer type; for another one, the column name without epoch',
}

/** A DATETIME or DATE has the zone of the mapping, a TIMESTAMP is in UTC. */
export function findTime(
  option: ColumnOption<{ readonly epoch?: EpochUnit }>,
  columns: ColumnResolver,
  accepted = times,
): TimeColumn {
  const { epoch: unit } = partsOf(option)
  const found = columns.find(option, unit === undefined ? accepted : epochs)
  const { kind } = found.column
  return { ...found, zone: kind === 'datetime' || kind === 'date' ? columns.zone : undefined, epoch: unit }
}

/** The rows whose time one column has, which stand in the order of a list by one index. */
export interface TimeRange {
  readonly column: Column
  /** Whether these are rows without a change: NULL in the column of changes, or a zero date there. */
  readonly unchanged?: 'null' | 'zero'
  readonly conditions?: readonly Sql[]
}

/** The ranges of which a page is merged: one, unless the time of change can be NULL. */
export function listTimeRanges({ column, untilChanged }: TimeColumn): readonly TimeRange[] {
  if (untilChanged === undefined) return [{ column }]
  const [cell, zero] = [quote(column.name), zeroOf(column)]
  const isChanged = zero === undefined ? sql`${cell} is not null` : sql`${cell} > ${zero}`
  return [
    { column, conditions: [isChanged] },
    { column: untilChanged, unchanged: 'null', conditions: [isNull(column, cell)] },
    // Of a column that is NOT NULL, IS NULL finds zero dates too.
    ...(zero !== undefined && column.mayBeZero === true && column.nullable
      ? [{ column: untilChanged, unchanged: 'zero', conditions: [sql`${cell} = ${zero}`] } as const]
      : []),
  ]
}

/** The stored form for each column of times: the digits of their fractions can differ. */
export function bindSince(time: TimeColumn, since: Instant): Wanted {
  return listTimeRanges(time).map(({ column }, at) => [
    `since${at}`,
    toStoredTime({ ...time, column }, since),
  ])
}

/** The stored form of an instant, so that `>=` holds for exactly the times at or after it; undefined after the year 9999. */
export function toStoredTime({ column, zone, epoch }: TimeColumn, instant: Instant): string | undefined {
  if (epoch !== undefined) return column.unsigned && instant.seconds < 0 ? '0' : toEpoch(instant, epoch)
  return toDatabaseTime(instant, zone, column.fractionDigits)
}

// No pattern beside `format`: generated clients convert such a field to a date first, and then fail to match it.
function timestampSchema({ description, example }: Documented) {
  return Type.String({ format: 'date-time', description, examples: [example] })
}

function daySchema({ description, example }: Documented) {
  return Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$',
    description: `${description} ISO 8601: a date such as \`2026-03-01\`, or a UTC timestamp where the product keeps the time of day too.`,
    examples: [example],
  })
}

function nullable(schema: TSchema): TSchema {
  const examples = [...(schema['examples'] as string[]), null]
  return Type.Unsafe({ ...schema, type: ['string', 'null'], examples })
}

/** A field of times in a column of this table or of another. */
function timeField(toSchema: (documented: Documented) => TSchema, readAsDay: ReadAsDay) {
  return (documented: Documented) =>
    defineField(
      { content: 'time', schema: toSchema(documented), option: FoundTimeOption },
      (option, columns) => toTimeField(findTime(option, columns, days), columns, readAsDay),
    )
}
/** A UTC timestamp with three fractional digits; a day is the instant at which it begins in the zone of the mapping. */
export const timestamp = timeField(timestampSchema, readDayStart)
/** A day: a DATE stays a date, a column that holds the time of day becomes a timestamp. */
export const day = timeField(daySchema, readDay)

/** The time of the last change, by which lists are ordered. */
export function changeTimestamp(documented: Documented) {
  const schema = timestampSchema(documented)
  return defineField({ content: 'time', schema, option: ChangeTimeOption }, (option, columns) => {
    const several = typeof option === 'object' && 'first' in option ? option.first : [option]
    const [found, first] = several.map((place) => findTime(place, columns))
    if (found === undefined) throw new Error('The schema has one')
    const { column, epoch: unit } = found
    // Their texts are compared with each other, and stand in one cursor.
    if (
      first !== undefined &&
      column !== missingColumn &&
      (first.column.kind !== column.kind || first.epoch !== unit)
    )
      columns.reportColumn(first, `the type of ${column.name}, ${column.type}`)
    return toTimeField({ ...found, untilChanged: first?.column }, columns)
  })
}

/**
 * A timestamp that is null unless the flag of another field is true, and whose column the mapping may leave out.
 *
 * @param documented with the field of the flag.
 */
export function nullableTimestamp({ unless, ...documented }: Documented & { readonly unless: string }) {
  const schema = nullable(timestampSchema(documented))
  const declared = { content: 'time', schema, option: Type.Optional(FoundTimeOption) } as const
  return defineField(declared, (option, columns): ResolvedField => {
    if (option === undefined) return alwaysNull
    const field = orNull(toTimeField(findTime(option, columns), columns))
    return {
      ...field,
      needs: unless,
      read: (row, readField) => (readField(unless, row) === true ? field.read(row, readField) : null),
    }
  })
}

/** A day that the product may leave empty. */
export function nullableDay(documented: Documented) {
  const schema = nullable(daySchema(documented))
  return defineField({ content: 'time', schema, option: NullableDayOption }, (option, columns) =>
    option === null ? alwaysNull : orNull(toTimeField(findTime(option, columns, days), columns, readDay)),
  )
}

/** How a DATE is shown: as a day, or as the instant at which it begins. */
type ReadAsDay = (cell: unknown, zone?: Zone) => string

function toTimeField(found: TimeColumn, columns: ColumnResolver, readAsDay: ReadAsDay = readTimestamp) {
  const { column, zone, epoch: unit } = found
  const read = column.kind === 'date' ? readAsDay : readTimestamp
  const toText = (cell: unknown): string =>
    unit === undefined ? read(cell, zone) : showInstant(readEpoch(cell, unit))
  return { ...toColumnField(found, columns, toText), isPlain: true }
}

/** NULL as null; so are a zero date and 0 of an integer time. */
function orNull(field: ReturnType<typeof toTimeField>): ResolvedField {
  const [{ as } = { as: '' }] = field.projection
  return { ...field, read: (row) => (hasTime(row[as]) ? field.read(row) : null), missing: null }
}

/** Whether a cell holds a time: not NULL, no zero date, and not 0 in a column of integers. */
export function hasTime(cell: unknown): boolean {
  if (cell === null || cell === undefined) return false
  return typeof cell === 'string' && cell.includes('-', 1)
    ? !cell.startsWith('0000-00-00')
    : !isZeroEpoch(cell)
}

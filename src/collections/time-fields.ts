import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { isZeroEpoch, readEpoch } from '../values/epoch.js'
import { readDay, readDayStart, readTimestamp, showInstant } from '../values/instant.js'
import type { Zone } from '../values/instant.js'
import type { ColumnResolver } from './column-resolver.js'
import { alwaysNull, defineField, toCellField } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { foundColumn, ownColumn } from './column-options.js'
import { closed, oneOf } from './options.js'
import type { TimeColumn } from './resolved-table.js'

const epoch = oneOf(['s', 'ms', 'us'], {
  title: 'epoch',
  description: 's, ms or us: the unit of an integer that counts from 1970-01-01 UTC',
})
const timeForm = 'a column name, or { column, epoch: s | ms | us } for an integer'
/** A point in time, in a column of the same table. */
export const TimeOption = ownColumn({ epoch }, timeForm)
/** A day or a point in time, which a lookup may read. */
const FoundTimeOption = foundColumn({ epoch }, timeForm)
/** A day that the product may not have. */
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
      (option, columns) => toTimeField(columns.findTime(option, true), columns, readAsDay),
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
    const [found, other] = several.map((one) => columns.findTime(one))
    if (found === undefined) throw new Error('The schema has one')
    const isComplete = [found, other].every((one) => one?.column.name !== '')
    // Their texts are compared with each other, and stand in one cursor.
    if (other !== undefined && isComplete && !isAlike(found, other))
      columns.reportColumn(other, `the type of ${found.column.name}, ${found.column.type}`)
    return toTimeField({ ...found, untilChanged: isComplete ? other?.column : undefined }, columns)
  })
}

function isAlike(one: TimeColumn, other: TimeColumn): boolean {
  return one.column.kind === other.column.kind && one.epoch === other.epoch
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
    const field = orNull(toTimeField(columns.findTime(option), columns))
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
    option === null ? alwaysNull : orNull(toTimeField(columns.findTime(option, true), columns, readDay)),
  )
}

/** How a DATE is shown: as a day, or as the instant at which it begins. */
type ReadAsDay = (cell: unknown, zone?: Zone) => string

function toTimeField(found: TimeColumn, columns: ColumnResolver, readAsDay: ReadAsDay = readTimestamp) {
  const { column, zone, epoch: unit } = found
  const read = column.kind === 'date' ? readAsDay : readTimestamp
  const toText = (cell: unknown): string =>
    unit === undefined ? read(cell, zone) : showInstant(readEpoch(cell, unit))
  return { ...toCellField(found, columns, toText), isPlain: true }
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

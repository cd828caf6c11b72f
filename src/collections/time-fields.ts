import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { readEpoch } from '../values/epoch.js'
import { readDay, readDayStart, readTimestamp, showInstant } from '../values/instant.js'
import type { Zone } from '../values/instant.js'
import type { ColumnResolver, Field, ResolvedField } from './field.js'
import { hasTime } from './field-kinds.js'
import type { Documented } from './field-kinds.js'
import { lookupForm, lookupOf } from './section-options.js'
import { ColumnName, FoundColumnName, OwnColumnName, closed } from './options.js'
import type { TimeColumn } from './resolved-table.js'
import { alwaysNull } from './text-source.js'

const Epoch = Type.Union([Type.Literal('s'), Type.Literal('ms'), Type.Literal('us')], {
  title: 'epoch',
  description: 's, ms or us: the unit of an integer that counts from 1970-01-01 UTC',
})

/** A point in time. */
export const TimeOption = Type.Union(
  [ColumnName, Type.Object({ column: ColumnName, epoch: Epoch }, closed)],
  {
    description: 'a column name, or { column, epoch: s | ms | us } for an integer',
  },
)
const NeverChanges = Type.Optional(
  Type.Literal(true, { description: 'true, where a record never changes after it was made' }),
)
const NoLookup = Type.Optional(
  Type.Never({
    description:
      'a column of the same table: with a time of another table, a sync misses changes; let the product, or a trigger, set a column of this table at every change',
  }),
)
/** The time of the last change. */
const ChangeTimeOption = Type.Union(
  [
    ColumnName,
    Type.Object(
      {
        column: ColumnName,
        epoch: Type.Optional(Epoch),
        neverChanges: NeverChanges,
        from: NoLookup,
      },
      closed,
    ),
    Type.Object(
      {
        first: Type.Array(TimeOption, {
          minItems: 2,
          maxItems: 2,
          description: 'two columns: the time of the last change, and the one that counts where it is NULL',
        }),
      },
      closed,
    ),
  ],
  {
    description: `a column name, { column, epoch: s | ms | us } for an integer, { column, neverChanges: true } where records never change, or { first: [updated_at, created_at] } where it is NULL before the first change`,
  },
)
const lookedUpShapes = [
  OwnColumnName,
  Type.Object({ column: ColumnName, epoch: Epoch }, closed),
  Type.Object(
    { ...lookupOf, column: FoundColumnName, epoch: Type.Optional(Epoch) },
    { ...closed, title: 'timeLookup' },
  ),
] as const
/** A day or a point in time, which a lookup may read. */
const LookedUpTimeOption = Type.Union([...lookedUpShapes], {
  description: `a column name, { column, epoch: s | ms | us } for an integer, or ${lookupForm}`,
})
type LookedUpTimeMapping = Static<typeof LookedUpTimeOption>
/** A day that the product may not have. */
const NullableDayOption = Type.Union([...lookedUpShapes, Type.Null()], {
  description: `a column name, { column, epoch: s | ms | us } for an integer, ${lookupForm}, or null where the product has none`,
})

const resolveTimestamp = resolveBy('findTime', readTimestamp)
const resolveStart = resolveBy('findDay', readDayStart)
const resolveDay = resolveBy('findDay', readDay)

// No pattern beside `format`: generated clients convert such a field to a date first, and then fail to match it.

/** A UTC timestamp with three fractional digits; a day is the instant at which it begins in the zone of the mapping. */
export function timestamp({ description, example }: Documented) {
  return {
    schema: toTimestampSchema({ description, example }),
    option: LookedUpTimeOption,
    resolve: resolveStart,
  } satisfies Field<typeof LookedUpTimeOption>
}

/** The time of the last change, by which lists are ordered. */
export function changeTimestamp(documented: Documented) {
  return {
    schema: toTimestampSchema(documented),
    option: ChangeTimeOption,
    resolve: (option, name, resolver) =>
      toTimeField(name, findChangeTime(option, `fields.${name}`, resolver), readTimestamp),
  } satisfies Field<typeof ChangeTimeOption>
}

function findChangeTime(
  option: Static<typeof ChangeTimeOption>,
  path: string,
  resolver: ColumnResolver,
): TimeColumn {
  if (typeof option === 'string' || !('first' in option)) return resolver.findTime(option, path)
  const [found, other] = option.first.map((one) => resolver.findTime(one, path))
  if (found === undefined || other === undefined) throw new Error('The schema has two')
  if (found.column.name === '' || other.column.name === '') return found
  // Their texts are compared with each other, and stand in one cursor.
  if (other.column.kind !== found.column.kind || other.epoch !== found.epoch)
    resolver.reportColumn(other.column, `the type of ${found.column.name}, ${found.column.type}`, path)
  return { ...found, untilChanged: other.column }
}

function toTimestampSchema({ description, example }: Documented) {
  return Type.String({ format: 'date-time', description, examples: [example] })
}

const LeftOut = Type.Optional(LookedUpTimeOption)

/**
 * A timestamp that is null unless the flag of another field is true, and whose column the mapping may leave out.
 *
 * @param documented with the field of the flag.
 */
export function nullableTimestamp({
  description,
  example,
  unless,
}: Documented & { readonly unless: string }) {
  return {
    schema: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description,
      examples: [example, null],
    }),
    option: LeftOut,
    resolve: (option, name, resolver) =>
      option === undefined
        ? alwaysNull
        : orNull(name, resolveTimestamp(option, name, resolver), {
            note: `; null unless ${unless}`,
            flag: unless,
          }),
  } satisfies Field<typeof LeftOut>
}

const dayPattern = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$'
const dayForms =
  'ISO 8601: a date such as `2026-03-01`, or a UTC timestamp where the product keeps the time of day too.'

/** A day: a DATE stays a date, a column that holds the time of day becomes a timestamp. */
export function day({ description, example }: Documented) {
  return {
    schema: Type.String({
      pattern: dayPattern,
      description: `${description} ${dayForms}`,
      examples: [example],
    }),
    option: LookedUpTimeOption,
    resolve: resolveDay,
  } satisfies Field<typeof LookedUpTimeOption>
}

/** A day that the product may leave empty. */
export function nullableDay({ description, example }: Documented) {
  return {
    schema: Type.Unsafe<string | null>({
      pattern: dayPattern,
      description: `${description} ${dayForms}`,
      examples: [example, null],
      type: ['string', 'null'],
    }),
    option: NullableDayOption,
    resolve: (option, name, resolver) =>
      option === null
        ? alwaysNull
        : orNull(name, resolveDay(option, name, resolver), { note: '; null where empty' }),
  } satisfies Field<typeof NullableDayOption>
}

/** How a DATE is shown: as a day, or as the instant at which it begins. */
type ReadDay = (cell: unknown, zone?: Zone) => string

function resolveBy(find: 'findTime' | 'findDay', readAsDay: ReadDay) {
  return (option: LookedUpTimeMapping, name: string, resolver: ColumnResolver) => {
    const path = `fields.${name}`
    return toTimeField(name, resolver.follow(option, path)[find](option, path), readAsDay)
  }
}

function toTimeField(
  name: string,
  found: TimeColumn,
  readAsDay: ReadDay,
): ResolvedField & { readonly found: TimeColumn } {
  const { column, lookup, zone, epoch } = found
  const read = column.kind === 'date' ? readAsDay : readTimestamp
  return {
    found,
    projection: [{ as: name, column, lookup, untilChanged: found.untilChanged }],
    isPlain: true,
    read: ({ [name]: cell }) =>
      epoch === undefined ? read(cell, zone) : showInstant(readEpoch(cell, epoch)),
    transform: describeTime(found, readAsDay),
  }
}

function describeTime(found: TimeColumn, readAsDay: ReadDay): string {
  const { column, epoch, untilChanged } = found
  if (untilChanged !== undefined)
    return `${untilChanged.name} where it is NULL; ${describeTime({ ...found, untilChanged: undefined }, readAsDay)}`
  if (epoch !== undefined) return `from ${epoch} since 1970 to UTC, cut to milliseconds; 0 is no time`
  if (column.kind !== 'date') return `from ${describeZone(found)} to UTC, cut to milliseconds`
  return readAsDay === readDay
    ? 'the day as it stands'
    : `the start of the day, from ${describeZone(found)} to UTC`
}

/** The zone of a column, for a report. */
export function describeZone({ column, zone }: TimeColumn): string {
  return zone?.name ?? (column.kind === 'datetime' || column.kind === 'date' ? '+00:00' : 'UTC')
}

interface NullRules {
  /** What the report of `check` adds. */
  readonly note: string
  /** The field whose flag must be true. */
  readonly flag?: string
}

/** NULL as null; so are a zero date and 0 of an integer time. */
function orNull(name: string, resolved: ResolvedField, { note, flag }: NullRules): ResolvedField {
  return {
    ...resolved,
    read: (row, readField) => {
      if (flag !== undefined && readField(flag) !== true) return null
      return hasTime(row[name]) ? resolved.read(row, readField) : null
    },
    missing: null,
    transform: `${resolved.transform}${note}`,
  }
}

import { Type } from '@sinclair/typebox'
import type { Row } from '../database/statement.js'
import { formatOffset } from '../values/instant.js'
import { readDate, readTimestamp } from '../values/timestamp.js'
import type { Field, ResolvedField } from './field.js'
import { ColumnName } from './options.js'
import type { TimeColumn } from './resolved-table.js'

const timestampPattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'

/** A UTC timestamp with three fractional digits. */
export function timestamp({
  description,
  example,
}: {
  readonly description: string
  readonly example: string
}) {
  return {
    schema: Type.String({ format: 'date-time', pattern: timestampPattern, description, examples: [example] }),
    option: ColumnName,
    listColumns: (option) => [option],
    resolve: (option, name, resolver) => {
      const found = resolver.findTime(option, `fields.${name}`)
      return { found, ...toTimeField(name, found) }
    },
  } satisfies Field<typeof ColumnName>
}

const LeftOut = Type.Optional(ColumnName)

/** A timestamp that may be null, and whose column the mapping may leave out. */
export function nullableTimestamp({
  description,
  example,
  note,
}: {
  readonly description: string
  readonly example: string
  /** What the report of `check` adds. */
  readonly note: string
}) {
  return {
    schema: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      pattern: timestampPattern,
      description,
      examples: [example, null],
    }),
    option: LeftOut,
    listColumns: (option) => (option === undefined ? [] : [option]),
    resolve: (option, name, resolver): ResolvedField<(row: Row) => string | null> => {
      if (option === undefined) return { projection: [], read: () => null, transform: 'always null' }
      const { projection, read, transform } = toTimeField(name, resolver.findTime(option, `fields.${name}`))
      return { projection, read: orNull(name, read), transform: `${transform}${note}` }
    },
  } satisfies Field<typeof LeftOut>
}

const dayPattern = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$'
const dayForms =
  'ISO 8601: a date such as `2026-03-01`, or a UTC timestamp where the product keeps the time of day too.'

/** A day: a DATE stays a date, a column that holds the time of day becomes a timestamp. */
export function day({ description, example }: { readonly description: string; readonly example: string }) {
  return {
    schema: Type.String({
      pattern: dayPattern,
      description: `${description} ${dayForms}`,
      examples: [example],
    }),
    option: ColumnName,
    listColumns: (option) => [option],
    resolve: (option, name, resolver): ResolvedField<(row: Row) => string> =>
      toTimeField(name, resolver.findDay(option, `fields.${name}`)),
  } satisfies Field<typeof ColumnName>
}

/** A day that the product may leave empty. */
export function nullableDay({
  description,
  example,
}: {
  readonly description: string
  readonly example: string
}) {
  return {
    schema: Type.Unsafe<string | null>({
      pattern: dayPattern,
      description: `${description} ${dayForms}`,
      examples: [example, null],
      type: ['string', 'null'],
    }),
    option: ColumnName,
    listColumns: (option) => [option],
    resolve: (option, name, resolver): ResolvedField<(row: Row) => string | null> => {
      const { projection, read, transform } = toTimeField(name, resolver.findDay(option, `fields.${name}`))
      return { projection, read: orNull(name, read), transform: `${transform}; null where empty` }
    },
  } satisfies Field<typeof ColumnName>
}

function toTimeField(
  name: string,
  { column, offsetMinutes }: TimeColumn,
): ResolvedField<(row: Row) => string> {
  const projection = [{ as: name, column }]
  if (column.kind === 'date')
    return { projection, read: (row) => readDate(row[name]), transform: 'the day as it stands' }
  const zone = column.kind === 'timestamp' ? 'UTC' : formatOffset(offsetMinutes)
  return {
    projection,
    read: (row) => readTimestamp(row[name], offsetMinutes),
    transform: `from ${zone} to UTC, cut to milliseconds`,
  }
}

function orNull(name: string, read: (row: Row) => string): (row: Row) => string | null {
  return (row) => (row[name] === null ? null : read(row))
}

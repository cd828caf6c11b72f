import { Type } from '@sinclair/typebox'
import type { TString, TUnsafe } from '@sinclair/typebox'

const timestampPattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'

/** A UTC timestamp with three fractional digits. */
export function TimestampField(description: string, example: string): TString {
  return Type.String({ format: 'date-time', pattern: timestampPattern, description, examples: [example] })
}

/** A timestamp that may be absent. */
export function NullableTimestampField(description: string): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    pattern: timestampPattern,
    description,
    examples: ['2026-03-01T08:55:02.040Z', null],
  })
}

/** A day or an instant, as the product keeps it. */
export function DayField(description: string): TString {
  return Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$',
    description: `${description} ISO 8601: a date such as \`2026-03-01\`, or a UTC timestamp where the product keeps the time of day too.`,
    examples: ['2026-03-01'],
  })
}

/** A day or an instant that the product may leave empty. */
export function NullableDayField(description: string): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({
    ...DayField(description),
    type: ['string', 'null'],
    examples: ['2026-03-31', null],
  })
}

/** Opaque text that names a record. */
export function IdentifierField(description: string, example: string): TString {
  return Type.String({
    description: `${description} Opaque: compare it, do not take it apart.`,
    examples: [example],
  })
}

/** The product's own word for a record's state. */
export function StatusField(example: string): TString {
  return Type.String({
    description: 'The state of the record, in the words of the product; new ones may come.',
    examples: [example],
  })
}

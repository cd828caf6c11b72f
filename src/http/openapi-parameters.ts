import { filterLengthMax, pageSize } from '../query/parse-list-query.js'
import type { Json } from './openapi-schemas.js'

/** A date, or a date-time of RFC 3339; one pattern, because no format stands for both. */
const updatedSincePattern =
  '^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2}))?$'

/** The query parameters of a list. */
export function buildParameters(statuses: readonly string[] | undefined): readonly Json[] {
  return [
    query('limit', `How many records a page may hold: ${pageSize.min} to ${pageSize.max}.`, {
      type: 'integer',
      minimum: pageSize.min,
      maximum: pageSize.max,
      default: pageSize.default,
    }),
    query(
      'cursor',
      '`meta.cursor` of the page before. It carries its own filters: send it alone, or with another `limit`.',
      {
        type: 'string',
      },
    ),
    query(
      'updatedSince',
      'Only records that changed at this instant or later. RFC 3339 with `Z` or an offset, up to nine fractional digits; a date alone is the start of that day in UTC.',
      {
        type: 'string',
        pattern: updatedSincePattern,
        // Not as the parameter's own example, which Swagger UI would send unasked.
        examples: ['2026-03-01T09:28:00.000Z', '2026-03-01'],
      },
    ),
    query('eventId', 'Only records of this event. Compared character by character.', {
      type: 'string',
      minLength: 1,
      maxLength: filterLengthMax,
    }),
    query('status', 'Only records in this state. Compared character by character.', {
      type: 'string',
      minLength: 1,
      maxLength: filterLengthMax,
      ...(statuses === undefined ? {} : { enum: statuses }),
    }),
  ]
}

function query(name: string, description: string, schema: Json): Json {
  return { name, in: 'query', required: false, description, schema }
}

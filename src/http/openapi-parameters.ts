import { filterLengthMax, pageSize } from '../query/parse-list-query.js'

type Json = Readonly<Record<string, unknown>>

/** The query parameters of a list. */
export function buildParameters(statuses: readonly string[] | undefined): readonly Json[] {
  return [
    query('limit', 'How many records a page may hold.', {
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
    {
      ...query(
        'updatedSince',
        'Only records that changed at this instant or later. RFC 3339 with `Z` or an offset, up to nine fractional digits; a date alone is the start of that day in UTC.',
        { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] },
      ),
      example: '2026-03-01T00:00:00Z',
    },
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

import { accept, data, field, hasCode, queries, requests, both, withQuery } from '../change.js'
import type { Breaks, Meant } from '../change.js'
import type { Asked, Change } from '../broken-service.js'

const ofCursor = hasCode('invalid_cursor')
/** Longer than what no service could have given out. */
const isGiven: Meant = (_, { target }) => /cursor=.{20}/.test(target)
const toFirstPage = (asked: Asked) => ({ target: withQuery(asked, { cursor: undefined }) })

/** Filters that are ignored or inexact, and cursors that are taken where they must not be. */
export const filterBreaks: Breaks = {
  'filter-event': {
    'eventId is ignored': queries(() => ({ eventId: undefined })),
    'a filtered list lacks a record': data((all, query) =>
      query.has('eventId') || query.has('status') ? all.slice(1) : all,
    ),
  },
  'filter-status': { 'status is ignored': queries(() => ({ status: undefined })) },
  'filter-exact': {
    'a line break after a value is ignored': queries((query) =>
      Object.fromEntries([...query].map(([name, value]) => [name, value.replace(/\n$/, '')])),
    ),
  },
  'updated-since': {
    'updatedSince is cut to seconds': since((text) => text.replace(/\.\d+/, '')),
    'updatedAt is cut to seconds': field('both', 'updatedAt', (text) => text.replace(/\.\d+/, '.000')),
    'a proxy drops what stands behind a plus': requests((asked) => ({
      target: asked.target.replace(/(updatedSince=[^&]*?)(\+|%2B)00:00/, '$19Z'),
    })),
    'updatedSince is exclusive': since((text) => new Date(Date.parse(text) + 1).toISOString()),
  },
  'cursor-collection': { 'a cursor of the other collection is taken': accept(ofCursor, toFirstPage) },
  'cursor-workspace': { 'a cursor of the other workspace is taken': accept(ofCursor, toFirstPage) },
  'cursor-altered': {
    'an altered cursor is taken': accept(both(ofCursor, isGiven), toFirstPage),
    'any other text is taken as a cursor': accept(
      both(ofCursor, (...given) => !isGiven(...given)),
      toFirstPage,
    ),
  },
  'cursor-filters': {
    'a cursor is taken with other filters': accept(hasCode('cursor_mismatch'), (asked) => ({
      target: withQuery(asked, { eventId: undefined, status: undefined, updatedSince: undefined }),
    })),
    'the next page has records that the filters leave out': data((all, query) =>
      query.has('cursor') ? all.map((one) => ({ ...one, status: 'OTHER' })) : all,
    ),
  },
}

/** Changes `updatedSince` on its way to the service, which still refuses what is not a time at all. */
function since(toSince: (text: string) => string): Change {
  return queries((query) => {
    const text = query.get('updatedSince')
    return text === null || query.has('cursor') || Number.isNaN(Date.parse(text))
      ? {}
      : { updatedSince: toSince(text) }
  })
}

import {
  accept,
  data,
  field,
  hasCode,
  queries,
  requests,
  readCursor,
  readWanted,
  records,
  withQuery,
} from '../change.js'
import type { Breaks } from '../change.js'
import type { Change } from '../broken-service.js'

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
    'eventId and status match without case': ignoreCase(),
    'a line break after a value is ignored': queries((query) =>
      Object.fromEntries([...query].map(([name, value]) => [name, value.replace(/\n$/, '')])),
    ),
    'a value that no record has gives every record': accept(
      ({ body }, asked) => readWanted(asked).kind === 'list' && body.toString().startsWith('{"data":[],'),
      (asked) => ({ target: withQuery(asked, { eventId: undefined, status: undefined }) }),
    ),
  },
  'updated-since': {
    'updatedSince is cut to seconds': since((text) => text.replace(/\.\d+/, '')),
    'updatedAt is rounded up': field('both', 'updatedAt', (text) =>
      new Date(Math.ceil(Date.parse(text) / 10) * 10).toISOString(),
    ),
    'updatedAt is cut to seconds': field('both', 'updatedAt', (text) => text.replace(/\.\d+/, '.000')),
    'a proxy drops what stands behind a plus': requests((asked) => ({
      target: asked.target.replace(/(updatedSince=[^&]*?)(\+|%2B)00:00/, '$19Z'),
    })),
    'updatedSince is exclusive': since((text) => new Date(Date.parse(text) + 1).toISOString()),
  },
  'cursor-collection': { 'a cursor of the other collection is taken': acceptForeignCursors() },
  'cursor-altered': {
    'an altered cursor is taken': acceptAlteredCursors(),
    'any text is taken as a cursor': accept(hasCode('invalid_cursor'), (asked) => ({
      target: withQuery(asked, { cursor: undefined }),
    })),
  },
  'cursor-filters': {
    'a cursor is taken with other filters': accept(hasCode('cursor_mismatch'), (asked) => ({
      target: withQuery(asked, noFilters),
    })),
    'the next page forgets the filters': forgetFilters(),
  },
}

const noFilters = { eventId: undefined, status: undefined, updatedSince: undefined }

/** Changes `updatedSince` on its way to the service, which still refuses what is not a time at all. */
function since(toSince: (text: string) => string): Change {
  return queries((query) => {
    const text = query.get('updatedSince')
    return text === null || query.has('cursor') || Number.isNaN(Date.parse(text))
      ? {}
      : { updatedSince: toSince(text) }
  })
}

/** Matches the letters of known values in any case. */
function ignoreCase(): Change {
  const known = new Map<string, string>()
  const learn = records('both', (record) => {
    for (const value of [record['eventId'], record['status']])
      if (typeof value === 'string') known.set(value.toLowerCase(), value)
    return record
  })
  return (asked, forward) => {
    const { kind, query } = readWanted(asked)
    const matched = [...query].map(([name, value]) => [name, known.get(value.toLowerCase()) ?? value])
    const changes = Object.fromEntries(matched) as Readonly<Record<string, string>>
    const target = kind === 'list' ? withQuery(asked, changes) : asked.target
    return learn(asked, () => forward({ target }))
  }
}

/** Remembers the cursors of each collection, and answers the first page for those of the other one. */
function acceptForeignCursors(): Change {
  const collectionOf = new Map<string, string>()
  return async (asked, forward) => {
    const { kind, collection, query } = readWanted(asked)
    const isForeign = (collectionOf.get(query.get('cursor') ?? '') ?? collection) !== collection
    const answer = await forward(
      kind === 'list' && isForeign ? { target: withQuery(asked, { cursor: undefined }) } : {},
    )
    const next = readCursor(answer)
    if (kind === 'list' && next !== undefined) collectionOf.set(next, collection)
    return answer
  }
}

/** Answers a cursor that differs from one that it gave by one character as that one. */
function acceptAlteredCursors(): Change {
  const given = new Set<string>()
  const isAlike = (one: string, other: string): boolean =>
    one.length === other.length && Array.from(one).filter((letter, at) => letter !== other[at]).length === 1
  return async (asked, forward) => {
    const cursor = readWanted(asked).query.get('cursor') ?? ''
    const alike = [...given].find((one) => isAlike(one, cursor))
    const answer = await forward(alike === undefined ? {} : { target: withQuery(asked, { cursor: alike }) })
    const next = readCursor(answer)
    if (next !== undefined) given.add(next)
    return answer
  }
}

/** Pages after the first come from the list without filters, after the record that the page before ended with. */
function forgetFilters(): Change {
  const forgotten = new Map<string, string>()
  return async (asked, forward) => {
    const { kind, query } = readWanted(asked)
    const other = forgotten.get(query.get('cursor') ?? '')
    const answer = await forward(other === undefined ? {} : { target: withQuery(asked, { cursor: other }) })
    const next = readCursor(answer)
    const bare = withQuery(asked, noFilters)
    if (kind !== 'list' || next === undefined || query.has('cursor') || bare === asked.target) return answer
    const unfiltered = readCursor(await forward({ target: bare }))
    if (unfiltered !== undefined) forgotten.set(next, unfiltered)
    return answer
  }
}

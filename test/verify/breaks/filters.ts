import type { Change } from '../breaking-proxy.js'
import { accept, changeData, changeQuery, isProblem, readCursor, readWanted, withQuery } from '../change.js'
import type { Break } from './break.js'

/** Filters that are ignored or inexact, and cursors that are taken where they must not be. */
export const filterBreaks: readonly Break[] = [
  {
    name: 'eventId is ignored',
    guarantee: 'filter-event',
    change: () => changeQuery(() => ({ eventId: undefined })),
  },
  {
    name: 'status is ignored',
    guarantee: 'filter-status',
    change: () => changeQuery(() => ({ status: undefined })),
  },
  {
    name: 'updatedSince is ignored',
    guarantee: 'updated-since',
    change: () => changeQuery(() => ({ updatedSince: undefined })),
  },
  {
    name: 'eventId is ignored where there is a status',
    guarantee: 'filters-combined',
    change: () => changeQuery((query) => (query.has('status') ? { eventId: undefined } : {})),
  },
  {
    name: 'eventId and status match without case',
    guarantee: 'filter-exact',
    change: ignoreCase,
  },
  {
    name: 'a filtered list lacks a record',
    guarantee: 'filter-event',
    change: () =>
      changeData((data, { query }) => (query.has('eventId') || query.has('status') ? data.slice(1) : data)),
  },
  {
    name: 'a value that no record has gives every record',
    guarantee: 'filter-exact',
    change: () => emptyGivesAll(),
  },
  {
    name: 'updatedSince is exclusive',
    guarantee: 'updated-since-tie',
    change: () => changeSince((since) => new Date(Date.parse(since) + 1).toISOString()),
  },
  {
    name: 'updatedSince is cut to milliseconds',
    guarantee: 'updated-since-forms',
    change: () => changeSince((since) => since.replace(/(\.\d{3})\d+/, '$1')),
  },
  {
    name: 'updatedSince is cut to seconds',
    guarantee: 'updated-since',
    change: () => changeSince((since) => since.replace(/\.\d+/, '')),
  },
  {
    name: 'updatedSince is rounded to seconds',
    guarantee: 'updated-since',
    change: () => changeSince((since) => new Date(Math.round(Date.parse(since) / 1000) * 1000).toISOString()),
  },
  {
    name: 'the offset of updatedSince is ignored',
    guarantee: 'updated-since-forms',
    change: () => changeSince((since) => since.replace(/([T ][\d:.]+)[+ -]\d\d:\d\d$/, '$1Z')),
  },
  {
    name: 'a date alone means noon',
    guarantee: 'updated-since-forms',
    change: () => changeSince((since) => (/^\d{4}-\d\d-\d\d$/.test(since) ? `${since}T12:00:00Z` : since)),
  },
  {
    name: 'a time without an offset is taken as UTC',
    guarantee: 'parameters',
    change: () => changeSince((since) => (/T[\d:.]+$/.test(since) ? `${since}Z` : since)),
  },
  {
    name: 'a day that does not exist is taken as the one after',
    guarantee: 'parameters',
    change: () => changeSince((since) => since.replace(/-02-(?:29|30|31)/, '-03-01')),
  },
  {
    name: 'a cursor of the other collection is taken',
    guarantee: 'cursor-collection',
    change: () => acceptForeignCursors(),
  },
  {
    name: 'an altered cursor is taken',
    guarantee: 'cursor-altered',
    change: () => acceptAlteredCursors(),
  },
  {
    name: 'any text is taken as a cursor',
    guarantee: 'cursor-altered',
    change: () =>
      accept(
        (answer) => isProblem(answer, 'invalid_cursor'),
        (asked) => ({ target: withQuery(asked, { cursor: undefined }) }),
      ),
  },
  {
    name: 'a cursor is taken with other filters',
    guarantee: 'cursor-filters',
    change: () =>
      accept(
        (answer) => isProblem(answer, 'cursor_mismatch'),
        (asked) => ({
          target: withQuery(asked, { eventId: undefined, status: undefined, updatedSince: undefined }),
        }),
      ),
  },
  {
    name: 'the next page forgets the filters',
    guarantee: 'cursor-filters',
    change: forgetFilters,
  },
]

/** Changes `updatedSince` on its way to the service, which still refuses what is no time at all. */
function changeSince(toSince: (since: string) => string): Change {
  return changeQuery((query) => {
    const since = query.get('updatedSince')
    return since === null || query.has('cursor') || Number.isNaN(Date.parse(since))
      ? {}
      : { updatedSince: toSince(since) }
  })
}

/** Matches the letters of known values in any case. */
function ignoreCase(): Change {
  const known = new Map<string, string>()
  const learn = changeData((data) => {
    for (const record of data)
      for (const name of ['eventId', 'status'])
        if (typeof record[name] === 'string') known.set(record[name].toLowerCase(), record[name])
    return data
  })
  return ({ asked, forward }) => {
    const { kind, query } = readWanted(asked)
    if (kind !== 'list') return forward()
    const changes = Object.fromEntries(
      ['eventId', 'status'].flatMap((name) => {
        const value = query.get(name)
        return value === null ? [] : [[name, known.get(value.toLowerCase()) ?? value]]
      }),
    )
    const target = withQuery(asked, changes)
    return learn({ asked, forward: (differences) => forward({ target, ...differences }) })
  }
}

function emptyGivesAll(): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    const isEmpty = answer.body.toString().startsWith('{"data":[],')
    return isEmpty && readWanted(asked).kind === 'list'
      ? forward({ target: withQuery(asked, { eventId: undefined, status: undefined }) })
      : answer
  }
}

/** Remembers the cursors of each collection, and answers the first page for those of the other one. */
function acceptForeignCursors(): Change {
  const collectionOf = new Map<string, string>()
  return async ({ asked, forward }) => {
    const { kind, collection, query } = readWanted(asked)
    const cursor = query.get('cursor') ?? ''
    const isForeign = kind === 'list' && (collectionOf.get(cursor) ?? collection) !== collection
    const answer = await forward(isForeign ? { target: withQuery(asked, { cursor: undefined }) } : {})
    const next = readCursor(answer)
    if (kind === 'list' && next !== undefined) collectionOf.set(next, collection)
    return answer
  }
}

/** Answers a cursor that resembles one that it gave as that one. */
function acceptAlteredCursors(): Change {
  const given = new Set<string>()
  return async ({ asked, forward }) => {
    const cursor = readWanted(asked).query.get('cursor') ?? ''
    const alike = [...given].find((one) => countDifferences(one, cursor) === 1)
    const answer = await forward(alike === undefined ? {} : { target: withQuery(asked, { cursor: alike }) })
    const next = readCursor(answer)
    if (next !== undefined) given.add(next)
    return answer
  }
}

function countDifferences(one: string, other: string): number {
  if (one.length !== other.length) return Infinity
  return Array.from(one).filter((letter, at) => letter !== other[at]).length
}

/** Pages after the first come from the list without filters, after the record that the page before ended with. */
function forgetFilters(): Change {
  const forgotten = new Map<string, string>()
  return async (exchange) => {
    const { asked, forward } = exchange
    const { kind, query } = readWanted(asked)
    const other = forgotten.get(query.get('cursor') ?? '')
    const answer = await forward(other === undefined ? {} : { target: withQuery(asked, { cursor: other }) })
    const next = readCursor(answer)
    if (kind !== 'list' || next === undefined || query.has('cursor')) return answer
    const bare = withQuery(asked, { eventId: undefined, status: undefined, updatedSince: undefined })
    if (bare === asked.target) return answer
    const unfiltered = readCursor(await forward({ target: bare }))
    if (unfiltered !== undefined) forgotten.set(next, unfiltered)
    return answer
  }
}

import {
  accept,
  both,
  change,
  every,
  failed,
  hasCode,
  headers,
  ofItem,
  ofKind,
  problems,
  readWanted,
  requests,
  withHtml,
  withMethod,
  withQuery,
  withStatus,
} from '../change.js'
import type { Change } from '../broken-service.js'
import type { Meant } from '../change.js'
import { base } from '../../support/client.js'
import type { Breaks } from './breaks.js'

/** Parameters, paths and methods that are taken although they are wrong, or refused in another way. */
export const parameterBreaks: Breaks = {
  parameters: {
    'an error of a parameter does not name it': problems(every, ({ parameter: _, ...rest }) => rest),
    'an error names another parameter': problems(({ body }) => body.includes('"parameter"'), {
      parameter: 'id',
    }),
    'unknown parameters are ignored': again(({ searchParams }) => {
      for (const name of [...searchParams.keys()]) if (!known.includes(name)) searchParams.delete(name)
    }),
    'single records take unknown parameters': accept(
      both(hasCode('unknown_parameter'), ofKind('item')),
      ({ target }) => ({
        target: target.split('?')[0]!,
      }),
    ),
    'the first of repeated parameters is taken': again(({ searchParams }) => {
      for (const name of new Set(searchParams.keys())) searchParams.set(name, searchParams.get(name) ?? '')
    }),
    'limit=101 is taken as 100': limits((limit) => (limit > 100 ? 100 : limit)),
    'limit=0 is taken as 1': limits((limit) => (limit === 0 ? 1 : limit)),
    'limit=-1 is taken as 1': limits(Math.abs),
    'limit=ten is taken as 10': limits((limit) => (Number.isNaN(limit) ? 10 : limit)),
    'an empty limit is taken as the default': again(({ searchParams }) => {
      if (searchParams.get('limit') === '') searchParams.delete('limit')
    }),
    'a wrong updatedSince is ignored': again(({ searchParams }) => {
      searchParams.delete('updatedSince')
    }),
    'an invalid parameter is 422': problems(hasCode('invalid_parameter'), {}, 422),
    'an unknown parameter is invalid_parameter': problems(hasCode('unknown_parameter'), {
      code: 'invalid_parameter',
    }),
    'a parameter that the database cannot take is 500': problems(hasCode('invalid_parameter'), {}, 500),
  },
  'cursor-altered': {
    'an altered cursor is invalid_parameter': problems(hasCode('invalid_cursor'), {
      code: 'invalid_parameter',
    }),
    'an altered cursor is 500': problems(hasCode('invalid_cursor'), {}, 500),
  },
  routes: {
    'a path that there is not is a page of HTML': change(
      both(withStatus(404), ofKind('other')),
      (answer) => ({ ...withHtml(answer), status: 200 }),
    ),
    'a slash at the end is ignored': requests(({ target }) => ({
      target: target.replace(/([^/])\/(?=\?|$)/, '$1'),
    })),
    'capitals in a path are ignored': requests(({ target }) => ({
      target: target.replace(/\/(?:Registrations|Invoices)/, (path) => path.toLowerCase()),
    })),
  },
  methods: {
    'POST is answered as GET': requests(({ method }) => (method === 'POST' ? { method: 'GET' } : {})),
    'OPTIONS is 204': change(withMethod('OPTIONS'), (answer) => ({
      ...answer,
      status: 204,
      body: Buffer.alloc(0),
    })),
    'POST is 404': problems(withMethod('POST'), { code: 'not_found' }, 404),
    'DELETE is 404': problems(withMethod('DELETE'), { code: 'not_found' }, 404),
    'PUT is 500': problems(withMethod('PUT'), { code: 'internal_error' }, 500),
    '405 has no Allow': headers(withStatus(405), { allow: undefined }),
    '405 allows POST': headers(withStatus(405), { allow: 'GET, HEAD, POST' }),
  },
  head: {
    'HEAD has another length': headers(ofHead(), { 'content-length': '7' }),
    'HEAD is 204': change(ofHead(), (answer) => ({ ...answer, status: 204 })),
    'HEAD is 404': change(ofHead(), (answer) => ({ ...answer, status: 404 })),
    'HEAD of a single record is 405': change(both(ofHead(), ofItem), (answer) => ({
      ...answer,
      status: 405,
    })),
    'HEAD has no ETag': headers(ofHead(), { etag: undefined }),
  },
}

/** Errors of another form, or with texts that no caller may see. */
export const errorBreaks: Breaks = {
  problems: {
    'an error is a page of HTML': change(hasCode('not_found'), withHtml),
    'an error is application/json': headers(failed, { 'content-type': 'application/json' }),
    'an error has no code': problems(every, ({ code: _, ...rest }) => rest),
    'an error has no requestId': problems(every, ({ requestId: _, ...rest }) => rest),
    'the requestId of an error is not that of the header': problems(every, { requestId: 'other' }),
    'the status of an error is not that of the answer': problems(every, { status: 500 }),
    'an error shows SQL': problems(every, {
      detail:
        "ER_BAD_FIELD_ERROR: Unknown column 'x' in 'where clause': select `id` from `invoices` where `id` = ?",
    }),
    'an error shows a stack': problems(every, {
      detail: 'Error: no\n    at parseQuery (file:///app/dist/collections/list-query.js:20:11)',
    }),
    'an error repeats the key': problems(every, (problem, asked) => ({
      ...problem,
      detail: `Not for ${asked.headers['authorization'] ?? ''}.`,
    })),
    'the type of an error leads nowhere': problems(every, { type: `${base}/nowhere` }),
  },
}

const known = ['limit', 'cursor', 'updatedSince', 'eventId', 'status']

function ofHead(): Meant {
  return both(withStatus(200), withMethod('HEAD'))
}

/** Sends lists that are refused again, with another query. */
function again(edit: (url: URL) => void): Change {
  return accept(both(withStatus(400), ofKind('list')), ({ target }) => {
    const url = new URL(target, 'http://service')
    edit(url)
    return { target: url.pathname + url.search }
  })
}

/** Takes another limit where the service refuses one. */
function limits(toLimit: (limit: number) => number): Change {
  const ofLimit = both(hasCode('invalid_parameter'), (_, asked) => readWanted(asked).query.has('limit'))
  return accept(ofLimit, (asked) => ({
    target: withQuery(asked, { limit: String(toLimit(Number(readWanted(asked).query.get('limit')))) }),
  }))
}

import {
  both,
  change,
  every,
  failed,
  hasCode,
  headers,
  ofItem,
  problems,
  withHtml,
  withMethod,
  withStatus,
} from '../change.js'
import type { Meant } from '../change.js'
import type { Breaks } from './breaks.js'

/** Cursors that are refused in another way, and answers to HEAD. */
export const parameterBreaks: Breaks = {
  'cursor-altered': {
    'an altered cursor is invalid_parameter': problems(hasCode('invalid_cursor'), {
      code: 'invalid_parameter',
    }),
    'an altered cursor is 500': problems(hasCode('invalid_cursor'), {}, 500),
  },
  head: {
    'HEAD is 204': change(ofHead(), (answer) => ({ ...answer, status: 204 })),
    'HEAD is 404': change(ofHead(), (answer) => ({ ...answer, status: 404 })),
    'HEAD of a single record is 405': change(both(ofHead(), ofItem), (answer) => ({
      ...answer,
      status: 405,
    })),
    'HEAD has no ETag': headers(ofHead(), { etag: undefined }),
  },
}

/** Errors of another form. */
export const errorBreaks: Breaks = {
  problems: {
    'an error is a page of HTML': change(hasCode('not_found'), withHtml),
    'an error is application/json': headers(failed, { 'content-type': 'application/json' }),
    'the requestId of an error is not that of the header': problems(every, { requestId: 'other' }),
  },
  'openapi-answers': {
    'an error has no code': problems(every, ({ code: _, ...rest }) => rest),
    'an error has no requestId': problems(every, ({ requestId: _, ...rest }) => rest),
  },
}

function ofHead(): Meant {
  return both(withStatus(200), withMethod('HEAD'))
}

import type { Change } from '../breaking-proxy.js'
import {
  accept,
  changeAllProblems,
  changeProblems,
  isProblem,
  readWanted,
  withHtml,
  withQuery,
  withStatus,
} from '../change.js'
import type { Break } from './break.js'

/** Parameters and paths that are taken although they are wrong, or refused in another way. */
export const parameterBreaks: readonly Break[] = [
  {
    name: 'an error of a parameter does not name it',
    guarantee: 'parameters',
    change: () => changeAllProblems(({ parameter: _, ...rest }) => rest),
  },
  {
    name: 'an error names another parameter',
    guarantee: 'parameters',
    change: () =>
      changeAllProblems((problem) => ('parameter' in problem ? { ...problem, parameter: 'id' } : problem)),
  },
  {
    name: 'unknown parameters are ignored',
    guarantee: 'parameters',
    change: () =>
      changeParameters((url) => {
        const known = ['limit', 'cursor', 'updatedSince', 'eventId', 'status']
        for (const name of [...url.searchParams.keys()])
          if (!known.includes(name)) url.searchParams.delete(name)
      }),
  },
  {
    name: 'single records take unknown parameters',
    guarantee: 'parameters',
    change: () =>
      accept(
        (answer, asked) => isProblem(answer, 'unknown_parameter') && readWanted(asked).kind === 'item',
        ({ target }) => ({ target: target.split('?')[0]! }),
      ),
  },
  {
    name: 'the first of repeated parameters is taken',
    guarantee: 'parameters',
    change: () =>
      changeParameters(({ searchParams }) => {
        for (const name of new Set(searchParams.keys())) searchParams.set(name, searchParams.get(name) ?? '')
      }),
  },
  {
    name: 'limit=101 is taken as 100',
    guarantee: 'parameters',
    change: () => acceptLimits((limit) => (limit > 100 ? 100 : limit)),
  },
  {
    name: 'limit=0 is taken as 1',
    guarantee: 'parameters',
    change: () => acceptLimits((limit) => (limit === 0 ? 1 : limit)),
  },
  {
    name: 'limit=-1 is taken as 1',
    guarantee: 'parameters',
    change: () => acceptLimits((limit) => Math.abs(limit)),
  },
  {
    name: 'limit=ten is taken as 10',
    guarantee: 'parameters',
    change: () => acceptLimits((limit) => (Number.isNaN(limit) ? 10 : limit)),
  },
  {
    name: 'an empty limit is taken as the default',
    guarantee: 'parameters',
    change: () =>
      accept(
        (answer, asked) =>
          isProblem(answer, 'invalid_parameter') && readWanted(asked).query.get('limit') === '',
        (asked) => ({ target: withQuery(asked, { limit: undefined }) }),
      ),
  },
  {
    name: 'a wrong updatedSince is ignored',
    guarantee: 'parameters',
    change: () =>
      accept(
        (answer) => isProblem(answer, 'invalid_parameter'),
        (asked) => ({ target: withQuery(asked, { updatedSince: undefined }) }),
      ),
  },
  {
    name: 'an invalid parameter is 422',
    guarantee: 'parameters',
    change: () => changeStatus('invalid_parameter', 422),
  },
  {
    name: 'an unknown parameter is invalid_parameter',
    guarantee: 'parameters',
    change: () =>
      changeProblems(
        (answer) => isProblem(answer, 'unknown_parameter'),
        (problem) => ({ ...problem, code: 'invalid_parameter' }),
      ),
  },
  {
    name: 'a parameter that the database cannot take is 500',
    guarantee: 'parameters',
    change: () => changeStatus('invalid_parameter', 500),
  },
  {
    name: 'an altered cursor is invalid_parameter',
    guarantee: 'cursor-altered',
    change: () =>
      changeProblems(
        (answer) => isProblem(answer, 'invalid_cursor'),
        (problem) => ({ ...problem, code: 'invalid_parameter' }),
      ),
  },
  {
    name: 'an altered cursor is 500',
    guarantee: 'cursor-altered',
    change: () => changeStatus('invalid_cursor', 500),
  },
  {
    name: 'a path that there is not is a page of HTML',
    guarantee: 'routes',
    change:
      () =>
      async ({ asked, forward }) => {
        const answer = await forward()
        return answer.status === 404 && readWanted(asked).kind === 'other'
          ? { ...withHtml(answer), status: 200 }
          : answer
      },
  },
  {
    name: 'a broken escape is 500',
    guarantee: 'request-limits',
    change: () => changeStatus('malformed_request', 500),
  },
  {
    name: 'a URL that is too long is 404',
    guarantee: 'request-limits',
    change: () => changeStatus('uri_too_long', 404),
  },
]

function changeStatus(code: string, status: number): Change {
  return async ({ forward }) => {
    const answer = await forward()
    return isProblem(answer, code) ? withStatus(answer, status) : answer
  }
}

/** Changes the query where the service refuses it. */
function changeParameters(change: (url: URL) => void): Change {
  return accept(
    ({ status }, asked) => status === 400 && readWanted(asked).kind === 'list',
    ({ target }) => {
      const url = new URL(target, 'http://service')
      change(url)
      return { target: url.pathname + url.search }
    },
  )
}

/** Takes another limit where the service refuses one. */
function acceptLimits(toLimit: (limit: number) => number): Change {
  return accept(
    (answer, asked) => isProblem(answer, 'invalid_parameter') && readWanted(asked).query.has('limit'),
    (asked) => ({
      target: withQuery(asked, { limit: String(toLimit(Number(readWanted(asked).query.get('limit')))) }),
    }),
  )
}

import { base } from '../../support/client.js'
import { changeAllProblems, changeHeaders, isProblem, readJson, withHtml, withJson } from '../change.js'
import type { Break } from './break.js'

/** Errors of another form, or with texts that no caller may see. */
export const errorBreaks: readonly Break[] = [
  {
    name: 'an error is a page of HTML',
    guarantee: 'problems',
    change:
      () =>
      async ({ forward }) => {
        const answer = await forward()
        return isProblem(answer, 'not_found') ? withHtml(answer) : answer
      },
  },
  {
    name: 'an error is application/json',
    guarantee: 'problems',
    change: () =>
      changeHeaders(
        ({ status }) => status >= 400,
        () => ({ 'content-type': 'application/json' }),
      ),
  },
  {
    name: 'an error has no code',
    guarantee: 'problems',
    change: () => changeAllProblems(({ code: _, ...rest }) => rest),
  },
  {
    name: 'an error has no requestId',
    guarantee: 'problems',
    change: () => changeAllProblems(({ requestId: _, ...rest }) => rest),
  },
  {
    name: 'the requestId of an error is not that of the header',
    guarantee: 'problems',
    change: () => changeAllProblems((problem) => ({ ...problem, requestId: 'other' })),
  },
  {
    name: 'the status of an error is not that of the answer',
    guarantee: 'problems',
    change: () => changeAllProblems((problem) => ({ ...problem, status: 500 })),
  },
  {
    name: 'an error shows SQL',
    guarantee: 'error-texts',
    change: () =>
      changeAllProblems((problem) => ({
        ...problem,
        detail:
          "ER_BAD_FIELD_ERROR: Unknown column 'x' in 'where clause': select `id` from `invoices` where `id` = ?",
      })),
  },
  {
    name: 'an error shows a stack',
    guarantee: 'error-texts',
    change: () =>
      changeAllProblems((problem) => ({
        ...problem,
        detail: 'Error: no\n    at parseQuery (file:///app/dist/query/list-query.js:20:11)',
      })),
  },
  {
    name: 'an error repeats the key',
    guarantee: 'error-texts',
    change:
      () =>
      async ({ asked, forward }) => {
        const answer = await forward()
        if (answer.status < 400 || answer.body.length === 0) return answer
        return withJson(answer, {
          ...readJson(answer),
          detail: `Not for ${String(asked.headers.authorization)}.`,
        })
      },
  },
  {
    name: 'the type of an error leads nowhere',
    guarantee: 'error-pages',
    change: () => changeAllProblems((problem) => ({ ...problem, type: `${base}/nowhere` })),
  },
  {
    name: 'the page of errors is missing',
    guarantee: 'error-pages',
    change:
      () =>
      async ({ asked, forward }) =>
        asked.target.startsWith('/docs/errors') ? forward({ target: '/docs/nowhere' }) : forward(),
  },
]

import { keys } from '../../product/index.js'
import type { Answer, Change } from '../breaking-proxy.js'
import {
  accept,
  changeHeaders,
  changeProblems,
  isProblem,
  readWanted,
  withHeaders,
  withKey,
  withOtherCode,
  withStatus,
} from '../change.js'
import type { Break } from './break.js'

/** Keys that are taken or refused in another way, and rates that do not count. */
export const keyBreaks: readonly Break[] = [
  {
    name: 'an unknown key is accepted',
    guarantee: 'invalid-key',
    change: () =>
      accept(
        (answer) => isProblem(answer, 'invalid_key'),
        ({ headers }) => ({ headers: withKey(headers, keys.both) }),
      ),
  },
  {
    name: 'an unknown key with the tag of an answer is 304',
    guarantee: 'invalid-key',
    change:
      () =>
      async ({ asked, forward }) => {
        const answer = await forward()
        return isProblem(answer, 'invalid_key') && asked.headers['if-none-match'] !== undefined
          ? forward({ headers: withKey(asked.headers, keys.both) })
          : answer
      },
  },
  {
    name: 'an unknown key and a malformed one have other answers',
    guarantee: 'invalid-key',
    change: () =>
      changeProblems(
        (answer, asked) =>
          isProblem(answer, 'invalid_key') && !/^Bearer [\w-]{20,}$/.test(asked.headers.authorization ?? ''),
        (problem) => ({ ...problem, detail: 'The API key is malformed.' }),
      ),
  },
  {
    name: 'an unknown key is 403',
    guarantee: 'invalid-key',
    change:
      () =>
      async ({ forward }) => {
        const answer = await forward()
        return isProblem(answer, 'invalid_key') ? withStatus(answer, 403) : answer
      },
  },
  {
    name: 'a request without a key is answered',
    guarantee: 'missing-key',
    change: () =>
      accept(
        (answer) => isProblem(answer, 'missing_key'),
        ({ headers }) => ({ headers: withKey(headers, keys.both) }),
      ),
  },
  {
    name: 'a request without a key is invalid_key',
    guarantee: 'missing-key',
    change:
      () =>
      async ({ forward }) => {
        const answer = await forward()
        return isProblem(answer, 'missing_key') ? withOtherCode(answer, 'invalid_key') : answer
      },
  },
  {
    name: '401 has no WWW-Authenticate',
    guarantee: 'invalid-key',
    change: () =>
      changeHeaders(
        (answer) => isProblem(answer, 'invalid_key'),
        () => ({ 'www-authenticate': undefined }),
      ),
  },
  {
    name: '401 without a key has no WWW-Authenticate',
    guarantee: 'missing-key',
    change: () =>
      changeHeaders(
        (answer) => isProblem(answer, 'missing_key'),
        () => ({ 'www-authenticate': undefined }),
      ),
  },
  {
    name: 'parameters are checked before the key',
    guarantee: 'check-order',
    change: () =>
      accept(
        ({ status }) => status === 401,
        ({ headers }) => ({ headers: withKey(headers, keys.both) }),
        ({ status }) => status === 400,
      ),
  },
  {
    name: 'the RateLimit headers are missing in errors',
    guarantee: 'rate-limit',
    change: () => withoutRates(({ status }) => status >= 400),
  },
  {
    name: 'the RateLimit headers are missing with 304',
    guarantee: 'rate-limit',
    change: () => withoutRates(({ status }) => status === 304),
  },
  {
    name: 'what remains of the rate never falls',
    guarantee: 'rate-limit',
    change: () =>
      changeHeaders(hasRates, (headers) => ({ 'ratelimit-remaining': headers['ratelimit-limit'] })),
  },
  {
    name: 'what remains of the rate is no number',
    guarantee: 'rate-limit',
    change: () => changeHeaders(hasRates, () => ({ 'ratelimit-remaining': 'many' })),
  },
]

/** Breaks that a key with the scope of registrations alone finds. */
export const scopeBreaks: readonly Break[] = [
  {
    name: 'a single record needs no scope',
    guarantee: 'scopes',
    change: () =>
      accept(
        (answer, asked) => isProblem(answer, 'insufficient_scope') && readWanted(asked).kind === 'item',
        ({ headers }) => ({ headers: withKey(headers, keys.both) }),
      ),
  },
  {
    name: 'a missing scope is 403 forbidden',
    guarantee: 'scopes',
    change:
      () =>
      async ({ forward }) => {
        const answer = await forward()
        return isProblem(answer, 'insufficient_scope') ? withOtherCode(answer, 'forbidden') : answer
      },
  },
  {
    name: 'parameters are checked before the scope',
    guarantee: 'check-order',
    change: () =>
      accept(
        (answer) => isProblem(answer, 'insufficient_scope'),
        ({ headers }) => ({ headers: withKey(headers, keys.both) }),
        ({ status }) => status === 400,
      ),
  },
]

function hasRates({ headers }: Answer): boolean {
  return headers['ratelimit-remaining'] !== undefined
}

function withoutRates(isMeant: (answer: Answer) => boolean): Change {
  return async ({ forward }) => {
    const answer = await forward()
    if (!isMeant(answer)) return answer
    const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
    return withHeaders(answer, Object.fromEntries(names.map((name) => [name, undefined])))
  }
}

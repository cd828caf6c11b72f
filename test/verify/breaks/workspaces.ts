import { base } from '../../support/client.js'
import { keys } from '../../product/index.js'
import type { Answer, Asked, Change } from '../breaking-proxy.js'
import {
  accept,
  changePages,
  hasRecords,
  isProblem,
  readCursor,
  readJson,
  readPage,
  readWanted,
  withJson,
  withKey,
  withOtherCode,
} from '../change.js'
import type { Break } from './break.js'

/** Workspaces that are mixed up, and single records that are found or missed. */
export const workspaceBreaks: readonly Break[] = [
  {
    name: 'a list has a record of the other workspace',
    guarantee: 'isolation-lists',
    change: addForeignRecord,
  },
  {
    name: 'both keys read one workspace',
    guarantee: 'isolation-lists',
    change:
      () =>
      ({ forward, asked }) =>
        forward(isKey(asked, keys.other) ? { headers: withKey(asked.headers, keys.both) } : {}),
  },
  {
    name: 'a record of the other workspace is shown',
    guarantee: 'isolation-records',
    change: () =>
      accept(isMissing, ({ headers, ...asked }) => ({
        headers: withKey(headers, isKey({ headers, ...asked }, keys.both) ? keys.other : keys.both),
      })),
  },
  {
    name: 'a record of the other workspace is 403',
    guarantee: 'isolation-records',
    change: () =>
      tellForeignRecords((answer) => ({ ...withOtherCode(answer, 'insufficient_scope'), status: 403 })),
  },
  {
    name: 'a record of the other workspace is 404 with another text',
    guarantee: 'isolation-records',
    change: () =>
      tellForeignRecords((answer) =>
        withJson(answer, { ...readJson(answer), detail: 'This record belongs to another workspace.' }),
      ),
  },
  {
    name: 'a cursor of the other workspace is taken',
    guarantee: 'cursor-workspace',
    change: acceptForeignWorkspaces,
  },
  {
    name: 'a record that does not exist is 200 and null',
    guarantee: 'not-found',
    change: () => replaceMissing((answer) => ({ ...withJson(answer, null), status: 200 })),
  },
  {
    name: 'a record that does not exist is 400',
    guarantee: 'not-found',
    change: () =>
      replaceMissing((answer) => ({ ...withOtherCode(answer, 'invalid_parameter'), status: 400 })),
  },
  {
    name: 'an id matches without case',
    guarantee: 'id-exact',
    change: ignoreCaseOfIds,
  },
]

function isKey({ headers }: Asked, key: string): boolean {
  return headers.authorization === `Bearer ${key}`
}

function isMissing(answer: Answer, asked: Asked): boolean {
  return isProblem(answer, 'not_found') && readWanted(asked).kind === 'item'
}

function replaceMissing(toAnswer: (answer: Answer) => Answer): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    return isMissing(answer, asked) ? toAnswer(answer) : answer
  }
}

/** Changes the 404 of those records alone that the other key reads. */
function tellForeignRecords(toAnswer: (answer: Answer) => Answer): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    if (!isMissing(answer, asked)) return answer
    const other = isKey(asked, keys.both) ? keys.other : keys.both
    const foreign = await forward({ headers: withKey(asked.headers, other) })
    return foreign.status === 200 ? toAnswer(answer) : answer
  }
}

/** The first pages of the first key begin with a record of the other key. */
function addForeignRecord(): Change {
  return changePages(async (page, { query }, { asked, forward }) => {
    if (!isKey(asked, keys.both) || query.has('cursor')) return page
    const foreign = await forward({ headers: withKey(asked.headers, keys.other) })
    if (!hasRecords(foreign)) return page
    return { ...page, data: [...readPage(foreign).data.slice(0, 1), ...page.data] }
  })
}

/** Answers a cursor with the key that it was given to. */
function acceptForeignWorkspaces(): Change {
  const keyOf = new Map<string, string>()
  return async ({ asked, forward }) => {
    const { authorization = '' } = asked.headers
    const given = keyOf.get(readWanted(asked).query.get('cursor') ?? '')
    const answer = await forward(
      given === undefined ? {} : { headers: { ...asked.headers, authorization: given } },
    )
    const next = readCursor(answer)
    if (next !== undefined) keyOf.set(next, authorization)
    return answer
  }
}

/** Finds the records that it has seen in lists by their ids in any case. */
function ignoreCaseOfIds(): Change {
  const known = new Map<string, string>()
  return async ({ asked, forward }) => {
    const answer = await forward()
    const { kind, collection } = readWanted(asked)
    if (kind === 'list' && hasRecords(answer))
      for (const { id } of readPage(answer).data) known.set(String(id).toLowerCase(), String(id))
    const id = known.get(decodeURIComponent(asked.target.split('/').at(-1) ?? '').toLowerCase())
    return isMissing(answer, asked) && id !== undefined
      ? forward({ target: `${base}/${collection}/${id}` })
      : answer
  }
}

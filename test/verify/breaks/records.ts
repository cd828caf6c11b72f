import {
  field,
  isMissing,
  records,
  withJson,
  change,
  problems,
  readPage,
  accept,
  readWanted,
  asOther,
  isFrom,
  as,
  pages,
  both,
  readCursor,
} from '../change.js'
import type { Change } from '../broken-service.js'
import type { Breaks, Fields, Meant } from '../change.js'
import { base } from '../../support/client.js'
import { keys } from '../../product/index.js'

/** Records with other fields, or fields with other values, than the contract has. */
export const recordBreaks: Breaks = {
  fields: {
    'the records of lists have a phone': records('registrations', withPhone, 'lists'),
    'single records have a phone': records('registrations', withPhone, 'items'),
    'some records have a subtotal': records('invoices', (one) =>
      one['status'] === 'VOID' ? { ...one, subtotal: '1.00' } : one,
    ),
    'a field is missing where it is null': records('registrations', ({ checkedInAt, ...rest }) =>
      checkedInAt === null ? rest : insertBefore(rest, 'createdAt', { checkedInAt }),
    ),
    'the fields are in another order': records('invoices', ({ id, number, ...rest }) => ({
      number,
      id,
      ...rest,
    })),
    'a total is a number': field('invoices', 'total', Number),
    'meta has more in it': pages((page) => ({ ...page, meta: { ...page.meta, total: 260 } })),
    'a single record has a wrapper': records('both', (one) => ({ data: one }), 'items'),
  },
  'single-record': {
    'a single record has another status than in the list': field(
      'registrations',
      'status',
      (text) => `${text}_`,
      'items',
    ),
  },
}

/** Workspaces that are mixed up, and single records that are found or missed. */
export const workspaceBreaks: Breaks = {
  'isolation-lists': {
    'a list has a record of the other workspace': addForeignRecord(),
    'both keys read one workspace': (asked, forward) =>
      forward(isFrom(asked, keys.other) ? as(keys.both)(asked) : {}),
    'a filter by status ignores the workspace': (asked, forward) =>
      forward(readWanted(asked).query.has('status') ? as(keys.both)(asked) : {}),
  },
  'isolation-records': {
    'a record of the other workspace is shown': accept(isMissing, asOther),
    'a record of the other workspace is 304 with its tag': accept(
      isMissing,
      asOther,
      ({ status }) => status === 304,
    ),
    'a record of the other workspace is 403': ofForeign(
      problems(isMissing, { code: 'insufficient_scope' }, 403),
    ),
    'a record of the other workspace is 404 with another text': ofForeign(
      problems(isMissing, { detail: 'This record belongs to another workspace.' }),
    ),
    'HEAD finds a record of the other workspace': accept(
      both(isMissing, (_, { method }) => method === 'HEAD'),
      asOther,
    ),
  },
  'cursor-workspace': { 'a cursor of the other workspace is taken': acceptForeignWorkspaces() },
  'not-found': {
    'a record that does not exist is 200 and null': change(isMissing, (answer) => ({
      ...withJson(answer, null),
      status: 200,
    })),
  },
  'id-exact': {
    'an id matches without case': ignoreCaseOfIds(),
    'a line break after an id is ignored': (asked, forward) =>
      forward({ target: asked.target.replace(/%0A$/i, '') }),
  },
}

function withPhone(record: Fields): Fields {
  return insertBefore(record, 'checkedIn', { phone: '+966 50 000 0000' })
}

function insertBefore(record: Fields, name: string, fields: Fields): Fields {
  const entries = Object.entries(record)
  return Object.fromEntries(
    entries.flatMap((entry) => (entry[0] === name ? [...Object.entries(fields), entry] : [entry])),
  )
}

/** Changes the answer to requests for those records alone that the other key reads. */
function ofForeign(changed: Change): Change {
  return async (asked, forward) =>
    (await forward(asOther(asked))).status === 200 ? changed(asked, forward) : forward()
}

/** The first pages of the first key begin with a record of the other key. */
function addForeignRecord(): Change {
  return pages(async (page, query, asked, forward) => {
    if (!isFrom(asked, keys.both) || query.has('cursor')) return page
    const foreign = await forward(asOther(asked))
    return foreign.status === 200
      ? { ...page, data: [...readPage(foreign).data.slice(0, 1), ...page.data] }
      : page
  })
}

/** Answers a cursor with the key that it was given to. */
function acceptForeignWorkspaces(): Change {
  const keyOf = new Map<string, string>()
  return async (asked, forward) => {
    const { authorization = '' } = asked.headers
    const given = keyOf.get(readWanted(asked).query.get('cursor') ?? '') ?? authorization
    const answer = await forward(
      authorization === '' ? {} : { headers: { ...asked.headers, authorization: given } },
    )
    const next = readCursor(answer)
    if (next !== undefined) keyOf.set(next, authorization)
    return answer
  }
}

/** Finds the records that it has seen in lists by their ids in any case. */
function ignoreCaseOfIds(): Change {
  const known = new Map<string, string>()
  const toId = (target: string): string =>
    known.get(decodeURIComponent(target.split('/').at(-1) ?? '').toLowerCase()) ?? ''
  const learn = records('both', (record) => {
    known.set(String(record['id']).toLowerCase(), String(record['id']))
    return record
  })
  const isKnown: Meant = (answer, asked) => isMissing(answer, asked) && toId(asked.target) !== ''
  const find = accept(isKnown, (asked) => ({
    target: `${base}/${readWanted(asked).collection}/${toId(asked.target)}`,
  }))
  return (asked, forward) =>
    find(asked, (differences) => Promise.resolve(learn(asked, () => forward(differences))))
}

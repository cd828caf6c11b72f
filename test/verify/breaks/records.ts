import {
  accept,
  as,
  asOther,
  both,
  change,
  field,
  isFrom,
  isMissing,
  pages,
  problems,
  readWanted,
  records,
  requests,
  withJson,
  withMethod,
} from '../change.js'
import type { Breaks } from '../change.js'
import { keys } from '../../product/index.js'

/** Records with other fields, or fields with other values, than the contract has. */
export const recordBreaks: Breaks = {
  fields: {
    'single records have a phone': records('registrations', (one) => ({ ...one, phone: '+966' }), 'items'),
    'some records have a subtotal': records('invoices', (one) =>
      one['status'] === 'VOID' ? { ...one, subtotal: '1.00' } : one,
    ),
    'the fields are in another order': records('invoices', ({ id, number, ...rest }) => ({
      number,
      id,
      ...rest,
    })),
    'meta has more in it': pages((page) => ({ ...page, meta: { ...page.meta, total: 260 } })),
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
    'a record of the other workspace is 404 with another text': async (asked, forward) => {
      const changed = problems(isMissing, { detail: 'This record belongs to another workspace.' })
      return (await forward(asOther(asked))).status === 200 ? changed(asked, forward) : forward()
    },
    'HEAD finds a record of the other workspace': accept(both(isMissing, withMethod('HEAD')), asOther),
  },
  'not-found': {
    'a record that does not exist is 200 and null': change(isMissing, (answer) => ({
      ...withJson(answer, null),
      status: 200,
    })),
  },
  'id-exact': {
    'an id matches without case': requests(({ target }, { kind }) =>
      kind === 'item' ? { target: target.replace(/[^/]+$/, (id) => id.toUpperCase()) } : {},
    ),
  },
}

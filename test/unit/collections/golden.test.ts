import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Statement } from '../../../src/database/statement.js'
import { planPage } from '../../../src/collections/page.js'
import { renderChoice } from '../../../src/collections/parents.js'
import type { AccessPath } from '../../../src/collections/parents.js'
import { planRecord, renderRecord } from '../../../src/collections/record.js'
import type { ListQuery } from '../../../src/collections/list-query.js'
import { findLookedUpWorkspace } from '../../../src/collections/resolved-table.js'
import type { ResolvedTable } from '../../../src/collections/resolved-table.js'
import { resolveProduct, setOption, yamls } from '../../support/plain-mapping.js'

const words = ['CONFIRMED', 'CANCELLED', 'PAID', 'VOID', 'ISSUED', 'OTHER', 'nope', '1', 'x ']
const events = ['E1', '7', '01890000-0000-7000-8000-000000000000']
const ids = ['1', 'R1', 'x ', '01890000-0000-7000-8000-000000000000']
const workspaces = ['W1', '4']
const since = { seconds: 1_772_357_400, micros: 123_456 }
const positions = [
  { updatedAt: '2026-01-02 00:10:00.000', id: '5' },
  { updatedAt: null, id: 'R1' },
  { updatedAt: '1772357400', id: null },
]
const parents: readonly AccessPath[] = [[], ['1'], ['1', '2', null]]

/** The queries of lists that differ in what their statements hold. */
function listQueries(): readonly ListQuery[] {
  return [undefined, since].flatMap((updatedSince) =>
    [undefined, ...events].flatMap((eventId) =>
      [undefined, ...words].flatMap((status) =>
        [undefined, ...positions].map((position): ListQuery => {
          const filters = { updatedSince, eventId, status }
          const crawl = position && { filters, startedAt: { seconds: 1, micros: 0 }, position }
          return { limit: 25, filters, crawl }
        }),
      ),
    ),
  )
}

/** A digest of all statements of a table for each kind of request: their texts, with and without hints, and values. */
function digestStatements(table: ResolvedTable): Readonly<Record<string, string>> {
  const isByParents = findLookedUpWorkspace(table) !== undefined
  const paths: readonly AccessPath[] = isByParents ? ['direct', ...parents] : ['direct']
  const lists = (one: ResolvedTable): readonly string[] =>
    workspaces.flatMap((workspace) =>
      listQueries().flatMap((query) =>
        paths.map((path) => toText(() => planPage(one, workspace, query, path).statement)),
      ),
    )
  const records = workspaces.flatMap((workspace) =>
    ids.flatMap((id) => {
      const plan = planRecord(table, workspace, id)
      return plan === undefined ? ['none'] : [renderRecord(plan)].map(toPlain)
    }),
  )
  return {
    lists: digest(lists(table)),
    'lists without indexes': digest(lists({ ...table, indexes: [] })),
    records: digest(records),
    ...(isByParents ? { parents: digest([toChoiceText(table)]) } : {}),
  }
}

function toChoiceText(table: ResolvedTable): string {
  const choice = renderChoice(table, '4')
  return choice === undefined ? '' : JSON.stringify({ ...choice, showsTypes: undefined })
}

function toText(render: () => Statement): string {
  try {
    return toPlain(render())
  } catch (error) {
    return `throws ${String(error)}`
  }
}

function toPlain({ sql, values, withoutIndexHint }: Statement): string {
  return JSON.stringify([sql, values, withoutIndexHint])
}

function digest(texts: readonly string[]): string {
  return `${texts.length} ${hash('sha256', texts.join('\n'), 'base64url').slice(0, 16)}`
}

/** The ticketing product with the forms of fields that it does not have. */
const changes: readonly (readonly [place: string, option: string])[] = [
  ['registrations.where', '[{ column: seat, in: [guest, staff] }, { column: ticket_id, equals: null }]'],
  ['registrations.fields.createdAt', '{ column: order_id, epoch: s }'],
  ['registrations.fields.updatedAt', '{ column: ticket_id, epoch: ms }'],
  ['registrations.fields.email', '{ first: [seat, { column: seat, json: $.a }, { constant: none }] }'],
  ['invoices.workspace', '{ constant: "1" }'],
  ['invoices.eventId', 'null'],
  [
    'invoices.fields.status',
    '{ from: order_statuses, on: order_status_id, column: name, values: { open: ISSUED, paid: PAID }, otherwise: OTHER }',
  ],
  ['invoices.fields.total', '{ from: attendees, key: order_id, sum: [ticket_id, { column: id, scale: 2 }] }'],
  ['invoices.fields.updatedAt', '{ first: [updated_at, created_at] }'],
]
const otherForms = changes.reduce((yaml, [place, option]) => setOption(yaml, place, option), yamls.ticketing)
const mappings = {
  plain: resolveProduct('plain'),
  awkward: resolveProduct('awkward'),
  ticketing: resolveProduct('ticketing'),
  'other forms': resolveProduct('ticketing', otherForms),
}

// A commit that changes a statement says so, and changes its digest here (`vitest -u`).
test.each(Object.entries(mappings))('the statements of the %s product stay as they are', (name, mapping) => {
  const digests = Object.fromEntries(
    (['registrations', 'invoices'] as const).map((collection) => [
      collection,
      digestStatements(mapping[collection].table),
    ]),
  )
  expect(digests).toMatchSnapshot(name)
})

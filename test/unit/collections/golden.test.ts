import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { AccessPath } from '../../../src/collections/parents.js'
import { renderPage, renderRecords } from '../../../src/collections/statements.js'
import type { ResolvedTable } from '../../../src/collections/resolved-table.js'
import type { Statement } from '../../../src/database/statement.js'
import { resolveProduct, setOption, yamls } from '../../support/plain-mapping.js'

const since = { seconds: 1_772_357_400, micros: 123_456 }
const positions = [
  { updatedAt: '2026-01-02 00:10:00.000', id: '5' },
  { updatedAt: null, id: 'R1' },
  { updatedAt: '1772357400', id: null },
]
const queries = [undefined, since].flatMap((updatedSince) =>
  [undefined, 'E1', '7', '01890000-0000-7000-8000-000000000000'].flatMap((eventId) =>
    [undefined, 'CONFIRMED', 'PAID', 'OTHER', 'nope', '1', 'x '].flatMap((status) =>
      [undefined, ...positions].map((position) => {
        const filters = { updatedSince, eventId, status }
        const crawl = position && { filters, startedAt: { seconds: 1, micros: 0 }, position }
        return { limit: 25, filters, crawl }
      }),
    ),
  ),
)

/** A digest of all statements of a table for each kind of request: their texts, with and without hints, and values. */
function digestStatements(table: ResolvedTable) {
  const { lookedUp } = table
  const paths: readonly AccessPath[] = [
    { kind: 'own' },
    ...(lookedUp ? [{ kind: 'parents', lookedUp } as const, { kind: 'entries' } as const] : []),
  ]
  const lists = queries.flatMap((query) =>
    paths.map((path) => toText(() => renderPage({ table, workspaceId: '4', query, path }))),
  )
  const records = ['1', 'R1', 'x ', '01890000-0000-7000-8000-000000000000'].flatMap((id) =>
    [[id], [id, id, id]].map((ids) => toPlain(renderRecords(table, '4', ids))),
  )
  return { lists: digest(lists), records: digest(records) }
}

function toText(render: () => Statement): string {
  try {
    return toPlain(render())
  } catch (error) {
    return `throws ${String(error)}`
  }
}

function toPlain({ sql, values, secondForm }: Statement): string {
  return JSON.stringify([sql, values, secondForm])
}

const digest = (texts: readonly string[]): string =>
  `${texts.length} ${hash('sha256', texts.join('\n'), 'base64url').slice(0, 16)}`

const changes = parse(readFileSync('test/unit/collections/golden.yaml', 'utf8')) as Record<string, string>
const otherForms = Object.entries(changes).reduce(
  (yaml, [place, option]) => setOption(yaml, place, option),
  yamls.ticketing,
)

// A commit that changes a statement says so, and changes its digest here (`vitest -u`).
test.each([
  ...(['plain', 'awkward', 'ticketing'] as const).map((name) => [name, resolveProduct(name)] as const),
  ['other forms', resolveProduct('ticketing', otherForms)] as const,
])('the statements of the %s product stay as they are', (name, { registrations, invoices }) => {
  expect([registrations, invoices].map(({ table }) => digestStatements(table))).toMatchSnapshot(name)
})

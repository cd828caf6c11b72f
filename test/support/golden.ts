import { hash } from 'node:crypto'
import type { Statement } from '../../src/database/statement.js'
import { planPage } from '../../src/collections/page.js'
import { renderChoice } from '../../src/collections/parents.js'
import type { AccessPath } from '../../src/collections/parents.js'
import { planRecord, renderRecord } from '../../src/collections/record.js'
import type { ListQuery } from '../../src/collections/list-query.js'
import { findLookedUpWorkspace } from '../../src/collections/resolved-table.js'
import type { ResolvedTable } from '../../src/collections/resolved-table.js'

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
export function digestStatements(table: ResolvedTable): Readonly<Record<string, string>> {
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
    ...(isByParents ? { parents: digest([JSON.stringify(renderChoice(table, '4'))]) } : {}),
  }
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

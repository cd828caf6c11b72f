import type { Column } from '../database/column.js'
import { all, equals, Hole, join, quote, quoteColumn, sql, toOperand } from '../database/sql.js'
import type { Given, Sql } from '../database/sql.js'
import type { BoundValue } from '../database/statement.js'
import { findLookedUpWorkspace } from './resolved-table.js'
import type { EventChoice, IdentifierColumn, ResolvedTable, StatusCases } from './resolved-table.js'
import { listPublicStatuses, listStoredStatuses } from './status-field.js'
import { toStoredIdentifier } from '../values/identifier.js'
import { listChain, matchKey, selectFound } from './lookup.js'
import { testFound, testRow, testWorkspace } from './rows.js'
import { negate } from './row-test.js'

/** The stored form of a workspace, or undefined where the column cannot hold it. */
export function bindWorkspace({ workspace }: ResolvedTable, workspaceId: string): BoundValue | undefined {
  return 'constant' in workspace ? workspaceId : bindIdentifier(workspace, workspaceId)
}

/** The stored form of a caller's text, or undefined where the column cannot hold it. */
export function bindIdentifier(
  { column, identifier }: IdentifierColumn,
  text: string,
): BoundValue | undefined {
  // A CHAR is read without spaces at its end, but a comparison ignores them.
  if (text.endsWith(' ') && /^char\b/i.test(column.type)) return undefined
  return toStoredIdentifier(text, identifier)
}

/** Adds a value under the name of its hole. @returns whether there is one */
export type Add = (name: string, value: BoundValue | undefined) => boolean

/** The stored forms of an event in each place that can have it. @returns whether any can */
export function bindEvent(add: Add, { eventId }: Pick<ResolvedTable, 'eventId'>, text: string): boolean {
  if (eventId === undefined) return false
  if (!('first' in eventId))
    return add('event', bindIdentifier('event' in eventId ? eventId.event : eventId, text))
  const added = eventId.first.map((place, at) =>
    'constant' in place
      ? place.constant === text && add(`event${at}`, text)
      : add(`event${at}`, bindIdentifier(place, text)),
  )
  return added.includes(true) && add('event', text)
}

/* The filter of a list by a public status: the stored values that it stands for, and their comparison. */

/** What the text depends on: the case of a word, or whether the stored values are those of the word or all others. */
export function toStatusKey({ status }: ResolvedTable, word: string): string {
  return 'cases' in status ? `case ${word}` : word === status.otherwise ? 'other' : 'equal'
}

/** The stored values of a public status. @returns whether there can be any */
export function bindStatus(add: Add, { status }: ResolvedTable, word: string): boolean {
  // A cursor can hold a status of an earlier mapping.
  if ('cases' in status) return listPublicStatuses(status)?.includes(word) !== false
  const { stored, isOther } = listStoredStatuses(status, word)
  const values = stored.map((one) => bindIdentifier(status, one)).filter((value) => value !== undefined)
  for (const [at, value] of values.entries()) add(`status${at}`, value)
  return values.length > 0 || isOther
}

export function hasStatus(table: ResolvedTable, word: string, given: Given): Sql {
  const { status } = table
  if ('cases' in status) return isCase(table, status, word)
  const { column } = status
  const holes = Object.keys(given).filter((name) => name.startsWith('status'))
  const test = (quoted: Sql): Sql => {
    if (holes.length === 0) return sql`${quoted} is not null`
    const any = sql`(${join(
      holes.map((name) => equals(column, quoted, new Hole(name))),
      ' or ',
    )})`
    return toStatusKey(table, word) === 'other' ? sql`not ${any}` : any
  }
  return testFound(table, status, test)
}

/** The rows of which the first case that holds has a public word, or of which none holds. */
function isCase(table: ResolvedTable, { cases, otherwise }: StatusCases, word: string): Sql {
  const alternatives = [...cases.map(({ then }) => then), otherwise].flatMap((then, at) => {
    if (then !== word) return []
    // None of the cases before it holds, and its own does; `otherwise` comes last and has none.
    const tests = [
      ...cases.slice(0, at).map(({ test }) => negate(test)),
      ...cases.slice(at, at + 1).map(({ test }) => test),
    ]
    return [all(tests.map((test) => testRow(test, table)))]
  })
  return sql`(${join(alternatives, ' or ')})`
}

/** Where the event leads to the workspace, an event of another workspace is found before any row of it is read. */
export function isEventInWorkspace(table: ResolvedTable): readonly Sql[] {
  const workspace = findLookedUpWorkspace(table)
  if (workspace === undefined) return []
  const [first] = listChain(workspace.lookup)
  // MySQL rejects a constant that the character set of the key cannot hold, unless a function gives it.
  const on = (column: Column): Sql => {
    const value = toOperand(column, new Hole('event'))
    return column.kind === 'text' && column.characterSet !== first?.key.characterSet
      ? sql`cast(${value} as char)`
      : value
  }
  return [sql`${selectFound(workspace, { on, test: testWorkspace(workspace), isOfRow: false })} = 1`]
}

/** The condition that a row is of the event of a filter. */
export function isOfEvent({ name, id, eventId }: ResolvedTable, given: Given): Sql {
  if (eventId === undefined) return sql`1 = 0`
  const wanted = new Hole('event')
  if ('column' in eventId)
    return testFound({ name }, eventId, (quoted) => equals(eventId.column, quoted, wanted))
  if ('first' in eventId) return isOfChoice(name, eventId, given)
  const { table, invoice, event } = eventId
  const key = quoteColumn('link', invoice.column)
  const isLinked = matchKey(invoice.column, key, id.column, quoteColumn(name, id.column))
  // A scalar subquery, because both servers turn EXISTS into a join that begins at the link table, and then sort.
  return sql`(select 1 from ${quote(table)} as \`link\` where ${isLinked} and ${equals(event.column, quoteColumn('link', event.column), wanted)} limit 1) = 1`
}

/** The rows of which the first place that has an event has the wanted one. */
function isOfChoice(name: string, { first }: EventChoice, given: Given): Sql {
  const isEmpty = (place: EventChoice['first'][number]): readonly Sql[] =>
    'constant' in place ? [] : [testFound({ name }, place, (quoted) => testEmpty(place.column, quoted), true)]
  const ways = first.flatMap((place, at) => {
    if (!(`event${at}` in given)) return []
    const hole = new Hole(`event${at}`)
    const own =
      'constant' in place ? [] : [testFound({ name }, place, (quoted) => equals(place.column, quoted, hole))]
    return [all([...first.slice(0, at).flatMap(isEmpty), ...own])]
  })
  return sql`(${join(ways, ' or ')})`
}

function testEmpty({ kind }: Column, quoted: Sql): Sql {
  return kind === 'text' ? sql`(${quoted} is null or length(${quoted}) = 0)` : sql`${quoted} is null`
}

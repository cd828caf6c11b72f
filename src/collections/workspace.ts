import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import type { Column } from '../database/column.js'
import { ResultError } from '../database/errors.js'
import { equals, Hole, sql, toOperand } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import type { BoundValue, Row } from '../database/statement.js'
import { orUndefined } from '../errors.js'
import { isSame, readIdentifier } from '../values/identifiers.js'
import { listChain, selectFound, testFound } from './lookup.js'
import { listUnarchived } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import { workspaceName } from './selection.js'
import { bindIdentifier, IdentifierOption, ReferenceOption } from './identifier-fields.js'
import type { IdentifierColumn } from './identifier-fields.js'
import { closed, constantText, oneOf } from './options.js'

/*
 * Why no record of another workspace is shown: every statement that answers a request has the condition `isInWorkspace`, with the
 * workspace of the key as a bound value, and each row of its result is compared once more, as it arrived. A page that is read by
 * parent rows has the condition in `selectParents` of parents.ts.
 */

/** The option of a workspace. @param Place where it is not the same for all records */
function workspaceOption<Place extends TSchema>(place: Place) {
  const constant = constantText('the one workspace, as text in quotes')
  const confirmed = oneOf([true], { description: 'true, where one customer owns the whole database' })
  const OneWorkspace = Type.Object({ constant, confirmed: Type.Optional(confirmed) }, closed)
  const description = `${place.description}; or { constant: "1" } where there is one workspace`
  return Type.Union([place, OneWorkspace], { description })
}
/** The workspace of a row of the key table. */
export const KeyWorkspaceOption = workspaceOption(IdentifierOption)
/** The workspace of a record. */
export const WorkspaceOption = workspaceOption(ReferenceOption)

/** The stored form of a workspace, or undefined where the column cannot hold it. */
export function bindWorkspace({ workspace }: ResolvedTable, workspaceId: string): BoundValue | undefined {
  return workspace.kind === 'constant' ? workspaceId : bindIdentifier(workspace, workspaceId)
}

/** The conditions of every statement that answers a request, on the row itself: its workspace, and not archived. */
export function listVisible(table: ResolvedTable): readonly Sql[] {
  return [isInWorkspace(table), ...listUnarchived(table)]
}

/** Whether a row, or the row that a lookup finds, has the workspace of the request. */
function isInWorkspace(table: ResolvedTable): Sql {
  const { workspace } = table
  if (workspace.kind === 'constant')
    return sql`cast(${asked} as binary) = cast(${workspace.constant} as binary)`
  return testFound(table, workspace, testWorkspace(workspace))
}

const asked = new Hole('workspace')

/** The test that a cell is the workspace of the request. */
export function testWorkspace({ column }: IdentifierColumn): (quoted: Sql) => Sql {
  return (quoted) => equals(column, quoted, asked)
}

/** Where the event leads to the workspace, an event of another workspace is found before any row of it is read. */
export function isEventInWorkspace(table: ResolvedTable): readonly Sql[] {
  const { lookedUp } = table
  if (lookedUp === undefined) return []
  const [first] = listChain(lookedUp.lookup)
  // MySQL rejects a constant that the character set of the key cannot hold, unless a function gives it.
  const on = (column: Column): Sql => {
    const value = toOperand(column, new Hole('event0'))
    return column.kind === 'text' && column.characterSet !== first?.key.characterSet
      ? sql`cast(${value} as char)`
      : value
  }
  return [selectFound(lookedUp, on, testWorkspace(lookedUp))]
}

/**
 * The statement compares the workspace too; this finds what mixes up the results of statements.
 *
 * @param isShown whether a row can be shown, and is not only an entry that was visited.
 * @throws ResultError for a row of another workspace.
 */
export function requireWorkspace(
  rows: readonly Row[],
  { table, workspaceId }: { readonly table: ResolvedTable; readonly workspaceId: string },
  isShown: (row: Row) => boolean,
): void {
  const { workspace } = table
  if (workspace.kind === 'constant') return
  const first = rows.find(isShown)
  if (first === undefined) return
  const cell = first[workspaceName]
  const found = orUndefined(() => readIdentifier(cell, workspace.identifier))
  // The raw cells of one workspace are equal.
  if (found === workspaceId && rows.every((row) => isSame(row[workspaceName], cell) || !isShown(row))) return
  throw new ResultError('foreign', `rows of ${table.name} belong to another workspace than the request`)
}

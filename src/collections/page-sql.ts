import { proofNames, selectBeats } from '../database/heartbeat.js'
import type { Heartbeat } from '../database/heartbeat.js'
import type { Column } from '../database/column.js'
import { all, clock, Hole, join, quote, quoteColumn, sql, toOperand } from '../database/sql.js'
import type { HoleValues, Prepared, Sql } from '../database/sql.js'
import { chooseIdIndex, chooseIndex } from './choose-index.js'
import { fromEntries, prepareEntries } from './entries-sql.js'
import type { Part } from './entries-sql.js'
import { isEventInWorkspace, listVisible } from './workspace.js'
import type { ListQuery } from './list-query.js'
import { fromParents, isProved } from './parents.js'
import type { AccessPath } from './parents.js'
import { from, listUnarchived, orderBy } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import { prepareCells, prepareRows, selectOwn, show, timeName, toCell } from './selection.js'
import type { Cell } from './selection.js'
import { listTimeRanges } from './time-fields.js'
import { hasStatus } from './status-field.js'
import { isOfEvent } from './event-filter.js'

/** A page that is asked for. */
export interface PageRequest {
  readonly table: ResolvedTable
  readonly workspaceId: string
  readonly query: ListQuery
  /** By the columns of the table itself where it is not given. */
  readonly path?: AccessPath | undefined
}

/**
 * A page, one row longer than it, which tells whether more rows follow. With a heartbeat each row has it, else each row of the
 * first page of a crawl the clock of the database.
 */
export function preparePage(request: PageRequest, values: HoleValues): Prepared {
  const { table, query, path } = request
  const { heartbeat, updatedAt, id } = table
  const clocks = query.crawl === undefined ? [toCell(proofNames.clock, clock)] : []
  const proof = heartbeat === undefined ? clocks : [toBeats(heartbeat)]
  const shown = show(table, query.crawl !== undefined)
  const parts = listParts(request, values)
  const matches = path?.kind === 'entries' ? listMatches(request) : []
  if (isByPlace(request)) return prepareEntries(shown, all(matches), parts, proof)
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0) return prepareRows(shown, first.rest, proof)
  const time = quote(updatedAt.untilChanged === undefined ? updatedAt.column.name : timeName)
  const rows = join(
    parts.map(({ rest }) => sql`(${selectOwn(shown, rest)})`),
    ' union all ',
  )
  const page = sql`(${rows} ${orderBy(time, quote(id.column.name))} limit ${new Hole('limit')})`
  return prepareRows(shown, page, proof, true)
}

/** Whether the rows of a page are chosen by their places alone, and each is read by its id. */
function isByPlace({ table, path }: PageRequest): boolean {
  return path?.kind === 'entries' || (path?.kind === 'parents' && chooseIdIndex(table) !== undefined)
}

/** The heartbeat, in a snapshot in which the page is empty; no row where it is not any more. */
export function prepareEmpty(request: PageRequest, values: HoleValues): Prepared {
  const { heartbeat } = request.table
  if (heartbeat === undefined) throw new Error('The mapping has no heartbeat')
  const conditions = listParts(request, values).map(({ rest }) => sql`not exists (select 1 from ${rest})`)
  return prepareCells([toBeats(heartbeat)], sql`dual where ${all(conditions)}`)
}

function toBeats(heartbeat: Heartbeat): Cell {
  return { name: proofNames.beats, column: undefined, sql: selectBeats(heartbeat) }
}

const ownPath: AccessPath = { kind: 'own' }

/** What a page is merged of: each range of times, read by its own index. */
function listParts(request: PageRequest, values: HoleValues): readonly Part[] {
  const { table, query, path = ownPath } = request
  const { name, id, updatedAt } = table
  const matches = listMatches(request)
  return listTimeRanges(updatedAt).map((range, at) => {
    const { column, conditions: ofRange = [] } = range
    const since = `since${at}`
    const position = [
      ...(values.has(since) ? [sql`${quote(column.name)} >= ${toOperand(column, new Hole(since))}`] : []),
      ...(query.crawl === undefined ? [] : [isBehind(request, column, values)]),
    ]
    const order = orderBy(quoteColumn(name, column), quoteColumn(name, id.column))
    const toRest = (source: Sql, conditions: readonly Sql[]): Part => ({
      range,
      rest: sql`${source} where ${all(conditions)} ${order} limit ${new Hole('limit')}`,
    })
    switch (path.kind) {
      case 'own':
        return toRest(from(table, chooseIndex(table, query.filters, range)), [
          ...ofRange,
          ...matches,
          ...position,
        ])
      case 'parents':
        return toRest(fromParents(table, path.lookedUp), [...ofRange, ...position, ...matches])
      case 'entries':
        return toRest(
          ...fromEntries({
            table,
            range,
            filters: query.filters,
            position: [...ofRange, ...position],
            matches: all(matches),
          }),
        )
      default:
        return path satisfies never
    }
  })
}

/** The conditions of the rows of a page, wherever it begins; where a lookup finds the workspace, the cheaper ones first. */
function listMatches({ table, path, query: { filters } }: PageRequest): readonly Sql[] {
  const isByOwn = path === undefined || path.kind === 'own'
  const ofEvent = isByOwn ? [isOfEvent(table), ...isEventInWorkspace(table)] : [isOfEvent(table)]
  const isTested = path?.kind !== 'parents' || !isProved(path.lookedUp)
  const matches = [
    ...(isTested ? listVisible(table) : listUnarchived(table)),
    ...(filters.eventId === undefined ? [] : ofEvent),
    ...(filters.status === undefined ? [] : [hasStatus(table, filters.status)]),
  ]
  return isByOwn ? matches : matches.reverse()
}

/**
 * Rows behind the last row of the page before. Written out, because `(a, b) > (?, ?)` reads an index from its first
 * entry. MySQL manual, "Row Constructor Expression Optimization".
 */
function isBehind({ table: { id }, path }: PageRequest, column: Column, values: HoleValues): Sql {
  const [time, name] = [quote(column.name), quote(id.column.name)]
  // Both servers sort NULL before every value.
  const behindId = values.has('id')
    ? sql`${name} > ${toOperand(id.column, new Hole('id'))}`
    : sql`${name} is not null`
  if (!values.has('time')) return sql`((${time} is null and ${behindId}) or ${time} is not null)`
  const last = toOperand(column, new Hole('time'))
  return path?.kind === 'entries'
    ? // Two ranges of an index: of many entries of one time, none before the position is read.
      sql`((${time} = ${last} and ${behindId}) or ${time} > ${last})`
    : sql`(${time} >= ${last} and (${time} > ${last} or ${behindId}))`
}

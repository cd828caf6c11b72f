import type { Row, RunQuery } from '../../database/statement.js'
import { orUndefined } from '../../errors.js'
import { bindWorkspace } from '../../collections/filters.js'
import type { BoundCollection } from '../../collections/collection.js'
import { hasOwnOrder } from '../../collections/resolved-table.js'
import type { IdentifierColumn, ResolvedTable } from '../../collections/resolved-table.js'
import { parseEpoch } from '../../values/epoch.js'
import { readIdentifier } from '../../values/identifier.js'
import { parseDatabaseTime } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { findFault, renderAny, renderLatest, renderNewestIds, withRecords } from './sample-reader.js'
import { createError, createSection, createWarning, toTable } from '../report/report.js'
import type { Finding, Section, Table } from '../report/report.js'
import { createFailure, describeFailure } from './questions.js'

/** Recent rows of a collection, of all workspaces. */
export interface Sample {
  readonly collection: BoundCollection
  /** Last changed first. */
  readonly rows: readonly Row[]
  /** Why there are none, where the database denied them or did not answer in time. */
  readonly failure: string | null
  /** Whether there are none although the table has rows. */
  readonly isHidden?: boolean
}

/** Rows of a sample, the number of workspaces that it reads the last changes of, and the rows for each of these. */
const sizes = { rows: 1000, workspaces: 20, ofWorkspace: 100 } as const

/**
 * Reads recent rows by indexes only: the greatest ids, then the last changes in the workspaces of these rows. To sort a
 * whole table by its time of change would be expensive for a production server.
 */
export async function readSample(collection: BoundCollection, runQuery: RunQuery): Promise<Sample> {
  const { table } = collection
  const toKey = (row: Row): string => JSON.stringify([row['workspace'], row['id']])
  try {
    const newest = await runQuery(withRecords(collection, renderNewestIds(table, sizes.rows)))
    // No key has access to a row without a workspace.
    const readable = newest.filter((row) => readWorkspace(table, row) !== undefined)
    const found = new Map(readable.map((row) => [toKey(row), row]))
    for (const workspace of listWorkspaces(collection, newest)) {
      const value = bindWorkspace(table, workspace)
      if (value === undefined) continue
      const latest = withRecords(collection, renderLatest(table, value, sizes.ofWorkspace))
      for (const row of await runQuery(latest)) found.set(toKey(row), row)
    }
    const toSeconds = (row: Row): number => toInstantSeconds(readTime(table, row))
    const rows = [...found.values()].sort((a, b) => toSeconds(b) - toSeconds(a))
    const isHidden = rows.length === 0 && (await runQuery(renderAny(table))).length > 0
    return { collection, rows: rows.slice(0, sizes.rows), failure: null, isHidden }
  } catch (error) {
    return { collection, rows: [], failure: describeFailure(error) }
  }
}

/** Some workspaces of rows. No index gives the last changes where a lookup finds the workspace or the time. */
function listWorkspaces({ table }: BoundCollection, rows: readonly Row[]): readonly string[] {
  if (!hasOwnOrder(table)) return []
  const { workspace } = table
  if ('constant' in workspace) return rows.length === 0 ? [] : [workspace.constant]
  const texts = rows.flatMap((row) => readWorkspace(table, row) ?? [])
  return [...new Set(texts)].slice(0, sizes.workspaces)
}

/** The workspace of a row as callers have it; undefined for a row of none. */
function readWorkspace({ workspace }: ResolvedTable, row: Row): string | undefined {
  return 'constant' in workspace ? workspace.constant : readText(row['workspace'], workspace)
}

/** An id, an event or a workspace as callers have it; undefined where a row has none that can be shown. */
export function readText(cell: unknown, { identifier }: IdentifierColumn): string | undefined {
  return orUndefined(() => readIdentifier(cell, identifier))
}

/** The time of change of a row; undefined where it is none. */
export function readTime({ updatedAt }: ResolvedTable, row: Row): Instant | undefined {
  const cell = row['updatedAt']
  if (updatedAt.epoch !== undefined) return parseEpoch(cell, updatedAt.epoch)
  return typeof cell === 'string' ? parseDatabaseTime(cell, updatedAt.zone) : undefined
}

/** Seconds since 1970, with a fraction; 0 for no time. */
export function toInstantSeconds({ seconds, micros }: Instant = { seconds: 0, micros: 0 }): number {
  return seconds + micros / 1e6
}

/** The section of what follows. */
export const sampleHead = { id: 'sample', title: 'A sample of real rows' } as const

/** Converts the rows of the samples: how many are invalid, why, and the ids of some. No other value is shown. @param answers what else the rows show */
export function checkSample(samples: readonly Sample[], answers: readonly Finding[]): Section {
  const evaluated = samples.map((sample) => ({ ...sample, reasons: listReasons(sample) }))
  return createSection({
    ...sampleHead,
    intro:
      'Recent rows of every workspace, converted by the code that answers requests. With invalidRows: skip, a row that cannot be shown correctly is left out of lists, logged and counted; with fail, the request fails.',
    tables: [
      toTable(
        'samples',
        {
          collection: 'Collection',
          rows: 'Rows',
          shown: 'Shown',
          refused: 'Cannot be shown',
          mode: 'invalidRows',
        },
        evaluated.map(({ collection, rows, reasons }) => {
          const invalid = countInvalid(reasons)
          return {
            collection: collection.name,
            rows: rows.length,
            shown: rows.length - invalid,
            refused: invalid,
            mode: collection.invalidRows,
          }
        }),
      ),
      toReasonsTable(evaluated),
    ],
    notes: samples.flatMap(({ collection, rows, failure, isHidden = false }) =>
      rows.length === 0 && failure === null && !isHidden
        ? [`The table of ${collection.name} has no row.`]
        : [],
    ),
    findings: [...evaluated.flatMap(listFindings), ...answers],
  })
}

function toReasonsTable(evaluated: readonly EvaluatedSample[]): Table {
  return toTable(
    'reasons',
    { collection: 'Collection', reason: 'Reason', rows: 'Rows', ids: 'Ids' },
    evaluated.flatMap(({ collection, reasons }) =>
      reasons.map(({ reason, rows, ids }) => ({
        collection: collection.name,
        reason,
        rows,
        ids: listIds({ rows, ids }),
      })),
    ),
  )
}

/** Why rows are invalid. */
interface Reason {
  readonly reason: string
  readonly rows: number
  /** Of the first rows. */
  readonly ids: readonly string[]
  /** Whether the mapping does not list a status code, which `askCodes` reports with the code. */
  readonly isCode: boolean
}

function listReasons({ collection, rows }: Sample): readonly Reason[] {
  const reasons = new Map<string, Reason>()
  for (const row of rows) {
    const fault = findFault(row)
    if (fault === undefined) continue
    const { message: reason, code } = fault
    const { rows: known, ids } = reasons.get(reason) ?? { rows: 0, ids: [] }
    reasons.set(reason, {
      reason,
      rows: known + 1,
      ids: ids.length < idsMax ? [...ids, readText(row['id'], collection.table.id) ?? 'NULL'] : ids,
      isCode: code !== undefined,
    })
  }
  return [...reasons.values()]
}

function countInvalid(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { rows }) => sum + rows, 0)
}

/** The most ids that are shown for a reason. */
const idsMax = 5

function listIds({ rows, ids }: Pick<Reason, 'rows' | 'ids'>): string {
  return `${ids.join(', ')}${rows > ids.length ? ', …' : ''}`
}

interface EvaluatedSample extends Sample {
  readonly reasons: readonly Reason[]
}

function listFindings({
  collection,
  rows: sample,
  failure,
  reasons,
  isHidden = false,
}: EvaluatedSample): readonly Finding[] {
  const object = collection.table.name
  if (failure !== null) return [createFailure(object, `the sample could not be read: ${failure}`)]
  if (isHidden) return [createHidden(collection)]
  const isNoneShown = sample.length > 0 && countInvalid(reasons) === sample.length
  // Under `fail`, callers cannot read the page of such a row.
  const create = collection.invalidRows === 'fail' || isNoneShown ? createError : createWarning
  const fix = 'correct the mapping where it does not say what they mean, or the rows'
  return reasons.flatMap(({ reason, rows, ids, isCode }) => {
    const count = rows === sample.length ? `all ${rows}` : rows
    const problem = `${count} rows of the sample cannot be shown: ${reason} (id ${listIds({ rows, ids })})`
    return isCode && !isNoneShown
      ? []
      : [create(object, problem, reason === 'status is NULL' ? adviseNull(collection) : fix)]
  })
}

/** How a status is mapped whose column can be NULL: `values` and `otherwise` are about stored values. */
function adviseNull({ name, table: { status } }: BoundCollection): string {
  const column = 'cases' in status ? '…' : status.column.name
  return `correct the rows; or, because NULL is no stored value, write ${name}.fields.status as when, with { column: ${column}, is: unset, then: … } as its first case`
}

/** The finding that the mapping leaves no row to show. */
function createHidden({ name, table }: BoundCollection): Finding {
  const { where, archived, workspace } = table
  const places = [
    ...(where.length === 0 ? [] : [`${name}.where`]),
    ...(archived.length === 0 ? [] : [`${name}.archived`]),
    ...('constant' in workspace ? [] : [`${name}.workspace`]),
  ]
  const problem = `has rows, but the check found no ${name} among them: lists can be empty`
  const fix = `correct ${places.join(', ')}: a record passes every test of where and none of archived, and has a workspace`
  return createWarning(table.name, problem, fix)
}

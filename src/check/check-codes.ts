import { isTimeLimit } from '../database/errors.js'
import type { Row, RunQuery } from '../database/statement.js'
import { orUndefined } from '../errors.js'
import type { ResolvedResource } from '../resources/resource.js'
import type { StatusColumn } from '../resources/resolved-table.js'
import { hasUnknownStatuses, toPublicStatus } from '../resources/status-words.js'
import { readIdentifier } from '../values/identifier.js'
import { renderGroups } from './groups-sql.js'
import { createError, createWarning, toTable } from '../report/report.js'
import type { Finding, Table } from '../report/report.js'
import { createFailure, describeFailure } from './failure.js'

/** A stored status that the mapping does not list. */
export interface UnknownCode {
  readonly code: string
  readonly rows: number
}

/** The stored statuses of a collection that the mapping does not list. */
export interface UnknownCodes {
  readonly resource: ResolvedResource
  /** The most frequent first. */
  readonly codes: readonly UnknownCode[]
  /** Whether only the rows with the greatest ids were counted, because there are too many. */
  readonly isSampled: boolean
  /** Why none could be counted. */
  readonly failure: string | null
}

/** Unknown codes that are shown, and rows that count where the whole table takes too long. */
const sizes = { codes: 20, newest: 20_000 } as const

/** Counts the visible rows of each status that the mapping does not list, where it lists some. */
export async function readUnknownCodes(
  resource: ResolvedResource,
  runQuery: RunQuery,
): Promise<UnknownCodes> {
  const { status } = resource.table
  if (!hasUnknownStatuses(status)) return { resource, codes: [], isSampled: false, failure: null }
  const groups = {
    table: resource.table,
    found: status,
    isVisible: true,
    limit: (status.values?.size ?? 0) + sizes.codes,
  }
  try {
    const { rows, isSampled } = await countOrSample(groups, runQuery)
    const codes = rows.flatMap((row) => toUnknownCode(row, status))
    return { resource, codes, isSampled, failure: null }
  } catch (error) {
    return { resource, codes: [], isSampled: false, failure: describeFailure(error) }
  }
}

async function countOrSample(
  groups: Parameters<typeof renderGroups>[0],
  runQuery: RunQuery,
): Promise<{ readonly rows: readonly Row[]; readonly isSampled: boolean }> {
  try {
    return { rows: await runQuery(renderGroups(groups)), isSampled: false }
  } catch (error) {
    if (!isTimeLimit(error)) throw error
    return { rows: await runQuery(renderGroups({ ...groups, newest: sizes.newest })), isSampled: true }
  }
}

/** NULL is no code; the sample reports it. */
function toUnknownCode(row: Row, status: StatusColumn): readonly UnknownCode[] {
  const code = orUndefined(() => readIdentifier(row['value'], status.identifier))
  if (code === undefined || toPublicStatus(code, status) !== undefined) return []
  return [{ code, rows: Number(row['rows']) }]
}

/** The unknown codes of all collections, with their numbers of rows. */
export function toCodesTable(all: readonly UnknownCodes[]): Table {
  return toTable(
    'codes',
    { collection: 'Collection', code: 'Unknown status code', rows: 'Rows', counted: 'Counted in' },
    all.flatMap(({ resource, codes, isSampled }) =>
      codes.map(({ code, rows }) => ({
        collection: resource.name,
        code: toShort(code),
        rows,
        counted: isSampled ? 'recent rows' : 'all rows',
      })),
    ),
  )
}

/** One finding for all unknown codes of a collection, with the line of the mapping that accepts them. */
export function evaluateCodes({ resource, codes, isSampled, failure }: UnknownCodes): readonly Finding[] {
  const { name, table, invalidRows } = resource
  const { status } = table
  if ('cases' in status) return []
  const object = `${status.lookup?.table ?? table.name}.${status.column.name}`
  if (failure !== null) return [createFailure(object, `the status codes could not be counted: ${failure}`)]
  if (codes.length === 0) return []
  const counted = codes.map(
    ({ code, rows }) => `${toShort(code)} (${isSampled ? 'at least ' : ''}${toRows(rows)})`,
  )
  const problem = `has status codes that the mapping does not list: ${counted.join(', ')}`
  const fix = `say what they mean in ${name}.fields.status.values: ${renderValues(codes, status)}; or ${name}.fields.status.otherwise: OTHER`
  // Under `fail`, callers cannot read the page of such a row.
  const create = invalidRows === 'fail' ? createError : createWarning
  return [create(object, problem, fix)]
}

function toRows(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`
}

/** As YAML; a list where the stored words are the public ones. */
function renderValues(codes: readonly UnknownCode[], { values = new Map() }: StatusColumn): string {
  const isList = values.size > 0 && [...values].every(([stored, shown]) => stored === shown)
  const texts = codes.map(({ code }) => toYaml(code))
  return isList
    ? `[${[...[...values.keys()].map(toYaml), ...texts].join(', ')}]`
    : `{ ${texts.map((text) => `${text}: …`).join(', ')} }`
}

function toYaml(code: string): string {
  return /^(\d{1,15}|[A-Za-z]\w*)$/.test(code) ? code : JSON.stringify(toShort(code))
}

const codeLengthMax = 40

function toShort(code: string): string {
  return code.length > codeLengthMax ? `${code.slice(0, codeLengthMax)}…` : code
}

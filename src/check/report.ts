import { createWarning } from '../audit/finding.js'
import type { Finding } from '../audit/finding.js'
import { isAccessDenied, toCause } from '../database/errors.js'
import { Problem } from '../errors.js'

/** What `vitrine check` prints, as JSON, text or a page. */
export interface CheckReport {
  /** Of Vitrine. */
  readonly version: string
  /** In UTC, by the clock of this machine. */
  readonly checkedAt: string
  /** Whether no section has an error. */
  readonly ok: boolean
  readonly sections: readonly CheckSection[]
}

/** One part of the report. */
export interface CheckSection {
  /** Never renamed, because programs use it. */
  readonly id: SectionId
  readonly title: string
  /** What the section shows and why, in a sentence or two. */
  readonly intro: string
  readonly tables: readonly CheckTable[]
  readonly notes: readonly string[]
  readonly findings: readonly Finding[]
}

/** The sections in their order. */
export type SectionId =
  | 'connection'
  | 'privileges'
  | 'provenance'
  | 'epoch'
  | 'cost'
  | 'clock'
  | 'times'
  | 'transactions'
  | 'sample'

/** A table; its columns have ids for programs and heads for readers. */
export interface CheckTable {
  readonly id: string
  readonly columns: readonly { readonly id: string; readonly head: string }[]
  readonly rows: readonly Readonly<Record<string, Cell>>[]
}

/** The value of a cell; null where there is none. */
export type Cell = string | number | boolean | null

/** A table from the heads of its columns by id. */
export function toTable(
  id: string,
  heads: Readonly<Record<string, string>>,
  rows: readonly Readonly<Record<string, Cell>>[],
): CheckTable {
  return { id, columns: Object.entries(heads).map(([name, head]) => ({ id: name, head })), rows }
}

/** The highest severity of the findings. */
export function toStatus({ findings }: CheckSection): 'ok' | 'warning' | 'error' {
  if (findings.some(({ severity }) => severity === 'error')) return 'error'
  return findings.length > 0 ? 'warning' : 'ok'
}

/** A cell for readers. */
export function toCellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '–'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return String(cell)
}

/** A number of things: `no errors`, `1 error`, `2 errors`. */
export function toCountText(size: number, word: string): string {
  return `${size === 0 ? 'no' : size} ${word}${size === 1 ? '' : 's'}`
}

/** Why a statement of the check failed. @throws any error but that the database did not answer in time or denied it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Problem) && !isAccessDenied(error)) throw error
  const cause = toCause(error)
  return cause instanceof Error ? cause.message : String(cause)
}

/** A warning that something could not be checked. @param problem ends with what `describeFailure` returns. */
export function createFailure(object: string, problem: string): Finding {
  const fix = 'remove the reason; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS'
  return createWarning(object, problem, fix)
}

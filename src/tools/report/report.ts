import type { Finding } from '../../finding.js'

/**
 * What a command found out, for readers and for programs: sections in their order, with findings. `verify` has a section
 * for each guarantee, `check` one for each part of the database.
 */
export interface Report {
  /** The first line. */
  readonly title: string
  readonly sections: readonly Section[]
  /** The last line: what the sections come to. */
  readonly summary: string
}

/** One part of a report. */
export interface Section {
  /** Never renamed, because programs use it. */
  readonly id: string
  readonly title: string
  readonly status: Status
  /** What the section shows and why, in a sentence or two. */
  readonly intro?: string
  readonly tables?: readonly Table[]
  /** Sentences below it; text with several lines is kept as it is, such as commands. */
  readonly notes?: readonly string[]
  readonly findings: readonly Finding[]
  readonly durationMs?: number
}

/** `skipped`: nothing was found out; the notes say why. */
export type Status = 'ok' | 'warning' | 'error' | 'skipped'

/** A table; its columns have ids for programs and heads for readers. */
export interface Table {
  readonly id: string
  readonly columns: readonly { readonly id: string; readonly head: string }[]
  readonly rows: readonly Readonly<Record<string, Cell>>[]
}

/** A table from the heads of its columns by id. */
export function toTable(
  id: string,
  heads: Readonly<Record<string, string>>,
  rows: readonly Readonly<Record<string, Cell>>[],
): Table {
  return { id, columns: Object.entries(heads).map(([name, head]) => ({ id: name, head })), rows }
}

/** A section with the highest severity of its findings as its status. */
export function createSection(section: Omit<Section, 'status'>): Section {
  const { findings } = section
  const isError = findings.some(({ severity }) => severity === 'error')
  return { ...section, status: isError ? 'error' : findings.length > 0 ? 'warning' : 'ok' }
}

/** How often each of some values occurs; a page shows a bar for each. */
export type Bars = readonly { readonly label: string; readonly count: number }[]

/** The value of a cell; null where there is none. */
export type Cell = string | number | boolean | null | Bars

/** A cell for readers. */
export function toCellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '–'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (typeof cell === 'object') return cell.map(({ label, count }) => `${label} ${count}`).join(', ') || '–'
  return String(cell)
}

/** A number for readers, such as `52,692`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

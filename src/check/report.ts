import type { Finding } from '../audit/finding.js'

/** A page for whoever must approve the go-live, and the same for programs. */
export interface CheckReport {
  /** Of Vitrine. */
  readonly version: string
  /** When it was made: UTC, by this machine's clock. */
  readonly checkedAt: string
  /** Whether no section has an error. */
  readonly ok: boolean
  readonly sections: readonly CheckSection[]
}

/** One part of the check: what was found, in words, in tables and for programs. */
export interface CheckSection {
  /** For programs; never renamed. */
  readonly id: SectionId
  readonly title: string
  /** What the section shows and why it matters, in a sentence or two. */
  readonly intro: string
  readonly tables: readonly CheckTable[]
  readonly notes: readonly string[]
  readonly findings: readonly Finding[]
}

/** The sections in their order. */
export type SectionId =
  'connection' | 'privileges' | 'provenance' | 'plans' | 'clock' | 'times' | 'transactions' | 'sample'

/** A table whose columns have names for programs and heads for people. */
export interface CheckTable {
  readonly id: string
  readonly columns: readonly { readonly id: string; readonly head: string }[]
  readonly rows: readonly Readonly<Record<string, Cell>>[]
}

/** What a cell holds; null where there is nothing to tell. */
export type Cell = string | number | boolean | null

/** A table from its columns' heads by name. */
export function toTable(
  id: string,
  heads: Readonly<Record<string, string>>,
  rows: readonly Readonly<Record<string, Cell>>[],
): CheckTable {
  return { id, columns: Object.entries(heads).map(([name, head]) => ({ id: name, head })), rows }
}

/** The worst of a section. */
export function toStatus({ findings }: CheckSection): 'ok' | 'warning' | 'error' {
  if (findings.some(({ severity }) => severity === 'error')) return 'error'
  return findings.length > 0 ? 'warning' : 'ok'
}

/** The report of all sections. */
export function toReport(
  sections: readonly CheckSection[],
  made: { readonly version: string; readonly checkedAt: string },
): CheckReport {
  return { ...made, ok: sections.every((section) => toStatus(section) !== 'error'), sections }
}

/** A cell as people read it. */
export function toCellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '–'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return String(cell)
}

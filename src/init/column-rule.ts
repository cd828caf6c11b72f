import type { ColumnKind } from '../database/column.js'
import { sortByScore } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import { isUnique, isSameName } from './description.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import type { FindReferences, Reference } from './references.js'
import { listNameForms } from './words.js'

/** How the column for a field is recognized. */
export interface ColumnRule {
  /** Names in snake case, with what a match is worth, up to 10; the first match counts. */
  readonly names: readonly (readonly [name: RegExp, points: number])[]
  /** Names that have another meaning, whatever matches. */
  readonly not?: RegExp
  readonly kinds: readonly ColumnKind[]
  /** Further conditions on the column. */
  readonly accepts?: (column: DescribedColumn, table: DescribedTable) => boolean
}

/** A column that a rule found, with its score. */
export interface FoundColumn {
  readonly column: DescribedColumn
  readonly score: number
  readonly reasons: readonly string[]
}

/** The columns of a table that a rule accepts, the best one first. */
export function findByRule(table: DescribedTable, rule: ColumnRule): readonly FoundColumn[] {
  const found = table.columns.flatMap((column): FoundColumn[] => {
    if (!rule.kinds.includes(column.kind) || rule.accepts?.(column, table) === false) return []
    const points = scoreName(table, column, rule)
    if (points === 0) return []
    const score = points + (column.nullable ? 0 : 0.5)
    return [{ column, score, reasons: ['its name', describeColumn(column)] }]
  })
  return [...found].sort((one, other) => other.score - one.score)
}

/** What the name of a column is worth; a form without the words of its table a little less. */
function scoreName(table: DescribedTable, column: DescribedColumn, { names, not }: ColumnRule): number {
  const points = listNameForms(column.name, table.name).map((form, at) => {
    if (not?.test(form) === true) return 0
    const match = names.find(([name]) => name.test(form))
    return match === undefined ? 0 : match[1] - at * 0.25
  })
  return Math.max(0, ...points)
}

/** Type and nullability, as in a CREATE TABLE. */
export function describeColumn({ type, nullable }: DescribedColumn): string {
  return `${type.toUpperCase()}${nullable ? '' : ' NOT NULL'}`
}

/** The columns that a rule accepts, as names for the mapping file. */
export function listDirect(table: DescribedTable, rule: ColumnRule): readonly Candidate[] {
  return findByRule(table, rule).map(({ column, score, reasons }) => ({
    value: column.name,
    label: `${table.name}.${column.name}`,
    score,
    reasons,
  }))
}

/** A mapped value that reads one row of another table. */
export function toLookup(reference: Reference, on: MappingValue, columns: Lookup): MappingValue {
  const { target, key } = reference
  const isPrimary = target.primary.length === 1 && isSameName(target.primary[0], key)
  return { from: target.name, on, ...(isPrimary ? {} : { key }), ...columns }
}

/** What a lookup reads. */
type Lookup =
  | { readonly column: string; readonly values?: MappingValue }
  | { readonly columns: readonly string[]; readonly separator: string }

/** Whether a lookup can follow a reference: its key identifies one row. */
export function canFollow({ target, key }: Reference): boolean {
  return !target.isView && isUnique(target, key)
}

/** The words of a reason for following a reference. */
export function describeReference({ column, target, key, isDeclared }: Reference): string {
  return isDeclared
    ? `${column.name} is a foreign key to ${target.name}.${key}`
    : `${column.name} has the name and type of a key of ${target.name}`
}

/** The columns that a rule finds in the tables that a table refers to. */
export function listLookups(
  table: DescribedTable,
  rule: ColumnRule,
  {
    findReferences,
    weigh,
  }: { readonly findReferences: FindReferences; readonly weigh: (reference: Reference) => number },
): readonly Candidate[] {
  return sortByScore(
    findReferences(table)
      .filter(canFollow)
      .flatMap((reference) =>
        findByRule(reference.target, rule).map(({ column, score, reasons }) => ({
          value: toLookup(reference, reference.column.name, { column: column.name }),
          label: `${reference.target.name}.${column.name} by ${reference.column.name}`,
          score: score + weigh(reference),
          reasons: [describeReference(reference), ...reasons],
        })),
      ),
  )
}

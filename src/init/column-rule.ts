import type { ColumnKind } from '../database/column.js'
import type { DescribedColumn, DescribedTable } from '../database/description.js'
import { rankCandidates } from './candidate.js'
import type { Candidate, Evidence, Section } from './candidate.js'
import type { Content } from './content.js'
import type { ListParents } from './parents.js'
import { describeEnd, describeStep, listWays, writeReading } from './ways.js'
import type { Way } from './ways.js'
import { listNameForms } from './words.js'

/** How the column for a place is recognized. */
export interface ColumnRule {
  /** What names are worth: names in snake case, as parts of a regular expression; the most counts. */
  readonly names: Readonly<Record<number, string>>
  /** Names that have another meaning, whatever matches. */
  readonly not?: RegExp
  readonly kinds: readonly ColumnKind[]
  /** Further conditions on the column. */
  readonly accepts?: (column: DescribedColumn) => boolean
}

/** A column that a rule found. */
export interface FoundColumn {
  readonly column: DescribedColumn
  readonly evidence: readonly Evidence[]
}

/** Where the candidates of a place are looked for. */
export interface Search {
  readonly listParents: ListParents
  readonly content: Content
}

/** What evidence is worth that is the same for all places. */
const weights = { notNull: 0.5, byType: 0.5 } as const

/** What was found, because the same rules are asked of each table many times. */
const found = new WeakMap<DescribedTable, Map<ColumnRule, readonly FoundColumn[]>>()

/** The columns of a table that a rule accepts, the best one first. */
export function findColumns(table: DescribedTable, rule: ColumnRule): readonly FoundColumn[] {
  const known = found.get(table) ?? new Map<ColumnRule, readonly FoundColumn[]>()
  found.set(table, known)
  const columns = known.get(rule) ?? searchColumns(table, rule)
  known.set(rule, columns)
  return columns
}

function searchColumns(table: DescribedTable, rule: ColumnRule): readonly FoundColumn[] {
  const columns = table.columns.flatMap((column): FoundColumn[] => {
    const points = canHold(column, rule) ? weighName(table, column, rule) : 0
    return points === 0 ? [] : [{ column, evidence: [[points, 'its name'], weighType(column)] }]
  })
  return rankCandidates(columns)
}

/** Whether a rule accepts the type of a column. */
export function canHold(column: DescribedColumn, { kinds, accepts }: ColumnRule): boolean {
  return kinds.includes(column.kind) && accepts?.(column) !== false
}

/** A yes or no. */
export function isFlag({ kind, type }: DescribedColumn): boolean {
  return kind === 'bit' || (kind === 'integer' && /^(?:tiny|small)int/i.test(type))
}

const patterns = new Map<string, RegExp>()

function toPattern(names: string): RegExp {
  const pattern = patterns.get(names) ?? new RegExp(`^(?:${names.trim().split(/\s+/).join('|')})$`)
  patterns.set(names, pattern)
  return pattern
}

/** What the name of a column is worth; a form without the words of its table a little less. */
function weighName(table: DescribedTable, column: DescribedColumn, { names, not }: ColumnRule): number {
  const points = listNameForms(column.name, table.name).map((form, at) => {
    if (not?.test(form) === true) return 0
    const matches = Object.entries(names).filter(([, pattern]) => toPattern(pattern).test(form))
    return matches.length === 0 ? 0 : Math.max(...matches.map(([points]) => Number(points))) - at * 0.25
  })
  return Math.max(0, ...points)
}

/** Type and nullability, as in a CREATE TABLE. */
export function weighType({ type, nullable }: DescribedColumn): Evidence {
  return [nullable ? 0 : weights.notNull, `${type.toUpperCase()}${nullable ? '' : ' NOT NULL'}`]
}

/** How a column is written in the mapping. */
export interface Written extends Pick<Candidate, 'verify'> {
  /** A `column` or `columns`, with its options. */
  readonly reading: Section
  readonly evidence?: readonly Evidence[]
}

/** How the column of a place is found and written. */
export interface ColumnPlace {
  readonly column: ColumnRule
  /** What a way to another table is worth; undefined for one that the place cannot take. Only own columns without it. */
  readonly weighWay?: (way: Way) => Evidence | undefined
  /** By its name without it. */
  readonly write?: (column: DescribedColumn) => Written
}

/** The candidates of a place by the rule for its column, in the table itself and where its rows lead. */
export function listCandidates(
  { listParents }: Pick<Search, 'listParents'>,
  table: DescribedTable,
  { column: rule, weighWay, write = writeName }: ColumnPlace,
): readonly Candidate[] {
  const [own, ...ways] = listWays(table, listParents)
  const weighed = ways.flatMap((way) => {
    const onWay = weighWay?.(way)
    return onWay === undefined ? [] : [{ way, onWay: [onWay] }]
  })
  const found = [{ way: own, onWay: [] }, ...weighed].flatMap(({ way, onWay }) =>
    findColumns(way.table, rule).map(({ column, evidence }) =>
      toCandidate(way, write(column), [...onWay, ...evidence]),
    ),
  )
  return rankCandidates(found)
}

function writeName({ name }: DescribedColumn): Written {
  return { reading: { column: name } }
}

/** A candidate at the end of a way. */
export function toCandidate(way: Way, written: Written, evidence: readonly Evidence[]): Candidate {
  const { reading, verify } = written
  const names = [reading['column'] ?? reading['columns']].flat().map(String)
  const steps = way.steps.map((step): Evidence => [0, describeStep(step)])
  return {
    value: writeReading(way, reading),
    label: describeEnd(way, names),
    evidence: [...steps, ...evidence, ...(written.evidence ?? [])],
    verify,
  }
}

const byTypeMax = 4

/** Columns whose type fits and whose name says nothing, for a person to choose from. */
export function listByType(
  table: DescribedTable,
  { column: rule, write = writeName }: ColumnPlace,
): readonly Candidate[] {
  return table.columns
    .filter((column) => canHold(column, rule) && !table.primary.includes(column.name))
    .slice(0, byTypeMax)
    .map((column) => {
      const reason = `only its type fits: ${weighType(column)[1]}`
      return toCandidate({ steps: [], table }, write(column), [[weights.byType, reason]])
    })
}

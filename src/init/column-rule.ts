import type { ColumnKind } from '../database/column.js'
import { rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import type { ColumnProfile, Content } from './content.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import type { ListParents } from './parents.js'
import { describeEnd, describeSteps, listWays, toOwnWay, writeReading } from './ways.js'
import type { Reading, Way } from './ways.js'
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
  /** What the values look like. */
  readonly looksLike?: 'address' | 'currency'
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
const weights = {
  notNull: 0.5,
  unused: -2,
  required: -8,
  looksRight: 1.5,
  looksWrong: -5,
  byType: 0.5,
} as const

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
    if (!canHold(column, rule)) return []
    const points = weighName(table, column, rule)
    return points === 0
      ? []
      : [{ column, evidence: [{ points, reason: 'its name' }, ...describeType(column)] }]
  })
  return rankCandidates(columns)
}

/** Whether a rule accepts the type of a column. */
function canHold(column: DescribedColumn, { kinds, accepts }: ColumnRule): boolean {
  return kinds.includes(column.kind) && accepts?.(column) !== false
}

const patterns = new Map<string, RegExp>()

function toPattern(names: string): RegExp {
  const pattern = patterns.get(names) ?? new RegExp(`^(?:${names.trim().split(/\s+/).join('|')})$`)
  patterns.set(names, pattern)
  return pattern
}

/** What the name of a column is worth; a form without the words of its table a little less. */
function weighName(table: DescribedTable, column: DescribedColumn, { names, not }: ColumnRule): number {
  const points = listNameForms(column.name, table).map((form, at) => {
    if (not?.test(form) === true) return 0
    const matches = Object.entries(names).filter(([, pattern]) => toPattern(pattern).test(form))
    return matches.length === 0 ? 0 : Math.max(...matches.map(([points]) => Number(points))) - at * 0.25
  })
  return Math.max(0, ...points)
}

function describeType(column: DescribedColumn): readonly Evidence[] {
  return [{ points: column.nullable ? 0 : weights.notNull, reason: describeColumn(column) }]
}

/** Type and nullability, as in a CREATE TABLE. */
export function describeColumn({ type, nullable }: DescribedColumn): string {
  return `${type.toUpperCase()}${nullable ? '' : ' NOT NULL'}`
}

/** How the candidates of a place are found, beyond the rule for its column. */
export interface CandidateInput {
  /** What a way to another table is worth; undefined for one that the place cannot take. Only own columns without it. */
  readonly weighWay?: (way: Way) => Evidence | undefined
  /** How a column is written; by its name otherwise. */
  readonly write?: (column: DescribedColumn) => Written
}

/** How a column is written in the mapping. */
export interface Written {
  readonly reading: Reading
  readonly evidence: readonly Evidence[]
  readonly verify?: string | undefined
  readonly codes?: Candidate['codes']
}

/** The candidates of a place by the rule for its column, in the table itself and where its rows lead. */
export async function listCandidates(
  search: Search,
  table: DescribedTable,
  rule: ColumnRule,
  { weighWay, write = writeName }: CandidateInput = {},
): Promise<readonly Candidate[]> {
  const ways = weighWay === undefined ? [] : listWays(table, search.listParents)
  const lists = await Promise.all(
    [toOwnWay(table), ...ways].map(async (way): Promise<readonly Candidate[]> => {
      const onWay = way.steps.length === 0 ? undefined : weighWay?.(way)
      const found = way.steps.length > 0 && onWay === undefined ? [] : findColumns(way.table, rule)
      if (found.length === 0) return []
      const profile = await search.content.readProfile(way.table)
      return found.map(({ column, evidence }) => {
        const shown = describeProfile(profile.get(column.name), rule)
        const all = [...(onWay === undefined ? [] : [onWay]), ...evidence, ...shown]
        return toCandidate(way, write(column), all)
      })
    }),
  )
  const candidates = rankCandidates(lists.flat())
  return [...candidates, ...listByType(table, rule, write, candidates)]
}

function writeName({ name }: DescribedColumn): Written {
  return { reading: { column: name }, evidence: [] }
}

/** A candidate at the end of a way. */
export function toCandidate(way: Way, written: Written, evidence: readonly Evidence[]): Candidate {
  const { reading, verify, codes } = written
  const names = [reading['column'] ?? reading['columns']].flat().map(String)
  return {
    value: writeReading(way, reading),
    label: describeEnd(way, names),
    evidence: [
      ...describeSteps(way).map((reason) => ({ points: 0, reason })),
      ...evidence,
      ...written.evidence,
    ],
    verify,
    ...(codes === undefined ? {} : { codes }),
  }
}

/** What the rows of a table show of a column. */
function describeProfile(profile: ColumnProfile | undefined, rule: ColumnRule): readonly Evidence[] {
  if (profile === undefined) return []
  const { rows, filled, mails, threes } = profile
  // A check-in can be missing everywhere until the day of the event; an address or a currency cannot.
  const unused = rule.looksLike === undefined ? weights.unused : weights.required
  if (filled === 0) return [{ points: unused, reason: `empty in all ${rows} rows that were read` }]
  if (rule.looksLike === undefined) return []
  const [share, what] =
    rule.looksLike === 'address'
      ? [mails / filled, 'look like an address']
      : [threes / filled, 'have three characters']
  if (share > 0.8) return [{ points: weights.looksRight, reason: `its values ${what}` }]
  return share < 0.3 ? [{ points: weights.looksWrong, reason: `few of its values ${what}` }] : []
}

const byTypeMax = 4

/** Columns whose type fits and whose name says nothing, for a person to choose from. */
function listByType(
  table: DescribedTable,
  rule: ColumnRule,
  write: (column: DescribedColumn) => Written,
  found: readonly Candidate[],
): readonly Candidate[] {
  if (found.length > 0) return []
  return table.columns
    .filter((column) => canHold(column, rule) && !table.primary.includes(column.name))
    .slice(0, byTypeMax)
    .map((column) => {
      const evidence = [{ points: weights.byType, reason: `only its type fits: ${describeColumn(column)}` }]
      return toCandidate(toOwnWay(table), write(column), evidence)
    })
}

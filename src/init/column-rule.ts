import type { ColumnKind } from '../database/column.js'
import type { DescribedColumn, DescribedTable } from '../database/description.js'
import { rankCandidates } from './candidate.js'
import type { Candidate, Evidence, Section } from './candidate.js'
import type { ColumnProfile, Content } from './content.js'
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
  /** What the values look like. */
  readonly looksLike?: keyof typeof looks
}

/** What values can look like, and how many of the rows show it. */
const looks = {
  address: ['mails', 'look like an address'],
  currency: ['threes', 'have three characters'],
  decimal: ['decimals', 'are decimal numbers'],
} as const

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
    const points = canHold(column, rule) ? weighName(table, column, rule) : 0
    return points === 0 ? [] : [{ column, evidence: [[points, 'its name'], weighType(column)] }]
  })
  return rankCandidates(columns)
}

/** Whether a rule accepts the type of a column. */
function canHold(column: DescribedColumn, { kinds, accepts }: ColumnRule): boolean {
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
  const points = listNameForms(column.name, table).map((form, at) => {
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
export interface Written extends Pick<Candidate, 'verify' | 'codes'> {
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
export async function listCandidates(
  search: Search,
  table: DescribedTable,
  { column: rule, weighWay, write = writeName }: ColumnPlace,
): Promise<readonly Candidate[]> {
  const [own, ...ways] = listWays(table, search.listParents)
  const weighed = ways.flatMap((way) => {
    const onWay = weighWay?.(way)
    return onWay === undefined ? [] : [{ way, onWay: [onWay] }]
  })
  const lists = await Promise.all(
    [{ way: own, onWay: [] }, ...weighed].map(async ({ way, onWay }): Promise<readonly Candidate[]> => {
      const columns = findColumns(way.table, rule)
      if (columns.length === 0) return []
      const profile = await search.content.readProfile(way.table)
      return columns.map(({ column, evidence }) => {
        const shown = weighProfile(profile.get(column.name), column, rule)
        return toCandidate(way, write(column), [...onWay, ...evidence, ...shown])
      })
    }),
  )
  return rankCandidates(lists.flat())
}

function writeName({ name }: DescribedColumn): Written {
  return { reading: { column: name } }
}

/** A candidate at the end of a way. */
export function toCandidate(way: Way, written: Written, evidence: readonly Evidence[]): Candidate {
  const { reading, verify, codes } = written
  const names = [reading['column'] ?? reading['columns']].flat().map(String)
  const steps = way.steps.map((step): Evidence => [0, describeStep(step)])
  return {
    value: writeReading(way, reading),
    label: describeEnd(way, names),
    evidence: [...steps, ...evidence, ...(written.evidence ?? [])],
    verify,
    codes,
  }
}

/** What the rows of a table show of a column. */
function weighProfile(
  profile: ColumnProfile | undefined,
  { kind }: DescribedColumn,
  rule: ColumnRule,
): readonly Evidence[] {
  if (profile === undefined) return []
  const looksLike = kind === 'text' ? rule.looksLike : undefined
  const { filled } = profile
  // A check-in can be missing everywhere until the day of the event; an address or a currency cannot.
  const unused = looksLike === undefined ? weights.unused : weights.required
  if (filled === 0) return [[unused, 'empty in all rows that were read']]
  if (looksLike === undefined) return []
  const [count, what] = looks[looksLike]
  const share = profile[count] / filled
  if (share > 0.8) return [[weights.looksRight, `its values ${what}`]]
  return share < 0.3 ? [[weights.looksWrong, `few of its values ${what}`]] : []
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

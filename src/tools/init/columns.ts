import type { DescribedColumn, DescribedTable } from '../description.js'
import { rankCandidates } from './candidate.js'
import type { Candidate, Evidence, Section } from './candidate.js'
import type { Content } from './content.js'
import { isFlag, isWordFlag } from './flags.js'
import { findKind, isStateOfAddress } from './forbidden.js'
import { describeEnd, describeStep, isKeyValue, writeReading } from './graph.js'
import type { Graph, Way } from './graph.js'
import { rules } from './names.js'
import type { ColumnRule, ColumnType, RuleName } from './names.js'
import { splitWords, toPlainWords, withoutTable } from './words.js'

/** A column that a rule found. */
export interface FoundColumn {
  readonly column: DescribedColumn
  readonly evidence: readonly Evidence[]
}

/** Where the candidates of a place are looked for. */
export interface Search {
  readonly graph: Graph
  readonly content: Content
}

/** An integer of fewer than four bytes holds no time and no amount. */
function isLong({ kind, type }: DescribedColumn): boolean {
  return kind === 'integer' && /^(?:int|bigint)/i.test(type)
}

function isMoment({ kind }: DescribedColumn): boolean {
  return kind === 'datetime' || kind === 'timestamp'
}

function isAnyFlag(column: DescribedColumn): boolean {
  return isFlag(column) || isWordFlag(column)
}

/** Text of a row, and no list or document. */
function isText({ kind, type }: DescribedColumn): boolean {
  return kind === 'text' && !/^(?:enum|set|mediumtext|longtext)/i.test(type)
}

/** What a column of each type is. */
const types: Readonly<Record<ColumnType, (column: DescribedColumn) => boolean>> = {
  any: () => true,
  amount: (one) =>
    one.kind === 'decimal' ||
    one.kind === 'float' ||
    isLong(one) ||
    (/^(?:var)?char/i.test(one.type) && one.length <= 64),
  currency: ({ kind, length, type }) =>
    kind === 'text' && ((length >= 3 && length <= 255) || /^enum/i.test(type)),
  day: (one) => one.kind === 'date' || isMoment(one) || isLong(one),
  flag: isAnyFlag,
  hash: ({ kind, length }) =>
    kind === 'binary' ? length === 32 : kind === 'text' && [64, 44, 43].includes(length),
  list: ({ kind }) => kind === 'text' || kind === 'json',
  mark: (one) => isAnyFlag(one) || one.kind === 'integer' || (one.kind !== 'text' && one.nullable),
  nullable: ({ kind, nullable }) => nullable && (kind === 'date' || kind === 'unreadable'),
  moment: (one) => isMoment(one) && one.nullable,
  reference: (one) =>
    isText(one) || (one.kind === 'integer' && !/^tinyint/i.test(one.type) && one.extra !== 'auto_increment'),
  sign: (one) => isAnyFlag(one) || ((one.kind === 'date' || isMoment(one)) && one.nullable),
  status: ({ kind, type, length }) =>
    kind === 'integer' ||
    (kind === 'text' &&
      !/^(?:set|mediumtext|longtext)/i.test(type) &&
      (length <= 512 || /^text/i.test(type))),
  text: isText,
  time: (one) => isMoment(one) || isLong(one),
  word: ({ kind, length }) => kind === 'text' && length >= 3,
}

/** What was found, because the same rules are asked of each table many times. */
const found = new WeakMap<DescribedTable, Map<RuleName, readonly FoundColumn[]>>()

/** The columns of a table that a rule accepts, the best one first. */
export function findColumns(table: DescribedTable, name: RuleName): readonly FoundColumn[] {
  const known = found.get(table) ?? new Map<RuleName, readonly FoundColumn[]>()
  found.set(table, known)
  const columns = known.get(name) ?? searchColumns(table, rules[name])
  known.set(name, columns)
  return columns
}

/** Whether a table has a column for a rule. */
export function hasColumn(table: DescribedTable, name: RuleName): boolean {
  return findColumns(table, name).length > 0
}

function searchColumns(table: DescribedTable, rule: ColumnRule): readonly FoundColumn[] {
  const columns = table.columns.flatMap((column): FoundColumn[] => {
    const isRight = isKeyValue(table) || (types[rule.type](column) && !isStateOfAddress(table, column))
    const points = isRight ? weighName(table, column, rule) : 0
    return points === 0
      ? []
      : [
          {
            column,
            evidence: [
              [points, 'its name'],
              [0, describeType(column)],
            ],
          },
        ]
  })
  return rankCandidates(columns)
}

/** What a name is less worth: without the words of its table, or as the end of the key of a key-value table. */
const farther = 0.25
/** A time in UTC beside one in local time, and a name that is written out beside one with a short form. */
const nuances = { utc: 0.1, writtenOut: 0.01 } as const

/** A word that says the type again, without a line between: `duedate`, `createdtime`. */
const runTogether = /(?<=[a-z]{3})(?:date|time)$|^(?:date|time)(?=[a-z]{3})/

/** What the name of a column is worth. */
function weighName(table: DescribedTable, { name }: DescribedColumn, rule: ColumnRule): number {
  const all = splitWords(name)
  const words = all.filter((word) => !/^(?:gmt|utc)$/.test(word))
  const forms = isKeyValue(table)
    ? words.map((_, at) => words.slice(at))
    : [words, withoutTable(words, table.name)]
  const points = forms.map((form, at) => {
    const texts = [form, form.filter((word) => !rule.drop.has(word))]
      .map((one) => one.join('_'))
      .flatMap((text) => (rule.drop.has('date') ? [text, text.replace(runTogether, '')] : [text]))
    if (texts.some((text) => rule.not?.test(text) === true)) return 0
    const matches = rule.names.filter(([, names]) => texts.some((text) => names.test(text)))
    return matches.length === 0 ? 0 : Math.max(...matches.map(([one]) => one)) - at * farther
  })
  const best = Math.max(...points)
  if (best <= 0) return 0
  const isWrittenOut = toPlainWords(name).join('_') === all.join('_')
  return best + (words.length < all.length ? nuances.utc : 0) + (isWrittenOut ? nuances.writtenOut : 0)
}

/** Type and nullability, as in a CREATE TABLE. */
export function describeType({ type, nullable }: DescribedColumn): string {
  return `${type.toUpperCase()}${nullable ? '' : ' NOT NULL'}`
}

/** How a column is written in the mapping. */
export interface Written extends Pick<Candidate, 'verify'> {
  /** A `column` or `columns`, with its options. */
  readonly reading: Section
  readonly evidence?: readonly Evidence[]
}

/** How the column of a place is found and written. */
export interface ColumnPlace {
  readonly rule: RuleName
  /** What a way to another table is worth; undefined for one that the place cannot take. Only own columns without it. */
  readonly weighWay?: (way: Way) => Evidence | undefined
  /** By its name without it. */
  readonly write?: (search: Search, way: Way, column: DescribedColumn) => Written | Promise<Written>
}

/** What speaks against a column that the product does not use. */
const unused: Evidence = [-5, 'no row has a value in it']

/** What a value in a row of a key-value table is worth, and each word that its key shares with the type of the rows. */
const keyValuePoints = { step: -1, shared: 1 } as const

/** The candidates of a place by the rule for its column, in the table itself and where its rows lead. */
export async function listCandidates(
  search: Search,
  table: DescribedTable,
  { rule, weighWay, write = writeName }: ColumnPlace,
  type = '',
): Promise<readonly Candidate[]> {
  const [own, ...ways] = search.graph.listWays(table)
  const weighed =
    weighWay === undefined ? [] : weighWays([...ways, ...search.graph.listMarked(table)], weighWay)
  const values = weighWay === undefined ? [] : search.graph.listKeyValues(table)
  const all = [
    { way: own, onWay: undefined },
    ...weighed,
    ...values.map((way) => ({ way, onWay: [keyValuePoints.step, `a row of ${way.table.name}`] as const })),
  ]
  const lists = all.map(({ way, onWay }) =>
    findColumns(way.table, rule).map(async ({ column, evidence }) => {
      const written = await write(search, way, column)
      const shared = isKeyValue(way.table) ? countShared(column.name, type) * keyValuePoints.shared : 0
      const more: readonly Evidence[] = shared === 0 ? [] : [[shared, `a key of ${type}`]]
      const isUsed = await isUsedColumn(search.content, { table: way.table, column })
      return toCandidate(way, written, [
        ...(onWay === undefined ? [] : [onWay]),
        ...more,
        ...evidence,
        ...(isUsed ? [] : [unused]),
      ])
    }),
  )
  return rankCandidates(await Promise.all(lists.flat()))
}

/** Whether a row has a value in a column; also of a table without rows, of a time and of a long text. */
export async function isUsedColumn(
  content: Content,
  { table, column }: { readonly table: DescribedTable; readonly column: DescribedColumn },
): Promise<boolean> {
  const found = isKeyValue(table) ? undefined : (await content.readFilled(table)).get(column.name)
  return found === undefined || found.rows === 0 || found.filled > 0 || content.hasValue(table, column)
}

/** The ways that a place can take, with what each is worth. */
export function weighWays(
  ways: readonly Way[],
  weighWay: NonNullable<ColumnPlace['weighWay']>,
): readonly { readonly way: Way; readonly onWay: Evidence }[] {
  return ways.flatMap((way) => {
    const onWay = weighWay(way)
    return onWay === undefined ? [] : [{ way, onWay }]
  })
}

function countShared(key: string, type: string): number {
  const words = splitWords(type)
  return splitWords(key).filter((word) => words.includes(word)).length
}

function writeName(_search: Search, _way: Way, { name }: DescribedColumn): Written {
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

/** Columns whose type fits and whose name says nothing, for a person to choose from: no keys, and dates before integers. */
export async function listByType(
  search: Search,
  table: DescribedTable,
  { rule, write = writeName }: ColumnPlace,
): Promise<readonly Candidate[]> {
  const { type, not } = rules[rule]
  const keys = new Set([
    ...table.primary,
    ...search.graph.listParents(table).map(({ column }) => column.name),
  ])
  const fitting = table.columns.filter(
    (column) => types[type](column) && findKind(table, column) === undefined && !keys.has(column.name),
  )
  const named = fitting.filter(({ name }) => not?.test(splitWords(name).join('_')) !== true)
  // A table can have one time only, that of the last change.
  const ordered = [...(named.length > 0 ? named : fitting)].sort(
    (one, other) => Number(one.kind === 'integer') - Number(other.kind === 'integer'),
  )
  return Promise.all(
    ordered.slice(0, byTypeMax).map(async (column) => {
      const way = { steps: [], table }
      const reason = `only its type fits: ${describeType(column)}`
      return toCandidate(way, await write(search, way, column), [[0, reason]])
    }),
  )
}

import type { DescribedColumn, DescribedTable } from '../description.js'
import { countPoints, isSection, toColumnName } from './candidate.js'
import type { Candidate, Evidence, MappingValue } from './candidate.js'
import { listCandidates, toCandidate } from './columns.js'
import type { Search, Written } from './columns.js'
import type { Content, Filled } from './content.js'
import { isKeyValue } from './graph.js'
import type { Way } from './graph.js'
import { nouns } from './names.js'
import type { RuleName } from './names.js'
import { toNoun, toSnake } from './words.js'

/** A time that the server moves with every change, one that never moves, one without hours, and those of another table. */
const weights = { moves: 8, neverChanges: 4, day: -0.4, parent: -2.5, part: -0.5 } as const

/** How a place of times is written. */
export const timeForm = {
  write: ({ content }: Search, { table }: Way, column: DescribedColumn): Promise<Written> =>
    writeTime(content, table, column),
}

/** How a time is written: an integer with its unit. */
export async function writeTime(
  content: Content,
  table: DescribedTable,
  column: DescribedColumn,
): Promise<Written> {
  const { name, kind } = column
  if (kind === 'date') return { reading: { column: name }, evidence: [[weights.day, 'only a day']] }
  if (kind !== 'integer') return { reading: { column: name } }
  const filled = isKeyValue(table) ? undefined : (await content.readFilled(table)).get(name)
  const { epoch, verify } = findUnitOf(filled) ?? findEpochUnit(column)
  const evidence: readonly Evidence[] = [[0, `an integer: ${epochWords[epoch]} since 1970`]]
  return { reading: { column: name, epoch }, evidence, verify }
}

const epochWords = { s: 'seconds', ms: 'milliseconds', us: 'microseconds' } as const

/** The unit by the digits of all times, which are of 1973 or later; undefined where they differ, or no row has one. */
function findUnitOf(filled: Filled | undefined): ReturnType<typeof findEpochUnit> | undefined {
  const { shortest = 0, longest = 0 } = filled ?? {}
  const [unit] = Object.entries({ s: 9, ms: 12, us: 15 } as const).flatMap(([epoch, least]) =>
    shortest >= least && longest <= least + 1 ? [{ epoch: epoch as keyof typeof epochWords }] : [],
  )
  return unit
}

/** The unit by names and type. */
function findEpochUnit(column: DescribedColumn): { epoch: keyof typeof epochWords; verify?: string } {
  const text = `${toSnake(column.name)} ${column.comment.toLowerCase()}`
  if (/(?:^|_|\b)(?:us|usec|micros?|microseconds?)(?:_|\b|$)/.test(text)) return { epoch: 'us' }
  if (/(?:^|_|\b)(?:ms|msec|millis|milliseconds?)(?:_|\b|$)/.test(text)) return { epoch: 'ms' }
  if (/^int/i.test(column.type)) return { epoch: 's' }
  if (/(?:^|_|\b)(?:s|sec|secs|seconds?|unix|epoch|time)(?:_|\b|$)/.test(text)) return { epoch: 's' }
  // Java stores milliseconds in a signed BIGINT; PHP and Perl store seconds.
  const epoch = column.unsigned ? 's' : 'ms'
  return { epoch, verify: `a BIGINT without a unit in its name: is it ${epochWords[epoch]}?` }
}

/** Columns that the server sets with every change, whatever their names. */
export function listMoving(table: DescribedTable, named: readonly Candidate[]): readonly Candidate[] {
  return table.columns
    .filter(({ extra, kind }) => extra.includes('on update') && kind !== 'integer')
    .filter(({ name }) => !named.some(({ value }) => value === name))
    .map(({ name }) =>
      toCandidate({ steps: [], table }, { reading: { column: name } }, [
        [weights.moves, 'the server sets it with every change'],
      ]),
    )
}

/** The time of creation where no column has that of the last change, with the note that it never moves. */
export function toUnchanged(created: Candidate): Candidate {
  const { value, label } = created
  return {
    value: { ...(isSection(value) ? value : { column: value }), neverChanges: true },
    label: `${label}, which never changes`,
    evidence: toSubstitute(created, weights.neverChanges, 'no column looks like the time of the last change'),
    verify:
      'changes of a record after its creation are not synced: a column that moves with every change would be better',
  }
}

/** The order that a row belongs to, and another part of the record, which can have the times of it. */
export function weighParentTime({ steps: [step, ...more], table }: Way): Evidence | undefined {
  if (step === undefined || more.length > 0) return undefined
  if (step.isSameRecord === true) return [weights.part, `a part of the record in ${table.name}`]
  return nouns.order.has(toNoun(table.name))
    ? [weights.parent, `the time of a row of ${table.name}`]
    : undefined
}

/** Whether an index of the parent table can have the order of lists: the workspace is a column of it, or constant. */
function hasOrderOf({ steps: [step] }: Way, workspace: MappingValue | undefined): boolean {
  if (!isSection(workspace) || step === undefined) return false
  return (
    'constant' in workspace ||
    (workspace['from'] === step.parent.name && workspace['on'] === step.column.name)
  )
}

/** A time of the order of a row, or of another part of the record, where lists can be in its order. */
export async function listParentTimes(
  search: Search,
  table: DescribedTable,
  { rule, workspace }: { readonly rule: RuleName; readonly workspace: MappingValue | undefined },
): Promise<readonly Candidate[]> {
  const weighWay = (way: Way): Evidence | undefined =>
    hasOrderOf(way, workspace) ? weighParentTime(way) : undefined
  const found = await listCandidates(search, table, { rule, weighWay, ...timeForm })
  const verify = 'does each change of the row move this time too? Changes that do not move it are not synced'
  return found.filter(({ value }) => isSection(value) && 'from' in value).map((one) => ({ ...one, verify }))
}

/** The evidence of a candidate that stands in for a place that no column fits: its own only decides between such. */
export function toSubstitute(candidate: Candidate, points: number, reason: string): readonly Evidence[] {
  return [
    [points + Math.min(10, countPoints(candidate)) / 20, reason],
    [0, candidate.label],
  ]
}

interface TimeInput extends Search {
  readonly table: DescribedTable
}

/** The columns of the table that have a time by a rule. */
export function listTimes(input: TimeInput, rule: RuleName): Promise<readonly Candidate[]> {
  return listCandidates(input, input.table, { rule, ...timeForm })
}

/** The only time that each row has, whatever its name. */
export function listOnlyTime({ table }: TimeInput): readonly Candidate[] {
  const times = table.columns.filter(
    ({ kind, nullable }) => !nullable && (kind === 'datetime' || kind === 'timestamp'),
  )
  const [only, ...others] = times.map(({ name }) =>
    toCandidate({ steps: [], table }, { reading: { column: name } }, [
      [0, 'the only time that each row has'],
    ]),
  )
  return only === undefined || others.length > 0 ? [] : [only]
}

/** The time of issue, or the only one, which each row has, where none has that of its creation. */
export async function listIssued(input: TimeInput): Promise<readonly Candidate[]> {
  const issued = await listTimes(input, 'issueDate')
  return [...issued, ...listOnlyTime(input)]
    .filter(({ value }) =>
      input.table.columns.some((one) => one.name === toColumnName(value) && !one.nullable),
    )
    .map((one) => ({
      ...one,
      evidence: toSubstitute(one, 3, 'no column looks like the time of creation'),
      verify: 'is an invoice created when it is issued?',
    }))
}

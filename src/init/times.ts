import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence, MappingValue } from './candidate.js'
import { listCandidates } from './column-rule.js'
import type { CandidateInput, ColumnRule, Search, Written } from './column-rule.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import { rules } from './rules.js'
import { toSnake } from './words.js'

/** What the server says of a time that moves with every change. */
const movesPoints = 3

/** The columns that a rule for times finds, as the mapping writes them. */
export function listTimes(
  search: Search,
  table: DescribedTable,
  rule: ColumnRule,
  weighWay?: CandidateInput['weighWay'],
): Promise<readonly Candidate[]> {
  return listCandidates(search, table, rule, { write: writeTime, ...(weighWay && { weighWay }) })
}

/** When a record last changed; where no column says so, when it was created, with the note that it never moves. */
export async function listUpdated(search: Search, table: DescribedTable): Promise<readonly Candidate[]> {
  const updated = await listTimes(search, table, rules.updatedAt)
  const created = await listTimes(search, table, rules.createdAt)
  const named = updated.filter((candidate) => countPoints(candidate) >= 1)
  const moving = listMoving(table).filter((one) => !named.some(({ label }) => label === one.label))
  const unchanged = created.map((candidate) => ({
    ...candidate,
    value: { ...toObject(candidate.value), neverChanges: true },
    label: `${candidate.label}, which never changes`,
    evidence: [
      { points: 4, reason: 'no column looks like the time of the last change' },
      ...candidate.evidence.map(({ points, reason }) => ({ points: points / 10, reason })),
    ],
    verify:
      'changes of a record after its creation are not synced: a column that moves with every change would be better',
  }))
  return rankCandidates([...named, ...moving, ...unchanged])
}

/** Columns that the server sets with every change, whatever their names. */
function listMoving(table: DescribedTable): readonly Candidate[] {
  return table.columns
    .filter(({ extra, kind }) => extra.includes('on update') && ['datetime', 'timestamp'].includes(kind))
    .map(({ name }) => ({
      value: name,
      label: `${table.name}.${name}`,
      evidence: [{ points: 8, reason: 'the server sets it with every change' }],
    }))
}

function toObject(value: MappingValue): Readonly<Record<string, MappingValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, MappingValue>>)
    : { column: value }
}

function writeTime(column: DescribedColumn): Written {
  const { name, kind, extra } = column
  const moves: readonly Evidence[] = extra.includes('on update')
    ? [{ points: movesPoints, reason: 'the server sets it with every change' }]
    : []
  if (kind !== 'integer') return { reading: { column: name }, evidence: moves }
  const { epoch, verify } = findEpochUnit(column)
  return {
    reading: { column: name, epoch },
    // An integer with the name of a time can be something else; a real time is better.
    evidence: [{ points: -1, reason: `an integer: ${epochWords[epoch]} since 1970` }],
    verify,
  }
}

const epochWords = { s: 'seconds', ms: 'milliseconds', us: 'microseconds' } as const

function findEpochUnit(column: DescribedColumn): { epoch: keyof typeof epochWords; verify?: string } {
  const text = `${toSnake(column.name)} ${column.comment.toLowerCase()}`
  if (/(?:^|_|\b)(?:us|usec|micros?|microseconds?)(?:_|\b|$)/.test(text)) return { epoch: 'us' }
  if (/(?:^|_|\b)(?:ms|msec|millis|milliseconds?)(?:_|\b|$)/.test(text)) return { epoch: 'ms' }
  if (/^int/i.test(column.type)) return { epoch: 's' }
  if (/(?:^|_|\b)(?:s|sec|secs|seconds?|unix|epoch|ts)(?:_|\b|$)/.test(text)) return { epoch: 's' }
  // Java stores milliseconds in a signed BIGINT; PHP and Perl store seconds.
  const epoch = column.unsigned ? 's' : 'ms'
  return { epoch, verify: `a BIGINT without a unit in its name: is it ${epochWords[epoch]}?` }
}

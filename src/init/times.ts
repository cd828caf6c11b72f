import { findByRule } from './column-rule.js'
import type { ColumnRule, FoundColumn } from './column-rule.js'
import { sortByScore } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import { rules } from './rules.js'
import { toSnake } from './words.js'

/** The columns that a rule for times finds, as the mapping writes them. */
export function listTimes(table: DescribedTable, rule: ColumnRule): readonly Candidate[] {
  return sortByScore(
    findByRule(table, rule)
      .filter(({ column }) => canHoldTime(column))
      .map((found) => toCandidate(table, found)),
  )
}

/** When a record was created. */
export function listCreated(table: DescribedTable): readonly Candidate[] {
  return listTimes(table, rules.createdAt)
}

/** When a record last changed; where no column says so, when it was created, with the note that it never moves. */
export function listUpdated(table: DescribedTable): readonly Candidate[] {
  const updated = listTimes(table, rules.updatedAt)
  if (updated.length > 0) return updated
  return listCreated(table).map((candidate) => ({
    ...candidate,
    value: { ...toObject(candidate.value), neverChanges: true },
    reasons: ['no column looks like the time of the last change', ...candidate.reasons],
    verify:
      'changes of a record after its creation are not synced: a column that moves with every change would be better',
  }))
}

function toObject(value: MappingValue): Readonly<Record<string, MappingValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, MappingValue>>)
    : { column: value }
}

/** An integer of fewer than four bytes holds no time. */
function canHoldTime({ kind, type }: DescribedColumn): boolean {
  return kind !== 'integer' || /^(?:int|bigint)/i.test(type)
}

function toCandidate(table: DescribedTable, { column, score, reasons }: FoundColumn): Candidate {
  const moves = column.extra.includes('on update') ? 1 : 0
  const label = `${table.name}.${column.name}`
  const seen = [...reasons, ...(moves > 0 ? ['the server sets it with every change'] : [])]
  if (column.kind !== 'integer') return { value: column.name, label, score: score + moves, reasons: seen }
  const { unit, verify } = findEpochUnit(column)
  return {
    value: { column: column.name, epoch: unit },
    label,
    // An integer with the name of a time can be something else; a real time is better.
    score: score - 1,
    reasons: [...seen, `an integer: ${epochWords[unit]} since 1970`],
    ...(verify === undefined ? {} : { verify }),
  }
}

const epochWords = { s: 'seconds', ms: 'milliseconds', us: 'microseconds' } as const

function findEpochUnit(column: DescribedColumn): { unit: keyof typeof epochWords; verify?: string } {
  const name = toSnake(column.name)
  const text = `${name} ${column.comment.toLowerCase()}`
  if (/(?:^|_|\b)(?:us|usec|micros?|microseconds?)(?:_|\b|$)/.test(text)) return { unit: 'us' }
  if (/(?:^|_|\b)(?:ms|msec|millis|milliseconds?)(?:_|\b|$)/.test(text)) return { unit: 'ms' }
  if (/^int/i.test(column.type)) return { unit: 's' }
  if (/(?:^|_|\b)(?:s|sec|secs|seconds?|unix|epoch|ts)(?:_|\b|$)/.test(text)) return { unit: 's' }
  // Java stores milliseconds in a signed BIGINT; PHP and Perl store seconds.
  const unit = column.unsigned ? 's' : 'ms'
  return { unit, verify: `a BIGINT without a unit in its name: is it ${epochWords[unit]}?` }
}

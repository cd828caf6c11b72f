import { addColumn, oneIn } from './draft.js'
import type { Draft, DraftTable } from './draft.js'
import {
  drawEnum,
  drawFlag,
  drawInteger,
  drawSet as drawSets,
  drawText,
  drawTime,
  listFitting,
} from './draw-columns.js'
import { drawSpot } from './draw-lookups.js'
import type { Lookups, Spot } from './draw-lookups.js'
import type { Option, TestValue } from './mapping.js'

const types = ['attendee', 'Attendee', 'atténdee', 'attendee ', 'guest']
const labels = ['invoice', 'credit note']
const numbers = ['0', '1', '2', '7']

/** Conditions that rows of a collection fulfil. */
export function drawWhere(draft: Draft, lookups: Lookups, table: DraftTable): readonly Option[] {
  const count = draft.random.pick([0, 0, 1, 1, 2])
  return Array.from({ length: count }, () => drawTest(draft, drawSpot(draft, lookups, table, 4), isLikely))
}

/** Conditions that few rows fulfil. `archived` has had `is: { equals }` from the start. */
export function drawArchived(draft: Draft, lookups: Lookups, table: DraftTable): Option | readonly Option[] {
  const draw = (): Option => {
    const test = drawTest(draft, drawSpot(draft, lookups, table, 4), isUnlikely)
    const { equals, ...others } = test
    if (equals === undefined || equals === null || test.from !== undefined) return test
    return oneIn(draft, 2) ? { ...others, is: { equals } } : test
  }
  const count = draft.random.pick([0, 1, 1, 2])
  const tests = Array.from({ length: count }, draw)
  return tests.length === 1 && oneIn(draft, 2) ? tests[0]! : tests
}

/** The cases of a derived status. */
export function drawCases(draft: Draft, lookups: Lookups, table: DraftTable): readonly Option[] {
  const words = ['VOID', 'PAID', 'OPEN', 'void']
  const count = 1 + draft.random.whole(3)
  return Array.from({ length: count }, () => ({
    ...drawTest(draft, drawSpot(draft, lookups, table, 4), isUnlikely),
    then: draft.random.pick(words),
  }))
}

/** Which of the values are asked for. */
type Choice = { readonly flag: TestValue; readonly share: number }
/** Most rows fulfil it. */
export const isLikely: Choice = { flag: 0, share: 2 }
/** Few rows fulfil it. */
export const isUnlikely: Choice = { flag: 1, share: 1 }

/** A condition of a column, here or behind a lookup. */
export function drawTest(draft: Draft, { table, lookup }: Spot, choice: Choice): Option {
  const { random } = draft
  if (lookup !== undefined && oneIn(draft, 5))
    return { ...lookup, is: random.pick(['set', 'unset'] as const) }
  const kind = random.pick(['text', 'flag', 'flag', 'integer', 'enum', 'set', 'time', 'time'] as const)
  if (kind === 'time')
    return { ...lookup, column: addColumn(draft, table, 'at', drawTime(draft).column), ...drawSet(draft) }
  if (kind === 'flag') {
    const column = addColumn(draft, table, 'is', drawFlag(draft))
    return { ...lookup, column, equals: random.pick([choice.flag, choice.flag === 1]) }
  }
  if (kind === 'integer') {
    const column = addColumn(draft, table, 'code', drawInteger(draft, numbers))
    return { ...lookup, column, ...drawAny(draft, numbers.map(Number), choice) }
  }
  const words = kind === 'text' ? types : labels
  const drawn = { text: drawText, enum: drawEnum, set: drawSets }[kind](draft, words)
  return {
    ...lookup,
    column: addColumn(draft, table, 'type', drawn),
    ...drawAny(draft, listFitting(words, drawn), choice),
  }
}

function drawSet(draft: Draft): Pick<Option, 'is' | 'equals' | 'notEquals'> {
  return draft.random.pick([
    { is: 'set' },
    { is: 'set' },
    { is: 'unset' },
    { equals: null },
    { notEquals: null },
  ])
}

function drawAny(draft: Draft, values: readonly TestValue[], { share }: Choice): Partial<Option> {
  const { random } = draft
  if (oneIn(draft, 6)) return drawSet(draft)
  if (oneIn(draft, 4))
    return oneIn(draft, 2)
      ? { notEquals: random.pick(values) }
      : { notIn: [random.pick(values), random.pick(values)] }
  if (oneIn(draft, 3)) return { equals: random.pick(values) }
  const count = values.length > 2 ? share + 1 : share
  return { in: Array.from({ length: count }, () => random.pick(values)) }
}

import { isPrimaryKey, isUnique } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { canBeId, findColumns, hasColumn, hasLastName, isFlag, isMoment } from '../facts/columns.js'
import { matches, weighNoun } from '../facts/names.js'
import { splitWords, toNoun, toSnake, toStem } from '../facts/words.js'
import { atEnd, candidate, columnOf, findByRule, isSection, listWays } from './candidate.js'
import type { Candidate, Input, Section, Way } from './candidate.js'
import { writeAmount, writeCurrency, writeTest, writeTime } from './written.js'

/** What can stand at a place of the mapping, in no order. */
export type List = (input: Input) => readonly Candidate[]

/** How surely the rows of a table are events. */
export function weighEvent(table: DescribedTable): number {
  const noun = toNoun(table.name)
  return (
    weighNoun('event', noun) +
    (hasColumn(table, 'startsAt') ? 3 : 0) -
    (weighNoun('registration', noun) > 0 ? 4 : 0)
  )
}

/** A way to the person of a record; no member of staff, and no person of the event. */
export function weighPerson({ steps, table }: Way): number | undefined {
  const [first] = steps
  if (first === undefined || weighEvent(first.parent) >= 6) return undefined
  if (steps.some(({ column }) => matches('staff', toSnake(column.name)))) return undefined
  const noun = weighNoun('person', toNoun(table.name))
  const isOfPeople = hasColumn(table, 'email') && (hasColumn(table, 'fullName') || hasLastName(table))
  return noun === 0 && !isOfPeople ? undefined : noun - (steps.length === 1 ? 3 : 5)
}

/** The event of a record: a key of events, or the same in what the record leads to. */
export const listEvents: List = (input) =>
  listWays(input).flatMap((way) =>
    way.table.columns
      .filter((column) => canBeId(column) && !isPrimaryKey(way.table, column.name))
      .flatMap((column) => {
        const parent = input.facts.references.get(way.table)?.find((one) => one.column === column)?.parent
        const { stem, isKey } = toStem(column.name)
        const isNamed = !matches('otherSystem', stem.join('_')) && (isKey || parent !== undefined)
        const named = isNamed ? weighNoun('event', stem.slice(-1).join()) : 0
        const led = parent === undefined ? 0 : Math.min(10, weighEvent(parent))
        const points = Math.max(named, led) - way.steps.length * 3
        const why = parent === undefined ? 'its name' : `a key of ${parent.name}`
        return points < 3 ? [] : [atEnd(way, column.name, column.name, points, why)]
      }),
  )

/** First and last name, in the row or that of a person. */
export const listNamePairs: List = (input) =>
  listWays(input).flatMap((way) => {
    const onWay = way.steps.length === 0 ? 0 : weighPerson(way)
    const [first] = findColumns(way.table, 'firstName')
    const last = findColumns(way.table, 'lastName').find(({ column }) => column !== first?.column)
    if (onWay === undefined || first === undefined || last === undefined) return []
    const columns = [first.column.name, last.column.name]
    const points = (first.points + last.points) / 2 + onWay
    return [atEnd(way, columns.join(' and '), { columns, separator: ' ' }, points, 'first and last name')]
  })

/** A status in a table of statuses that a status column leads to. */
export const listStatusWords: List = (input) =>
  listWays(input).flatMap((way) => {
    const [word] = findColumns(way.table, 'statusWord')
    const isOfStatus = findColumns(input.table, 'status').some(
      ({ column }) => column === way.steps[0]?.column,
    )
    if (way.steps.length !== 1 || word === undefined || !isOfStatus) return []
    const codes = input.facts.tables.get(way.table)?.columns.get(word.column.name)?.codes ?? []
    const values = codes.length === 0 ? {} : { values: codes.map(({ code }) => code) }
    return [atEnd(way, word.column.name, { column: word.column.name, ...values }, 11, 'a table of statuses')]
  })

const listTests = ({ facts, table }: Input, columns: readonly DescribedColumn[]): readonly Section[] =>
  columns
    .map((column) => writeTest(column, facts.tables.get(table)?.columns.get(column.name)))
    .filter((test) => test !== undefined)
const listCodes = ({ facts, table }: Input, name = ''): readonly string[] =>
  (facts.tables.get(table)?.columns.get(name)?.codes ?? []).map(({ code }) => code)

/** A status that several flags and times make together. */
export const listSigns: List = (input) => {
  const when = input.table.columns.flatMap((column): readonly Section[] => {
    const word = splitWords(column.name).find((one) => matches('sign', one))
    const isTime = column.kind === 'date' || isMoment(column)
    if (word === undefined || (!isFlag(column) && !(isTime && column.nullable))) return []
    return listTests(input, [column]).map((test) => ({ ...test, then: word.toUpperCase() }))
  })
  const label = when.map((one) => columnOf(one)).join(', ')
  const value = { when, otherwise: 'OTHER' }
  return when.length === 0
    ? []
    : [candidate(value, label, 4, 'flags and times', 'which of them wins, and what is a record without any?')]
}

/** The rows of the collection: those of its type. */
export const listWhere =
  (pattern: string): List =>
  (input) => {
    const flags = findColumns(input.table, 'otherKind').filter(({ column }) => isFlag(column))
    const marks = flags.map(({ column: { name } }) => name).join(', ')
    const ask = marks === '' ? undefined : `do rows with ${marks} belong here?`
    const [kind] = findColumns(input.table, 'kind').flatMap(({ column: { name } }) => {
      const codes = listCodes(input, name)
      const mine = codes.filter((code) => matches(pattern, code) || toNoun(code) === toNoun(input.table.name))
      return codes.length < 2 || mine.length === codes.length ? [] : [{ name, codes, mine }]
    })
    if (kind === undefined) return [candidate([], 'all rows', 6, 'no type', ask)]
    const wanted = `which ${kind.name} (${kind.codes.join(', ')}) belong here?`
    const test = { column: kind.name, in: kind.mine.length === 0 ? kind.codes : kind.mine }
    const one = kind.mine.length === 1 ? { column: kind.name, equals: kind.mine[0] ?? '' } : test
    return [
      candidate([one], kind.name, 8, 'its types', kind.mine.length === 0 ? wanted : ask),
      candidate([], 'all rows', 6, 'no type', wanted),
    ]
  }

/** What makes a record archived: its own soft deletes, or words of its status. */
export const listArchived: List = (input) => {
  const tests = listTests(
    input,
    findColumns(input.table, 'archived').map(({ column }) => column),
  )
  const status = findColumns(input.table, 'status')[0]?.column.name
  const words = listCodes(input, status).filter((code) => matches('archivedCode', code))
  const all = tests.length > 0 ? tests : words.map((equals) => ({ column: status ?? '', equals }))
  const [only] = all
  if (only === undefined) return [candidate([], 'nothing', 5, 'no column looks like a soft delete')]
  const label = all.map((one) => columnOf(one)).join(', ')
  return [
    candidate(all.length === 1 ? only : all, label, 9, 'soft deletes'),
    candidate([], 'nothing', 5, 'no test'),
  ]
}

/** The primary key, or another unique column. */
export const listIds: List = ({ table }) =>
  table.columns
    .filter((column) => canBeId(column) && (!column.nullable || table.isView))
    .map((column) => {
      const isKey = table.primary.join() === column.name || (table.isView && /^id$/i.test(column.name))
      const points = isKey ? 10 : isUnique(table, column.name) ? 5 : 0
      return atEnd(
        { steps: [], table },
        column.name,
        column.name,
        points,
        points === 0 ? 'no index' : column.type,
      )
    })

/** A column that the server moves; with the time of creation where it is NULL until the first change; or none at all. */
export const listChanges: List = (input) => {
  const { facts, table } = input
  const { rows = 0, columns } = facts.tables.get(table) ?? {}
  const moving = table.columns.filter(({ extra, kind }) => extra.includes('on update') && kind !== 'integer')
  const set = moving.map(({ name }) =>
    atEnd({ steps: [], table }, name, name, 8, 'the server sets it with every change'),
  )
  const [created] = findByRule(input, 'createdAt', writeTime)
  if (created === undefined) return set
  const late = [...findByRule(input, 'updatedAt', writeTime), ...set].filter(({ value }) => {
    const filled = columns?.get(columnOf(value))?.filled ?? rows
    return filled < rows
  })
  const never = {
    ...(isSection(created.value) ? created.value : { column: created.value }),
    neverChanges: true,
  }
  return [
    ...set,
    ...late.map((one) =>
      candidate(
        { first: [one.value, created.value] },
        `${one.label}, else ${created.label}`,
        one.points + 1,
        'it is NULL until the first change',
      ),
    ),
    candidate(never, `${created.label}, which never changes`, 2, 'no column', 'changes would not be synced'),
  ]
}

export const listCheckedIn: List = (input) =>
  findByRule(input, 'checkedInAt', writeTime)
    .slice(0, 1)
    .map(({ label }) =>
      candidate({ from: 'checkedInAt' }, `whether ${label} is set`, 7.5, 'the time says it'),
    )

/** Net and tax, where no column has the total. */
export const listSums: List = ({ facts, table }) => {
  const columns = ['net', 'tax'].flatMap((rule) =>
    findColumns(table, rule)
      .slice(0, 1)
      .map(({ column }) => column),
  )
  const parts = columns.flatMap(
    (one) => writeAmount(one, facts.tables.get(table)?.columns.get(one.name))?.[0] ?? [],
  )
  const nullIsZero = columns.some(({ nullable }) => nullable) ? { nullIsZero: true } : {}
  const label = columns.map(({ name }) => name).join(' + ')
  return parts.length < 2 ? [] : [candidate({ sum: parts, ...nullIsZero }, label, 7, 'the sum of its parts')]
}

export const listCurrencies: List = (input) =>
  findByRule(input, 'currencyCode', writeCurrency, ({ steps, table }) =>
    toNoun(table.name) === 'currency' ? 1 - steps.length * 2 : undefined,
  ).filter(({ label }) => label.includes(' by '))

import { isPrimaryKey, isUnique } from '../description.js'
import { canBeId, isFlag, listByRole } from '../facts/columns.js'
import { matches, weighNoun } from '../facts/names.js'
import type { ColumnFacts, TableFacts } from '../facts/table-facts.js'
import { splitWords, toNoun, toSnake, toStem } from '../facts/words.js'
import { atEnd, byRole, isSection, listWays } from './candidate.js'
import type { Candidate, Input, List, MappingValue, Section, Way } from './candidate.js'
import { writeTest, writeTime } from './written.js'

/** Whether a table has a column for a role. */
export function hasRole({ columns }: TableFacts, role: string): boolean {
  return columns.some(({ roles }) => roles.has(role))
}

/** How surely the rows of a table are events. */
export function weighEvent(table: TableFacts): number {
  const noun = toNoun(table.name)
  const isOther = weighNoun('registration', noun) > 0
  return weighNoun('event', noun) + (hasRole(table, 'startsAt') ? 3 : 0) - (isOther ? 4 : 0)
}

/** A way to the person of a record; no member of staff, and no person of the event. */
export function weighPerson({ steps, table }: Way): number | undefined {
  const isOther = steps.some(
    ({ column, parent }) =>
      matches('staff', toSnake(column.name)) || weighNoun('event', toNoun(parent.name)) > 0,
  )
  const noun = weighNoun('person', toNoun(table.name))
  const isOfPeople = hasRole(table, 'email') && (hasRole(table, 'fullName') || hasRole(table, 'lastName'))
  return isOther || (noun === 0 && !isOfPeople) ? undefined : noun - 1 - 2 * steps.length
}

/** A way of one step to a row of such a kind. */
export const near =
  (points: number, ...kinds: readonly string[]) =>
  ({ steps, table }: Way): number | undefined =>
    steps.length === 1 && kinds.some((kind) => weighNoun(kind, toNoun(table.name)) > 0) ? points : undefined

/** How surely a column is the key of a row of a kind, by its own name or that of the table that it leads to. */
function weighKey(kind: string, { name, reference }: ColumnFacts): number {
  const { stem, isKey } = toStem(name)
  const named = isKey && stem.length === 1 ? weighNoun(kind, stem.join()) : 0
  const led = reference === undefined ? 0 : weighNoun(kind, toNoun(reference.parent.name))
  return matches('otherKey', stem.join('_')) ? 0 : Math.max(named, led)
}

/** The keys of rows of a kind, in the row or in what it leads to. */
const listKeys = (
  input: Input,
  kind: string,
  describe: (column: ColumnFacts, way: Way) => Partial<Candidate>,
): readonly Candidate[] =>
  listWays(input).flatMap((way) =>
    way.table.columns
      .filter((one) => canBeId(one) && !isFlag(one) && !isPrimaryKey(way.table, one.name))
      .map((column) => ({
        value: atEnd(way, column.name),
        points: weighKey(kind, column) - way.steps.length * 3,
        why: column.said[0] ?? 'its name',
        ...describe(column, way),
      }))
      .filter(({ points }) => points >= 1),
  )

/** The event of a record. */
export const listEvents: List = (input) => listKeys(input, 'event', () => ({}))

/** The tenant of a row. Only a column that every row has, with several tenants in it, can be certain. */
export const listTenants: List = (input) => [
  ...listKeys(input, 'tenant', ({ filled, distinct, reference }, { table: { read = 0 } }) => {
    const parent = input.facts.tables.get(reference?.parent.name ?? '')
    const doubts: readonly (readonly [isDoubted: boolean, ask: string])[] = [
      [filled < read || read === 0, 'which tenant has a row without it?'],
      [distinct < 2, 'all rows have the same one: is it the tenant?'],
      [parent !== undefined && hasRole(parent, 'lastName'), 'is it a tenant, or a person?'],
    ]
    return {
      why: `${distinct} in ${filled} of ${read} rows`,
      ask: doubts.find(([isDoubted]) => isDoubted)?.[1],
    }
  }),
  {
    value: { constant: '1' },
    points: 0.5,
    why: 'for a product with one tenant',
    ask: 'is this the database of one tenant? Every key would read every row',
  },
]

/** First and last name, in the row or that of a person. */
export const listNamePairs: List = (input) =>
  listWays(input).flatMap((way) => {
    const onWay = way.steps.length === 0 ? 0 : weighPerson(way)
    const [first] = listByRole(way.table.columns, 'firstName')
    const [last] = listByRole(way.table.columns, 'lastName')
    if (onWay === undefined || first === undefined || last === undefined) return []
    const value = { columns: [first.name, last.name], separator: ' ' }
    const points = ((first.roles.get('firstName') ?? 0) + (last.roles.get('lastName') ?? 0)) / 2 + onWay
    return [{ value: atEnd(way, value), points, why: 'first and last name' }]
  })

/** A status in a table of statuses that a status column leads to. */
export const listStatusWords: List = (input) =>
  listWays(input).flatMap((way) => {
    const [word] = listByRole(way.table.columns, 'statusWord')
    const isOfStatus = listByRole(input.table.columns, 'status').some(
      ({ reference }) => reference === way.steps[0],
    )
    if (way.steps.length !== 1 || word === undefined || !isOfStatus) return []
    const values = word.codes.map(({ code }) => code)
    const reading = { column: word.name, ...(values.length === 0 ? {} : { values }) }
    return [{ value: atEnd(way, reading), points: 11, why: 'a table of statuses' }]
  })

/** A state that flags and times make together. */
export const listSigns: List = ({ table }) => {
  const when = table.columns.flatMap((column): readonly Section[] => {
    const word = splitWords(column.name).find((one) => matches('sign', one))
    const test = word === undefined ? undefined : writeTest(column)
    return word === undefined || test === undefined ? [] : [{ ...test, then: word.toUpperCase() }]
  })
  const ask = 'which of them wins, and what is a record without any?'
  return when.length === 0
    ? []
    : [{ value: { when, otherwise: 'OTHER' }, points: 4, why: 'flags and times', ask }]
}

/** The rows of the collection: those of its type. A person says what types and marks mean that the words do not know. */
export const listWhere =
  (pattern: string): List =>
  ({ table }) => {
    const marks = listByRole(table.columns, 'otherKind').filter(isFlag)
    const ask =
      marks.length === 0 ? undefined : `do rows with ${marks.map(({ name }) => name).join(', ')} belong here?`
    const all = { value: [], points: 6, why: 'no type', ask }
    const [kind] = listByRole(table.columns, 'kind').filter(({ codes }) => codes.length > 1)
    if (kind === undefined) return [all]
    const codes = kind.codes.map(({ code }) => code)
    const mine = codes.filter((code) => matches(pattern, code) || toNoun(code) === toNoun(table.name))
    const test = mine.length === 1 ? { equals: mine[0] ?? '' } : { in: mine.length === 0 ? codes : mine }
    const wanted = `which ${kind.name} (${codes.join(', ')}) belong here?`
    return [
      {
        value: [{ column: kind.name, ...test }],
        points: 8,
        why: 'its types',
        ask: mine.length === 0 ? wanted : ask,
      },
      { ...all, ask: wanted },
    ]
  }

/** What makes a record archived: its own soft deletes. Words of a status may be one too. */
export const listArchived: List = ({ table }) => {
  const tests = listByRole(table.columns, 'archived').flatMap((column) => writeTest(column) ?? [])
  const words = table.columns.flatMap(({ codes }) =>
    codes.filter(({ code }) => matches('archivedCode', code)),
  )
  const ask =
    words.length === 0 ? undefined : `are rows with ${words.map(({ code }) => code).join(', ')} deleted?`
  const nothing = { value: [], points: 5, why: 'no column looks like a soft delete', ask }
  const [only, ...others] = tests
  if (only === undefined) return [nothing]
  return [{ value: others.length === 0 ? only : tests, points: 9, why: 'soft deletes' }, nothing]
}

/** The primary key, or another unique column. */
export const listIds: List = ({ table }) =>
  table.columns
    .filter((column) => canBeId(column) && (!column.nullable || table.isView))
    .map(({ name, type }) => {
      const isKey = table.primary.join() === name || (table.isView && /^id$/i.test(name))
      return { value: name, points: isKey ? 10 : isUnique(table, name) ? 5 : 0, why: type }
    })

const nameOf = (value: MappingValue): MappingValue | undefined => (isSection(value) ? value['column'] : value)

/** A column that the server moves; with the time of creation where it is NULL until the first change; or none at all. */
export const listChanges: List = (input) => {
  const { read = 0, columns } = input.table
  const set = columns
    .filter(({ extra, kind }) => extra.includes('on update') && kind !== 'integer')
    .map(({ name }) => ({ value: name, points: 8, why: 'the server sets it with every change' }))
  const all = [...byRole('updatedAt', writeTime)(input), ...set]
  const [created] = byRole('createdAt', writeTime)(input)
  if (created === undefined) return all
  const isLate = ({ value }: Candidate): boolean =>
    columns.some(({ name, filled }) => name === nameOf(value) && filled < read)
  const own = isSection(created.value) ? created.value : { column: created.value }
  return [
    ...all.map((one) =>
      isLate(one)
        ? { ...one, value: { first: [one.value, created.value] }, why: 'it is NULL until the first change' }
        : one,
    ),
    {
      value: { ...own, neverChanges: true },
      points: 2,
      why: 'no column',
      ask: 'changes would not be synced',
    },
  ]
}

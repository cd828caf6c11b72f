import { isUnique } from '../description.js'
import { canBeId, isFlag, listByRole } from '../facts/columns.js'
import { matches, weighNoun } from '../facts/names.js'
import type { TableFacts } from '../facts/table-facts.js'
import { toNoun, toSnake } from '../facts/words.js'
import { byRole, isSection, toReason } from './candidate.js'
import type { Candidate, List, Way } from './candidate.js'
import { writeTest, writeTime } from './written.js'

/** Whether a table has a column for a role. */
export function hasRole({ columns }: TableFacts, role: string): boolean {
  return columns.some(({ roles }) => roles.has(role))
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

/** The rows of the collection: those of its type. A person says what types and marks mean that the words do not know. */
export const listWhere =
  (pattern: string): List =>
  ({ table }) => {
    const marks = listByRole(table.columns, 'otherKind').filter(isFlag)
    const [kind] = listByRole(table.columns, 'kind').filter(({ codes }) => codes.length > 1)
    const codes = kind?.codes.map(({ code }) => code) ?? []
    const [mine, other] = codes.filter((one) => matches(pattern, one) || toNoun(one) === toNoun(table.name))
    const unsure = [...marks, ...(kind && (mine === undefined || other !== undefined) ? [kind] : [])]
    const value = kind === undefined ? [] : [{ column: kind.name, equals: mine ?? codes[0] ?? '' }]
    const ask = `which rows by ${unsure.map(({ name }) => name).join(', ')} belong here?`
    return [{ value, points: 8, why: 'its type', ask: unsure.length === 0 ? undefined : ask }]
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
    .filter((column) => canBeId(column) && (isUnique(table, column.name) || table.isView))
    .map(({ name, type }) => {
      const isKey = table.primary.join() === name || (table.isView && /^id$/i.test(name))
      return { value: name, points: isKey ? 10 : 4, why: type }
    })

/** A column that the server moves; with the time of creation where it is NULL until the first change; or none at all. */
export const listChanges: List = (input) => {
  const [created] = byRole('createdAt', writeTime)(input)
  const moving = input.table.columns.flatMap((column): readonly Candidate[] => {
    const isSet = column.extra.includes('on update')
    const points = isSet ? 10 : (column.roles.get('updatedAt') ?? 0)
    const [value] = writeTime(column, input.table) ?? []
    if (points === 0 || value === undefined) return []
    const isLate = created !== undefined && column.filled < (input.table.read ?? 0)
    const why = isSet ? 'the server sets it with every change' : toReason(column)
    return isLate
      ? [{ value: { first: [value, created.value] }, points, why: 'it is NULL until the first change' }]
      : [{ value, points, why }]
  })
  if (created === undefined) return moving
  const own = isSection(created.value) ? created.value : { column: created.value }
  const never = { value: { ...own, neverChanges: true }, points: 2, why: 'no column moves' }
  return [...moving, { ...never, ask: 'no column moves: changes would not be synced' }]
}

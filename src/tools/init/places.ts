import { isUnique } from '../description.js'
import { canBeId, isFlag, listByRole } from '../facts/columns.js'
import { matches, weighNoun } from '../facts/names.js'
import type { TableFacts } from '../facts/table-facts.js'
import { toNoun, toSnake } from '../facts/words.js'
import { anywhere, byRole, hasRole, isKeyOfView, isSection } from './candidate.js'
import { listSettings, orElse, rank, toReason } from './candidate.js'
import type { Candidate, Input, List, MappingValue, Section, Way, Write } from './candidate.js'
import { writeAmount, writeColumn, writeCurrency, writeFlag, writeFullName } from './written.js'
import { readLabels, statuses, writeNumber, writeTenant, writeTest, writeTime } from './written.js'

/** The collections that a mapping can have. */
export type Collection = 'registrations' | 'invoices'

/** A place of a section: what is wanted there, and what it adds to the fit of a table. */
export interface Place {
  readonly path: string
  readonly wanted: string
  readonly weight: number
  /** The best one first. */
  readonly list: (...input: Parameters<List>) => readonly Candidate[]
}

const place = (path: string, wanted: string, weight: number, ...lists: readonly List[]): Place => ({
  path,
  wanted,
  weight,
  list: (input) => rank(lists.flatMap((list) => list(input))),
})

/** A way to the person of a record; no member of staff, and no person of the event. */
function weighPerson({ steps, table }: Way): number | undefined {
  const isOther = steps.some(
    ({ column, parent }) =>
      matches('staff', toSnake(column.name)) || weighNoun('event', toNoun(parent.name)) > 0,
  )
  const noun = weighNoun('person', toNoun(table.name))
  const isOfPeople = hasRole(table, 'email') && (hasRole(table, 'fullName') || hasRole(table, 'lastName'))
  if (isOther || (noun === 0 && !isOfPeople)) return undefined
  // A buyer or a hotel has an address too: no such way is sure.
  return (noun || weighNoun('buyer', toNoun(table.name)) - 4) - 1 - 2 * steps.length
}

/** The rows of the collection: those of its type. A person says what types and marks mean that the words do not know. */
const listWhere =
  (pattern: string): List =>
  ({ table }) => {
    const marks = listByRole(table.columns, 'otherKind').filter(isFlag)
    const [kind] = listByRole(table.columns, 'kind').filter(({ codes }) => codes.length > 1)
    const codes = kind?.codes.map(({ code }) => code) ?? []
    const [mine, other] = codes.filter((one) => matches(pattern, one) || toNoun(one) === toNoun(table.name))
    const unsure = [...marks, ...(kind && (mine === undefined || other !== undefined) ? [kind] : [])]
    const value = kind === undefined ? [] : [{ column: kind.name, equals: mine ?? codes[0] ?? '' }]
    const drafts = listCodes(table, 'unfinishedCode').filter((code) => !codes.includes(code))
    const by = [...unsure.map(({ name }) => name), ...drafts]
    const ask = by.length === 0 ? undefined : `which rows by ${by.join(', ')} belong here?`
    return [{ value, points: 8, why: 'its type', ask }]
  }

const listCodes = ({ columns }: TableFacts, pattern: string): readonly string[] =>
  columns.flatMap((column) =>
    [...column.codes.map(({ code }) => code), ...readLabels(column).values()].filter((code) =>
      matches(pattern, code),
    ),
  )

/** What makes a record archived: its own soft deletes. Words of a status may be one too. */
const listArchived: List = ({ table }) => {
  const tests = listByRole(table.columns, 'archived').flatMap((column) => writeTest(column) ?? [])
  const words = listCodes(table, 'archivedCode')
  const ask = words.length === 0 ? undefined : `are rows with ${words.join(', ')} deleted?`
  const nothing = { value: [], points: 5, why: 'no column looks like a soft delete', ask }
  const [only, ...others] = tests
  if (only === undefined) return [nothing]
  return [{ value: others.length === 0 ? only : tests, points: 9, why: 'soft deletes' }, nothing]
}

/** The primary key, or another unique column; of a view, which has no key, a column whose values differ. */
const listIds: List = ({ table }) =>
  table.columns.flatMap((column) => {
    const { name, type: why } = column
    const isOfView = isKeyOfView(table, column)
    if (!canBeId(column) || !(isOfView || isUnique(table, name))) return []
    const ask = isOfView ? `is ${name} unique?` : undefined
    return [{ value: name, points: table.primary.join() === name ? 10 : 4, why, ask }]
  })

/** A column that the server moves; with the time of creation where it is NULL until the first change; or none at all. */
const listChanges: List = ({ table }) => {
  const [created] = listByRole(table.columns, 'createdAt')
  const [since = null] = (created && writeTime(created, table)) ?? []
  const moving = table.columns.flatMap((column): readonly Candidate[] => {
    const points = column.extra.includes('on update') ? 10 : (column.roles.get('updatedAt') ?? 0)
    const [value] = writeTime(column, table) ?? []
    if (points === 0 || value === undefined) return []
    const why = `${column.extra} ${toReason(column)}`.trim()
    if (column.filled === table.read) return [{ value, points, why }]
    // Both must have one type.
    if (created?.kind === column.kind) return [{ value: { first: [value, since] }, points, why }]
    return [{ value, points, why, ask: `what of rows without ${column.name}?` }]
  })
  if (since === null) return moving
  const never = { ...(isSection(since) ? since : { column: since }), neverChanges: true }
  return [...moving, { value: never, points: 2, why: noColumn, ask: 'does no column move with each change?' }]
}

/** The reason of what is written where the tables have no column. */
export const noColumn = 'no column'
const none =
  (value: MappingValue, points: number, ask?: string): List =>
  () => [{ value, points, why: noColumn, ask }]

/** The tables that refer to a table, with the column that does. */
function listChildren({ facts: { tables }, table }: Input) {
  return [...tables.values()].flatMap((child) => {
    const key = child.columns.find(({ reference }) => reference?.parent.name === table.name)
    return child === table || key === undefined ? [] : [{ child, key }]
  })
}

/** Net and tax, where no column has the total. */
const listSums: List = ({ table: { columns } }) => {
  const [[net], [tax]] = [listByRole(columns, 'net'), listByRole(columns, 'tax')]
  if (net === undefined || tax === undefined || net.kind !== tax.kind) return []
  const ask = `is the grand total ${net.name} + ${tax.name}?`
  return [{ value: { sum: [net.name, tax.name] }, points: 6, why: 'net and tax', ask }]
}

/** Amounts that no name makes the total, of a row and of the rows that refer to it. */
const listAmounts: List = (input) =>
  [{ child: input.table, key: undefined }, ...listChildren(input)].flatMap(({ child, key }) =>
    child.columns.flatMap((column): readonly Candidate[] => {
      const isNamed = column.kind === 'integer' && matches('amount', toSnake(column.name))
      if (column.reference !== undefined || (!isNamed && !/decimal|float/.test(column.kind))) return []
      const [own = null, , ask = 'which is the grand total?'] = writeAmount(column, child) ?? []
      const value = key === undefined ? own : { from: child.name, key: key.name, sum: [own] }
      return [{ value, points: 0.5, why: toReason(column), ask }]
    }),
  )

/** The test of the rows of a log that count: those that are not deleted, or all, because they have a time. */
function testCounting({ columns }: TableFacts, time: string): Section {
  const [deleted] = listByRole(columns, 'archived')
  if (deleted === undefined) return { column: time, is: 'set' }
  return { column: deleted.name, ...(isFlag(deleted) ? { equals: 0 } : { is: 'unset' }) }
}

/** Logs of check-ins, such as of scans, with the time or the test. Only a person knows whether every row is a check-in. */
const listLogs =
  (isTime: boolean): List =>
  (input) =>
    listChildren(input).flatMap(({ child, key }): readonly Candidate[] => {
      const { name: from, columns } = child
      const roles = ['checkedInAt', ...(matches('checkInLog', toSnake(from)) ? ['createdAt'] : [])]
      return roles
        .flatMap((role) => listByRole(columns, role))
        .slice(0, 1)
        .flatMap((time) => {
          const [reading = null] = writeTime(time, child) ?? []
          const where = isUnique(child, key.name) ? {} : { where: [testCounting(child, time.name)] }
          const shown = isTime ? (isSection(reading) ? reading : { column: reading }) : { is: 'set' }
          const value = { from, on: key.reference?.key ?? '', key: key.name, ...where, ...shown }
          return [{ value, points: 7, why: toReason(time), ask: `is each row of ${from} a check-in?` }]
        })
    })

/** Tables that link invoices and events. */
const listLinks: List = (input) =>
  listChildren(input).flatMap(({ child, key }): readonly Candidate[] => {
    const [event] = listByRole(child.columns, 'event').filter((one) => one !== key)
    if (event === undefined) return []
    const value = { table: child.name, invoice: key.name, event: event.name }
    const isPart = key.distinct < (input.table.read ?? 0) / 2
    const ask = isPart ? `have invoices without a row of ${child.name} no event?` : undefined
    return [{ value, points: (event.roles.get('event') ?? 0) - 4, why: toReason(event), ask }]
  })

const checkedInAt = byRole('checkedInAt', writeTime)
const byTime: List = (input) =>
  checkedInAt(input).map(({ why }) => ({ value: { from: 'checkedInAt' }, points: 7.5, why }))
const never = none({ constant: false }, 1, 'are people never checked in?')
const events = byRole('event', writeColumn, anywhere)
// A tenant that is far away is still more likely than none.
const tenants = byRole('tenant', writeTenant, ({ steps }) => -2 - steps.length)
const oneTenant = none(
  { constant: '1' },
  0.5,
  'or is this the database of one tenant? One that is more than two tables away needs a view.',
)
const people = (role: string, write: Write): List => byRole(role, write, weighPerson)
const currency = byRole('currency', writeCurrency, ({ steps }) => (steps.length === 1 ? -3 : undefined))
/** One currency for all. */
const oneCurrency: List = ({ facts }) => {
  const codes = listSettings(facts, 'currency').map(({ code }) => code)
  const ask = 'which one currency?'
  return (codes.length > 0 ? codes : ['EUR']).map((constant) => {
    return { value: { constant }, points: 1, why: noColumn, ask }
  })
}

const start = (type: string): readonly Place[] => [
  place('workspace', 'the tenant', 0, tenants, oneTenant),
  place('where', 'the rows that belong here', 0, listWhere(type)),
  place('archived', 'what makes a record archived', 0, listArchived),
  place('fields.id', 'what identifies a record', 0, listIds),
]
const status = place('fields.status', 'the state', 1, ...statuses)
const times: readonly Place[] = [
  place('fields.createdAt', 'when it was created', 1, byRole('createdAt', writeTime)),
  place('fields.updatedAt', 'when it last changed', 1, listChanges),
]

/** The places of each collection, in the order of the file. */
export const places: Readonly<Record<Collection, readonly Place[]>> = {
  registrations: [
    ...start('registrationType'),
    place('fields.eventId', 'the event', 5, events),
    status,
    place(
      'fields.name',
      'the name',
      3,
      orElse(people('fullName', writeColumn), people('lastName', writeFullName)),
    ),
    place('fields.email', 'the e-mail address', 3, orElse(people('email', writeColumn))),
    place(
      'fields.checkedIn',
      'checked in',
      2,
      byRole('checkedIn', writeFlag),
      byTime,
      listLogs(false),
      never,
    ),
    place('fields.checkedInAt', 'when checked in', 0, checkedInAt, listLogs(true)),
    ...times,
  ],
  invoices: [
    ...start('invoiceType'),
    place('eventId', 'the event', 0, events, listLinks, none(null, 3.5)),
    place('fields.number', 'the printed number', 2, byRole('number', writeNumber)),
    status,
    place('fields.total', 'the grand total', 6, byRole('total', writeAmount), listSums, listAmounts),
    place('fields.currency', 'the currency', 1, orElse(currency, oneCurrency)),
    place('fields.issueDate', 'the day of issue', 2, byRole('issueDate', writeTime)),
    place('fields.dueDate', 'the day by which to pay', 2, byRole('dueDate', writeTime), none(null, 5)),
    ...times,
  ],
}

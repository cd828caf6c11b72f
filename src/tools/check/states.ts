import { hasTime } from '../../collections/time-fields.js'
import { findMinorDigits } from '../../values/money.js'
import { isFlag, isMoment } from '../facts/columns.js'
import { matches, weighNoun } from '../facts/names.js'
import { countTexts, toForm } from '../facts/values.js'
import type { Code } from '../facts/values.js'
import { splitWords, toNoun, toSnake } from '../facts/words.js'
import { isAmount } from './amounts.js'
import { sayRows, sayShare } from './evidence.js'
import type { Evidence, Find, Said, Witness } from './evidence.js'
import { listProjectedColumns } from '../../collections/found-column.js'

/* States against their times, and places that say nothing while a column beside them has the variety which they should have. */

/** What states can say: the functions of `rules.yaml`. */
export const stateFinds: Readonly<Record<string, Find>> = {
  // The time of a record that is not checked in stands in the row alone.
  timeWithoutState: sayRows(0.1, 'records are not checked in and have a time of it', ({ row, record }) => {
    return record['checkedIn'] === false && hasTime(row['checkedInAt'])
  }),
  otherState: findUnset,
  oneStatus: (evidence) => findSilent(evidence, 'status', isState),
  oneState: (evidence) => findSilent(evidence, 'checkedIn', hasRole('checkedIn', 'checkedInAt')),
  oneCurrency: (evidence) =>
    findSilent(evidence, 'currency', ({ codes }) => codes.every(isCurrency)) ?? findElsewhere(evidence),
  noDueDate: (evidence) => findSilent(evidence, 'dueDate', hasRole('dueDate')),
  oneTotal: (evidence) => findSilent(evidence, 'total', isAmount),
  dueByStatus: findDueByStatus,
  movingIssueDate: findMoving,
  otherTypes: findTypes,
  otherNumbers: findOtherNumbers,
  deletedEvents: findDeletedEvents,
}

/** Records of an event that is marked as deleted. */
function findDeletedEvents({ sample: { shown }, witnesses }: Evidence): Said {
  const [found] = witnesses.flatMap(({ path, table, column, isOwn, cells }) => {
    const isOfEvent = !isOwn && weighNoun('event', toNoun(table)) > 0
    if (!isOfEvent || !matches('deletion', toSnake(column.name))) return []
    const set = cells.filter((cell = '0') => !/^(?:0*|[nN])$/.test(cell)).length
    const said = sayShare(set, shown.length, 0, `records are of an event for which ${path} is set`)
    return said === undefined ? [] : [said]
  })
  return found
}

/** A witness with its different values. */
interface Varied extends Witness {
  readonly codes: readonly Code[]
}

/** The values of a column, where they are codes that may be printed. */
function listCodes({ path, column, codes }: Pick<Varied, 'path' | 'column' | 'codes'>): string {
  const isCode = ({ code }: Code): boolean =>
    /^(?:\d{0,3}|[A-Z]{3})$/.test(code) || column.codes.some((one) => one.code === code)
  const isShown = codes.length <= 12 && codes.every(isCode)
  const all = codes.map(({ code, rows }) => `${code || 'NULL'} (${rows})`).join(', ')
  return isShown ? `${path} has ${all}` : `${path} differs`
}

/** A field that has one value for all records, or none, and the columns that could have those which it should have. */
function findSilent(evidence: Evidence, field: string, canBe: (one: Varied) => boolean): Said {
  const { shown } = evidence.sample
  const [value, ...others] = new Set(shown.map(({ record }) => record[field]))
  const rank = ({ isOwn, column }: Varied): number => (isOwn ? 1 : 0) + (column.roles.get(field) ?? 0)
  const beside = evidence.witnesses
    .map((one): Varied => ({ ...one, codes: countTexts(one.cells.map((cell = '') => cell)) }))
    .filter((one) => one.codes.length > 1 && canBe(one))
    .toSorted((one, other) => rank(other) - rank(one))
    .map(listCodes)
  if (others.length > 0 || beside.length === 0) return undefined
  const what = value === null ? 'shows nothing' : `is ${String(value)} in all ${shown.length} records`
  return [shown.length, `${what}, and ${beside.slice(0, 3).join('; ')}`]
}

function isState({ isOwn, column, codes }: Varied): boolean {
  const isCode =
    isFlag(column) || (column.kind === 'text' && column.reference === undefined) || column.roles.has('status')
  return isOwn && isCode && codes.length <= 12
}

/** Whether a column of the table itself has one of some roles by its name, and is set in some rows. */
function hasRole(...roles: readonly string[]): (one: Varied) => boolean {
  return ({ isOwn, column, cells }) =>
    isOwn && cells.some(isSet) && roles.some((role) => column.roles.has(role))
}

const isCurrency = ({ code }: Code): boolean => /^[A-Z]{3}$/.test(code) && findMinorDigits(code) !== undefined

/** One currency for all, while a setting or a document of the product has others. A list of all currencies says nothing. */
function findElsewhere({ sample: { shown }, tables }: Evidence): Said {
  const [code, ...several] = new Set(shown.map(({ record }) => record['currency']))
  const found = [...tables.values()].flatMap(({ name, columns, settings }) => {
    const ofSettings = settings.flatMap(({ unit, codes }) => (unit === 'currency' ? codes : []))
    const ofColumns = columns.flatMap(({ roles, codes }) => (roles.has('currency') ? codes : []))
    const all = [...ofColumns, ...ofSettings].filter((one) => isCurrency(one) && one.code !== code)
    return all.length > 0 && !/currenc/i.test(name)
      ? [`${name} has ${all.map((one) => one.code).join(', ')}`]
      : []
  })
  if (several.length > 0 || found[0] === undefined) return undefined
  return [shown.length, `is ${String(code)} in all ${shown.length} records, and ${found[0]}`]
}

const isSet = (cell: string | undefined): boolean => cell !== undefined && !/^(?:0*|n|0000-.*)$/i.test(cell)

/** A column with the name of a status that is not set where the record has the status, and is set elsewhere. */
function findUnset({ sample: { shown }, witnesses }: Evidence): Said {
  const isState = ({ isOwn, column, cells }: Witness): boolean =>
    isOwn && (isFlag(column) || isMoment(column) || column.kind === 'date') && cells.some(isSet)
  const states = witnesses.filter(isState)
  for (const status of new Set(shown.map(({ record }) => String(record['status'])))) {
    const [word = '', ...others] = splitWords(status)
    const named = states.filter(({ path }) => others.length === 0 && splitWords(path).includes(word))
    for (const { path, cells } of named) {
      const own = cells.filter((_, at) => shown[at]?.record['status'] === status)
      const unset = own.filter((cell) => !isSet(cell)).length
      const what = `${unset} of ${own.length} records that are ${status} have no ${path}`
      if (unset >= 5 && unset > own.length / 5) return [unset, what]
    }
  }
  return undefined
}

/** A day that all records of some statuses have, and none of the others. */
function findDueByStatus({ sample: { shown } }: Evidence, days: readonly string[]): Said {
  const [set, unset] = [true, false].map((isDue) => {
    const some = shown.filter(({ record }) => (record['dueDate'] !== null) === isDue)
    return new Set(some.map(({ record }) => String(record['status'])))
  })
  const isBoth = [...(set ?? [])].some((status) => unset?.has(status))
  if (days.length < 5 || shown.length - days.length < 5 || isBoth) return undefined
  return [days.length, `only ${days.length} records that are ${[...(set ?? [])].join(' or ')} have the day`]
}

/** A day of the column that moves with every change. */
function findMoving({ sample: { collection, shown } }: Evidence): Said {
  const read = (name: string): readonly unknown[] => {
    const found = listProjectedColumns(collection.fields[name]?.projection ?? [])
    return found.map(({ column, lookup }) => lookup ?? column.name)
  }
  const [changed] = read('updatedAt')
  const isMoving = read('issueDate').includes(changed) && !read('createdAt').includes(changed)
  return isMoving ? [shown.length, `shows ${String(changed)}, the time of the last change`] : undefined
}

/** Numbers of another form that all rows of one code have, and no others: such as those of drafts. */
function findOtherNumbers({ sample: { shown }, witnesses }: Evidence): Said {
  const forms = shown.map(({ record }) => toForm(String(record['number'] ?? '')))
  const [most, ...others] = countTexts(forms)
  // A tenant can have a form of its own.
  const isOwn = (form: string): boolean => {
    const tenants = new Set(shown.flatMap(({ workspace }, at) => (forms[at] === form ? [workspace] : [])))
    return shown.every(({ workspace }, at) => forms[at] === form || !tenants.has(workspace))
  }
  const rare = others.filter(({ code, rows }) => rows >= 3 && rows < (most?.rows ?? 0) / 2 && !isOwn(code))
  const codes = witnesses.filter(
    ({ column }) => column.distinct <= 12 && (isFlag(column) || column.codes.length > 0),
  )
  for (const { code, rows } of rare)
    for (const { path, cells } of codes) {
      const [value, ...more] = new Set(cells.filter((_, at) => forms[at] === code))
      const isAll = more.length === 0 && cells.filter((cell) => cell === value).length === rows
      const what = `${rows} of ${shown.length} numbers have the form ${code}: those of all rows whose ${path} is ${value ?? 'NULL'}`
      if (isAll) return [rows, what]
    }
  return undefined
}

/** A column of types: some rows have the name of the collection there, and some another one. */
function findTypes({ sample: { shown, collection }, witnesses }: Evidence): Said {
  const pattern = collection.name === 'invoices' ? 'invoiceType' : 'registrationType'
  for (const { path, isOwn, column, cells } of witnesses) {
    const codes = countTexts(cells.filter((cell) => cell !== ''))
    const rows = codes.reduce((sum, one) => sum + (matches(pattern, one.code) ? one.rows : 0), 0)
    const isMixed = isOwn && rows > 0 && rows < shown.length && codes.length > 1 && codes.length <= 12
    if (isMixed)
      return [shown.length - rows, `shows rows of every type: ${listCodes({ path, column, codes })}`]
  }
  return undefined
}

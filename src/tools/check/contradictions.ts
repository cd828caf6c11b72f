import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { countTexts } from '../facts/values.js'
import { amountFinds } from './amounts.js'
import { hiddenMax } from './counts.js'
import { recordsMin, sayRows, sayShare } from './evidence.js'
import type { Evidence, Find, Said } from './evidence.js'
import { contradict } from './findings.js'
import type { Contradiction } from './findings.js'
import type { Sample } from './sample.js'
import { stateFinds } from './states.js'
import { timeFinds } from './times.js'

/* What the records of a sample say against the mapping: the rules of `rules.yaml`, and why rows cannot be shown. */

/** A rule about places of a collection, separated by spaces, or of the whole mapping where they begin with a slash. */
interface Rule {
  readonly name: string
  readonly places: string
  readonly error: boolean
  readonly always: boolean
  readonly over: number
  readonly form: string | undefined
  readonly among: string
  readonly what: string
  readonly fix: string
}

const file = parse(readFileSync(new URL('./rules.yaml', import.meta.url), 'utf8')) as {
  readonly rules: readonly Rule[]
  readonly fixes: Readonly<Record<string, string>>
}
const absent = { error: false, always: false, over: 0, form: undefined, among: '^', what: '' }

const finds: Readonly<Record<string, Find>> = {
  ...stateFinds,
  ...amountFinds,
  ...timeFinds,
  ownEvents: findOwnEvents,
  sameNames: findFewDifferent,
  sameAddresses: findFewDifferent,
  sameNumbers: findRepeated,
  dueBefore: sayDays(0.1, 'invoices are due before they are issued', (due, issue) => due < issue),
  dueSame: sayDays(0.95, 'invoices are due on the day of issue', (due, issue) => due === issue),
}

/** More than a share of the invoices have such days. */
function sayDays(share: number, what: string, isSo: (due: string, issue: string) => boolean): Find {
  return sayRows(share, what, ({ record: { dueDate, issueDate } }) => {
    const [due = '', issue = ''] = [dueDate ?? '', issueDate ?? ''].map((day) => String(day).slice(0, 10))
    return due !== '' && isSo(due, issue)
  })
}

/** More than a share of the values have a form, of all that have another one. */
function findForm({ form = '', over, what, among }: Rule): Find {
  const [wanted, other] = [new RegExp(form, 's'), new RegExp(among)]
  return (_, all) => {
    const values = all.filter((value) => other.test(value))
    return sayShare(values.filter((value) => wanted.test(value)).length, values.length, over, what)
  }
}

/** Each rule with the function that finds what it says. */
const rules = file.rules.map((written) => {
  const rule = { ...absent, ...written }
  const { name, form, places } = rule
  const find = form === undefined ? finds[name] : findForm(rule)
  return { ...rule, find, places: places.split(' '), field: /^fields\.(\w+)/.exec(places)?.[1] }
})

/** Everything that the records of a sample contradict. A field that the collection does not have is not looked at. */
export function listContradictions(evidence: Evidence): readonly Contradiction[] {
  const { shown, collection } = evidence.sample
  const toPath = (place: string): string =>
    place.startsWith('/') ? place.slice(1) : `${collection.name}.${place}`
  return rules.flatMap(({ name, places, field = '', error, always, find, fix: known }) => {
    const isOther = field !== '' && !(field in collection.fields)
    if (isOther || (!always && shown.length < recordsMin)) return []
    const cells = shown.map(({ record }) => record[field] ?? '')
    const said = find?.(evidence, cells.filter((cell) => cell !== '').map(String))
    if (said === undefined) return []
    const [rows, problem, fix = file.fixes[known] ?? ''] = said
    return [contradict(error, places.map(toPath), problem, fix, rows, name)]
  })
}

/** The fields by which most rows cannot be shown. */
export function listFailing({ shown, faults }: Sample): readonly string[] {
  const counts = countTexts(faults.map(({ field }) => field))
  return counts.filter(({ rows }) => rows > (shown.length + faults.length) / 2).map(({ code }) => code)
}

const unreadable = 'map a column that every record has, or leave the rows out with where'
const first = `${unreadable}; { first: [COLUMN, COLUMN] } is the first that is not empty`
const fixesOfFields: Readonly<Record<string, string>> = {
  ...{ name: first, email: first, number: first, eventId: first },
  total: `${unreadable}; nullIsZero: true in a sum counts NULL as 0, if it means that`,
  status:
    'say in values or otherwise what the codes mean; a NULL is a case of status.when: { column, is: unset, then: … }',
  currency:
    'correct the codes in the product, leave the rows out with where, or map { first: [COLUMN, { constant: EUR }] } where the column is empty',
  updatedAt: 'write updatedAt: { first: [CHANGED, CREATED] }, if NULL means not changed since',
}

/** Why rows cannot be shown, field by field. A code that the mapping does not list is counted elsewhere. */
export function listInvalid({ shown, faults, collection }: Sample): readonly Contradiction[] {
  const size = shown.length + faults.length
  return countTexts(faults.map(({ field = '' }) => field)).flatMap(({ code: field, rows }) => {
    const own = faults.filter((one) => (one.field ?? '') === field)
    const isError = rows > size * hiddenMax || collection.invalidRows === 'fail'
    if (!isError && own.every(({ code }) => code !== undefined)) return []
    const reasons = countTexts(own.map(({ message }) => message)).slice(0, 3)
    const why = reasons.map((reason) => `${reason.code} (${reason.rows})`).join('; ')
    const problem = `${rows} of ${size} rows of the sample cannot be shown: ${why}`
    const places = [`${collection.name}.fields.${field}`]
    return [
      { name: `${field}Missing`, places, isError, rows, problem, fix: fixesOfFields[field] ?? unreadable },
    ]
  })
}

/** A field that has hardly different values. */
function findFewDifferent(_: Evidence, values: readonly string[]): Said {
  const { size } = new Set(values)
  const isMany = values.length < recordsMin || size > Math.max(2, values.length * 0.05)
  return isMany ? undefined : [values.length, `has only ${size} different values in ${values.length} records`]
}

function findOwnEvents({ sample: { shown } }: Evidence, events: readonly string[]): Said {
  const { size } = new Set(events)
  return size > shown.length / 2 ? [size, `${size} events for ${shown.length} records`] : undefined
}

function findRepeated({ sample: { shown } }: Evidence): Said {
  const numbers = shown.map(({ workspace, record }) => JSON.stringify([workspace, record['number']]))
  const what = 'invoices have the number of another one of their workspace'
  return sayShare(shown.length - new Set(numbers).size, shown.length, 0.02, what)
}

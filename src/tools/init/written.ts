import { listEnumLabels } from '../../database/column.js'
import { isFlag, listByRole, listRoles } from '../facts/columns.js'
import { weighNoun } from '../facts/names.js'
import type { ColumnFacts } from '../facts/table-facts.js'
import { toNoun, toSnake } from '../facts/words.js'
import { byRole, hasRole } from './candidate.js'
import type { List, Section, Write } from './candidate.js'

/** A column as it is. */
export const writeColumn: Write = ({ name }) => [name]

/** A column that every row has. */
export const writeNumber: Write = ({ name, filled }, { read = 0 }) =>
  filled < read ? [name, 0, `what is the number of rows without ${name}?`] : [name]

/** A time: an integer with its unit, by its values. */
export const writeTime: Write = ({ name, kind, epoch = 's', filled }) => {
  if (kind !== 'integer') return [name, kind === 'date' ? -0.4 : 0]
  return [{ column: name, epoch }, 0, filled === 0 ? `is ${name} in s, ms or us?` : undefined]
}

/** An amount: as it is, as decimal text, rounded, or in minor units. */
export const writeAmount: Write = ({ name, kind }) => {
  if (kind === 'decimal') return [name]
  if (kind === 'text') return [{ column: name, text: 'decimal' }, -1]
  if (kind === 'float') return [{ column: name, float: 4 }]
  const isMinor = /cents?(?:_|$)|minor|pence/.test(toSnake(name))
  const value = { column: name, unit: 'minor' }
  return isMinor ? [value] : [value, 0, `does 100 in ${name} mean 1.00 (unit: minor) or 100.00?`]
}

/** A currency, by its values: only codes of ISO 4217 are among them. */
export const writeCurrency: Write = ({ name, filled, codes, hidden }) => {
  return [name, filled === 0 ? 0 : codes.length > 0 && hidden === 0 ? 2 : -6]
}

/** The words of codes in a comment such as `1=paid, 2: void`, in capitals. */
export function readLabels({ comment }: ColumnFacts): ReadonlyMap<string, string> {
  const said = [...comment.matchAll(/(\d+)\s*[=:]\s*(\p{L}[\p{L}\p{N}]*)/gu)]
  return new Map(said.map(([, code = '', word = '']) => [code, word.toUpperCase()]))
}

/** A status: its codes. What numbers mean, only a person knows. */
export const writeStatus: Write = (column) => {
  const { name, kind } = column
  const labels = listEnumLabels(column)
  const shown = column.codes.map(({ code }) => code)
  if (labels.length > 0) return [{ column: name, values: labels }]
  if (kind !== 'integer')
    return shown.length === 0 ? [name, -1] : [{ column: name, values: shown, otherwise: 'OTHER' }]
  const words = readLabels(column)
  const [first = '1', ...others] = shown.length > 0 ? shown : words.keys()
  const values = Object.fromEntries([first, ...others].map((code) => [code, words.get(code) ?? 'WORD']))
  return [{ column: name, values }, isFlag(column) ? -4 : 0, `what do the numbers of ${name} mean?`]
}

/** The status of a booking, for its persons: an event or a person has one of its own. */
const statusElsewhere = byRole(
  'status',
  (column, table) => {
    const isOther = weighNoun('event', toNoun(table.name)) > 0 || hasRole(table, 'email')
    const [reading, points = 0] =
      (!isOther && !table.primary.includes(column.name) && writeStatus(column, table)) || []
    return reading === undefined
      ? undefined
      : [reading, points, `is ${column.name} of ${table.name} the state? Its changes do not move updatedAt.`]
  },
  ({ steps }) => (steps.length === 1 ? -3 : undefined),
)

/** The words that another table has for a status. */
const statusLabels = byRole(
  'statusWord',
  ({ name }, table) =>
    weighNoun('label', toNoun(table.name)) > 0 ? [name, 0, `is ${name} public?`] : undefined,
  ({ steps }) => (steps.length === 1 ? -2 : undefined),
)

/** What can be the status of a row: first of all a column of its own. */
export const statuses: readonly List[] = [byRole('status', writeStatus), statusElsewhere, statusLabels]

/** The test of the rows of which a flag or a time says yes; undefined for a column that holds no flag. */
export function writeTest(column: ColumnFacts): Section | undefined {
  const { name, kind, nullable, codes } = column
  if (kind === 'text') {
    const all = [...codes.map(({ code }) => code), ...listEnumLabels(column)]
    const code = all.find((one) => /^(?:y|yes|t|true|1|j|ja|s|si|o|oui)$/i.test(one))
    return code === undefined ? undefined : { column: name, equals: code }
  }
  if (isFlag(column)) return { column: name, equals: 1 }
  if (nullable) return { column: name, is: 'set' }
  return kind === 'integer' ? { column: name, notEquals: 0 } : undefined
}

/** A flag as a boolean column, or as a test of its words. */
export const writeFlag: Write = (column) => {
  const test = column.kind === 'text' ? writeTest(column) : column.name
  return test === undefined ? undefined : [test]
}

/** First and last name. */
export const writeFullName: Write = ({ name }, { columns }) => {
  const [first] = listByRole(columns, 'firstName')
  return first && [{ columns: [first.name, name], separator: ' ' }]
}

/** The tenant of a row. Only a column that every row has, with several tenants in it, can be certain. */
export const writeTenant: Write = ({ name, filled, distinct, reference }, { read = 0 }) => {
  const parent = reference?.parent
  const isPerson = parent?.columns.some((column) => listRoles(parent, column).has('lastName')) === true
  const ask = `is ${name} the tenant, with ${distinct} in ${filled} of the ${read} rows that were read?`
  return [name, 0, filled < read || distinct < 2 || isPerson ? ask : undefined]
}

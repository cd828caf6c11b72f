import currencyCodes from 'currency-codes'
import { isEnumerated } from '../../database/column.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { isFlag } from './columns.js'
import type { Roles } from './columns.js'
import { matches, weighNoun } from './names.js'
import { toNoun, toSnake } from './words.js'

/*
 * What may be shown of the rows of a product: nothing of a person. A column shows values only if its name and its type say that
 * they are codes, and each value only if it looks like one; of every other column counts are shown, or the form of its values.
 */

/** What is shown of the values of a column. */
export type Shown = 'amount' | 'code' | 'currency' | 'label' | 'time' | 'uuid' | 'zone'

/** A column, its table, and what it can be. */
interface Named {
  readonly table: DescribedTable
  readonly column: DescribedColumn
  readonly roles: Roles
}

const isCalled = (pattern: string, { column }: Named): boolean => matches(pattern, toSnake(column.name))
const isKind = (kinds: RegExp, { column }: Named): boolean => kinds.test(column.kind)

/** What is shown, by the first line that fits a column; of others counts only. */
const rules: readonly (readonly [shown: Shown | undefined, fits: (named: Named) => boolean])[] = [
  ['uuid', ({ column }) => column.kind === 'binary' && column.length === 16],
  [undefined, ({ column }) => /json|binary/.test(column.kind) || /text$/i.test(column.type)],
  [undefined, ({ column }) => column.length > 255],
  [undefined, ({ table, column }) => table.primary.includes(column.name)],
  ['currency', ({ roles }) => roles.has('currency')],
  ['label', ({ table, roles }) => roles.has('statusWord') && isOfLabels(table)],
  [undefined, ({ table, column }) => isPersonal(table, column)],
  ['zone', ({ roles }) => roles.has('zone')],
  ['code', ({ column }) => isFlag(column) || isEnumerated(column)],
  ['code', (one) => isKind(/text|integer/, one) && isCalled('codeName', one)],
  ['amount', (one) => isKind(/decimal|float|integer/, one) && isCalled('amount', one)],
  ['time', (one) => isKind(/datetime|timestamp|integer/, one) && isCalled('recordTime', one)],
  ['time', (one) => isKind(/^date$/, one) && isCalled('recordDay', one)],
]

/** What is shown of a column; undefined for counts only. */
export function chooseShown(named: Named): Shown | undefined {
  return rules.find(([, fits]) => fits(named))?.[0]
}

/** Whether a column can hold something of a person, by its name or its type. */
export function isPersonal(table: DescribedTable, { name, kind, type }: DescribedColumn): boolean {
  const snake = toSnake(name)
  if (kind === 'unreadable' || matches('personal', snake.replace(/(?<=status|type)_name$/, ''))) return true
  // `state` is a part of an address beside others.
  const isState = /(?:^|_)(?:state|estado|stato|etat)$/i.test(name) && !/^enum/i.test(type)
  return isState && table.columns.some((one) => matches('address', toSnake(one.name)))
}

/** Whether a table holds the words of statuses, types and the like, and no column of people. */
export function isOfLabels({ name, columns }: DescribedTable): boolean {
  const isOfPeople = [name, ...columns.map((one) => one.name)].some((one) => matches('people', toSnake(one)))
  return weighNoun('label', toNoun(name)) > 0 && !isOfPeople
}

const currencies = new Set(currencyCodes.codes())

/** Whether a value of such a column is shown. @param rows how many have it */
export function showValue(shown: Shown, text: string, rows: number): boolean {
  if (shown === 'currency') return currencies.has(text.toUpperCase())
  if (shown === 'zone') return isZone(text)
  if (shown === 'label') return isWords(text)
  return shown === 'code' && isCode(text, rows)
}

/** A short number, a letter, or words without what a name, a number of a person or an address has; rare ones are known words. */
function isCode(text: string, rows: number): boolean {
  if (/^-?\d{1,3}$|^\p{L}$/u.test(text)) return true
  if (!isWords(text)) return false
  return matches('codeWord', text) || (rows >= 3 && !/^\p{Lu}\p{Ll}+ \p{Lu}/u.test(text))
}

function isWords(text: string): boolean {
  return /^[\p{L}][\p{L}\p{M}\p{N} ._:/\\&'()+-]{0,39}$/u.test(text) && !/\d{4}/.test(text)
}

function isZone(text: string): boolean {
  if (/^[+-]\d\d:\d\d$|^UTC$|^SYSTEM$/.test(text)) return true
  if (!/^[A-Z]\w+\/[A-Z][\w/+-]+$/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).format(0) !== ''
  } catch {
    return false
  }
}

import currencyCodes from 'currency-codes'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { findColumns, isFlag } from './columns.js'
import { matches, weighNoun } from './names.js'
import { toNoun, toSnake } from './words.js'

/*
 * What may be shown of the rows of a product: nothing of a person. A column shows values only if its name and its type say that
 * they are codes, and each value only if it looks like one; of every other column counts are shown, or the form of its values.
 */

/** What is shown of the values of a column. */
export type Shown = 'amount' | 'code' | 'currency' | 'label' | 'shape' | 'time' | 'uuid' | 'zone'

/** What is shown of a column; undefined for counts only. */
export function chooseShown(table: DescribedTable, column: DescribedColumn): Shown | undefined {
  const { kind, length, type } = column
  if (kind === 'json' || /text$/i.test(type)) return undefined
  if (kind === 'binary') return length === 16 ? 'uuid' : undefined
  if (findColumns(table, 'currency').some((one) => one.column === column)) return 'currency'
  if (isLabel(table, column)) return 'label'
  if (isPersonal(table, column)) return undefined
  if (findColumns(table, 'zone').some((one) => one.column === column)) return 'zone'
  return chooseByType(column)
}

function chooseByType(column: DescribedColumn): Shown | undefined {
  const { kind, name, length } = column
  const isCalled = (pattern: string): boolean => matches(pattern, toSnake(name))
  if (isCoded(column)) return 'code'
  if (kind === 'text') return length <= 255 && isCalled('reference') ? 'shape' : undefined
  if (/decimal|float|integer/.test(kind) && isCalled('amount')) return 'amount'
  const pattern = kind === 'date' ? 'recordDay' : 'recordTime'
  return /date|time|integer/.test(kind) && isCalled(pattern) ? 'time' : undefined
}

const isCoded = (column: DescribedColumn): boolean =>
  isFlag(column) ||
  /^(?:enum|set)/i.test(column.type) ||
  (/text|integer/.test(column.kind) && column.length <= 255 && matches('codeName', toSnake(column.name)))

/** Whether a column can hold something of a person, by its name or its type. */
export function isPersonal(table: DescribedTable, { name, kind, type }: DescribedColumn): boolean {
  const snake = toSnake(name)
  if (kind === 'unreadable' || matches('personal', snake.replace(/(?<=status|type)_name$/, ''))) return true
  // `state` is a part of an address beside others.
  return (
    /(?:^|_)(?:state|estado|stato|etat)$/i.test(name) &&
    !/^enum/i.test(type) &&
    table.columns.some((one) => matches('address', toSnake(one.name)))
  )
}

/** The words of a small table of statuses, types and the like, of which no column is one of people. */
function isLabel(table: DescribedTable, column: DescribedColumn): boolean {
  return (
    weighNoun('label', toNoun(table.name)) > 0 &&
    column.length <= 255 &&
    findColumns(table, 'statusWord').some((one) => one.column === column) &&
    !table.columns.some(({ name }) => matches('people', toSnake(name)))
  )
}

const currencies = new Set(currencyCodes.codes())

/** The text of a value of such a column, or undefined for one that is not shown. @param rows how many have it */
export function showValue(shown: Shown, text: string, rows: number): string | undefined {
  if (shown === 'currency') return currencies.has(text.toUpperCase()) ? text : undefined
  if (shown === 'zone') return isZone(text) ? text : undefined
  if (shown === 'label') return isWords(text) ? text : undefined
  if (shown === 'code') return isCode(text, rows) ? text : undefined
  return undefined
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

/** Whether a text names a time zone. */
export function isZone(text: string): boolean {
  if (/^[+-]\d\d:\d\d$|^UTC$|^SYSTEM$/.test(text)) return true
  if (!/^[A-Z]\w+\/[A-Z][\w/+-]+$/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).format(0) !== ''
  } catch {
    return false
  }
}

/** The form of a text: `INV-2026-0001` is `A-9-9`. */
export function toShape(text: string): string {
  return text
    .replace(/[\p{L}\p{M}]+/gu, 'A')
    .replace(/\d+/g, '9')
    .replace(/[^A9 ./#_:-]+/g, '?')
    .slice(0, 24)
}

import type { DescribedColumn, DescribedTable } from '../description.js'
import { matches } from './names.js'
import type { Reference } from './references.js'
import { showValue } from './shown.js'
import { count, renderCodes } from './values.js'
import type { Cells } from './values.js'
import { toSnake } from './words.js'

/** The columns of a table that holds a value behind a key: settings, attributes, answers. */
interface KeyValue {
  readonly key: DescribedColumn
  readonly value: DescribedColumn
}

const [columnsMax, keysMax] = [12, 40]

/** The key and the value of such a table; undefined for any other table. */
export function findKeyValue(table: DescribedTable, references: readonly Reference[]): KeyValue | undefined {
  const isCalled = ({ name }: { readonly name: string }, pattern: string): boolean =>
    matches(pattern, toSnake(name))
  const texts = table.columns.filter(({ kind }) => kind === 'text')
  const value = texts.find((column) => isCalled(column, 'settingValue'))
  const asked = references.find(
    ({ column, parent }) => column.kind === 'integer' && isCalled(parent, 'settingParent'),
  )
  const named = texts.find((one) => one !== value && one.length <= 255 && isCalled(one, 'settingKey'))
  const key = named ?? asked?.column
  if (value === undefined || key === undefined || table.columns.length > columnsMax) return undefined
  return isCalled(table, 'settingTable') || toSnake(key.name) === 'meta_key' ? { key, value } : undefined
}

/** The form of a value behind a key: the first that matches. */
const forms: readonly (readonly [form: string, matches: RegExp])[] = [
  ['empty', /^$/],
  ['e-mail', /.@.+\../],
  ['date', /^\d{4}-\d\d-\d\d/],
  ['9 digits or more', /^\d{9,}$/],
  ['number', /^-?\d+([.]\d+)?$/],
  ['JSON', /^[{[]/],
  ['text', /^/],
]

/** Such as `default_currency=GBP`, and `logo_url:text×1`. Keys that are no names of the product are counted. */
export function describeKeyValues(keys: Cells, values: Cells): readonly string[] {
  const all = count(keys)
  const known = all
    .filter(({ code }) => /^(?!.*\d{6})(?:[a-z_][\w.:/-]{1,59}|\d{1,5})$/.test(code))
    .slice(0, keysMax)
  if (known.length < Math.min(all.length, keysMax) / 2 || known.length === 0) return []
  const ofKey = (code: string): readonly string[] =>
    keys.flatMap((key, i) => (key === code ? [values[i] ?? ''] : []))
  const texts = known.map(({ code }) => {
    const own = count(ofKey(code).map((value) => forms.find(([, form]) => form.test(value))?.[0]))
    return `${code}:${renderCodes(own.slice(0, 2))}`
  })
  const settings = known.flatMap(({ code }) => {
    if (!/currency|time_?zone/i.test(code)) return []
    return ofKey(code).flatMap((text) => {
      const value = showValue('currency', text, 1) ?? showValue('zone', text, 1)
      return value === undefined ? [] : [`${code}=${value}`]
    })
  })
  const rest = all.length - known.length
  return [
    ...(settings.length === 0 ? [] : [`settings: ${renderCodes(count(settings).slice(0, 12))}`]),
    `values by key: ${texts.join(' ')}${rest === 0 ? '' : ` and ${rest} other keys`}`,
  ]
}

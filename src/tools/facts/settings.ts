import { toQuotedName } from '../../database/sql.js'
import type { Row } from '../../database/statement.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { matches } from './names.js'
import type { Reference } from './references.js'
import { renderSample, valuesMax } from './sample-sql.js'
import { showValue } from './shown.js'
import { count, renderCodes, toCell } from './values.js'
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

const forms = `case when v is null or v = '' then 'empty' when v like '%_@_%._%' then 'e-mail'
  when v regexp '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then 'date' when v regexp '^[0-9]{9,}$' then '9 digits or more'
  when v regexp '^-?[0-9]+([.][0-9]+)?$' then 'number' when left(v, 1) in ('[', '{') then 'JSON' else 'text' end as form`

/** Selects each key, the form of its value, and the value itself of settings of zone and currency. */
export function renderKeyValues(table: DescribedTable, { key, value }: KeyValue): string {
  const cells = [`${toQuotedName(key.name)} as k`, `left(${toQuotedName(value.name)}, 60) as v`]
  return renderSample(table, valuesMax, cells, [
    'k',
    forms,
    "if(k regexp 'currency|time_?zone', v, null) as shown",
  ])
}

/** Such as `default_currency=GBP`, and `logo_url:text×1`. Keys that are no names of the product are counted. */
export function describeKeyValues(rows: readonly Row[]): readonly string[] {
  const keys = count(rows.map(({ k }) => toCell(k)))
  const known = keys
    .filter(({ code }) => /^(?!.*\d{6})(?:[a-z_][\w.:/-]{1,59}|\d{1,5})$/.test(code))
    .slice(0, keysMax)
  if (known.length < Math.min(keys.length, keysMax) / 2 || known.length === 0) return []
  const ofKey = (code: string): readonly Row[] => rows.filter(({ k }) => toCell(k) === code)
  const forms = known.map(({ code }) => {
    const own = count(ofKey(code).map(({ form }) => toCell(form)))
    return `${code}:${renderCodes(own.slice(0, 2))}`
  })
  const settings = known.flatMap(({ code }) =>
    ofKey(code).flatMap(({ shown }) => {
      const text = toCell(shown) ?? ''
      const value = showValue('currency', text, 1) ?? showValue('zone', text, 1)
      return value === undefined ? [] : [`${code}=${value}`]
    }),
  )
  const rest = keys.length - known.length
  return [
    ...(settings.length === 0 ? [] : [`settings: ${renderCodes(count(settings).slice(0, 12))}`]),
    `values by key: ${forms.join(' ')}${rest === 0 ? '' : ` and ${rest} other keys`}`,
  ]
}

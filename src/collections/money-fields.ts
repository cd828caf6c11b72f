import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { ColumnKind } from '../database/column.js'
import { findMinorDigits, readCurrency, readMoney, readSum } from '../values/money.js'
import type { MoneyForm } from '../values/money.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField, listPlaces, toFirst } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { firstForm, firstShapes, isConstant, isFirst, nameOf, partsOf } from './column-options.js'
import type { ColumnWith, Constant, FirstMapping, IdentifierMapping } from './column-options.js'
import { anyOf, closed, ColumnName, KeyName, LookupTests, oneOf, TableName } from './options.js'
import type { ProjectedColumn } from './resolved-table.js'
import { resolveText, textForm, textShapes } from './text-fields.js'
import type { TextMapping } from './text-fields.js'

const decimalsOf = (description: string) => Type.Integer({ minimum: 0, maximum: 18, description })

const forms = {
  unit: oneOf(['major', 'minor']),
  scale: decimalsOf('the decimals of an integer: 0 to 18'),
  float: decimalsOf('the decimals to round to: 0 to 18'),
  text: oneOf(['decimal']),
}
/** A column of amounts as the mapping names it: with one of these, or with none. */
type PartMapping = ColumnWith<typeof forms>
const partShapes = [
  ColumnName,
  ...Object.entries(forms).map(([name, form]) => Type.Object({ column: ColumnName, [name]: form }, closed)),
]
const partForms =
  'a DECIMAL column, { column, unit: minor } for an integer of minor units, { column, scale: 2 } for an integer with so many decimals, { column, float: 2 } for a DOUBLE that is rounded, or { column, text: decimal } for text such as 115.50'
const lineForms =
  'a DECIMAL or integer column, { column, unit: minor }, or { column, scale: 2 }; a DOUBLE or text has no exact sum'
const sumOf = (description: string, shapes: typeof partShapes, maxItems: number) => ({
  sum: Type.Array(anyOf<PartMapping>(shapes, description), {
    minItems: 1,
    maxItems,
    description: `a list of up to ${maxItems}: ${description}`,
  }),
  nullIsZero: Type.Optional(Type.Boolean({ description: 'true or false' })),
})

const Sum = Type.Object(sumOf(partForms, partShapes, 16), closed)
/** The sum of rows of another table, which belong to the id of the record unless `on` says otherwise. */
const Lines = Type.Object(
  {
    from: TableName,
    key: KeyName,
    on: Type.Optional(ColumnName),
    where: LookupTests,
    ...sumOf(lineForms, partShapes.slice(0, 3), 8),
  },
  closed,
)
type LinesMapping = Static<typeof Lines>
const TotalOption = anyOf<PartMapping | Static<typeof Sum> | LinesMapping>(
  [...partShapes, Lines, Sum],
  `${partForms}, or { sum: [part…], nullIsZero: true }, or { from: TABLE, key: COLUMN, sum: [part…] } for the sum of rows of another table`,
)

/** A column that a total is made of. */
export interface MoneyColumn extends ProjectedColumn {
  readonly form: MoneyForm
}

/** An amount as an exact decimal string. @param documented with the field that has the currency of the record. */
export function money({ description, example, currency }: Documented & { readonly currency: string }) {
  const schema = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description, examples: [example] })
  return defineField(schema, TotalOption, (option, columns) => {
    const sum = typeof option === 'object' && 'sum' in option ? option : { sum: [option] }
    const { nullIsZero = false } = sum
    const lines = 'from' in sum ? followLines(sum as LinesMapping, columns) : undefined
    const parts = sum.sum.map((part): MoneyColumn => {
      const as = columns.nextCell()
      const [form, kinds] = toForm(part)
      const found = (lines ?? columns).find(part, { kinds, form: lines ? lineForms : partForms })
      if (lines === undefined) return { as, ...found, form }
      if (Number(/^decimal\((\d+)/i.exec(found.column.type)?.[1] ?? 0) > lineDigitsMax)
        lines.reportColumn(found, `a DECIMAL of at most ${lineDigitsMax} digits: sums of others can overflow`)
      return { as, ...found, form, sumNull: nullIsZero ? 'zero' : 'null' }
    })
    return { parts, ...toAmount(parts, nullIsZero, currency) }
  })
}

function followLines({ on, ...lines }: LinesMapping, columns: ColumnResolver): ColumnResolver {
  const id = columns.optionOf('id') as IdentifierMapping
  return columns.followAll({ ...lines, on: on ?? nameOf(id) })
}

/** The server adds 22 digits to those of a DECIMAL for its sum, which has 65 at most. */
const lineDigitsMax = 43

/** How the cells of a part are written, and the columns that can have them. */
function toForm(part: PartMapping): readonly [form: MoneyForm, kinds: readonly ColumnKind[]] {
  const { unit = 'major', scale, float, text } = partsOf(part)
  if (scale !== undefined) return [{ scale }, ['integer']]
  if (float !== undefined) return [{ float }, ['float']]
  return text === undefined ? [unit, ['decimal', 'integer']] : ['text', ['text']]
}

function toAmount(parts: readonly MoneyColumn[], nullIsZero: boolean, currency: string): ResolvedField {
  const [one] = parts.length === 1 && !nullIsZero ? parts : []
  return {
    projection: parts,
    read: (row, readField) => {
      const code = String(readField(currency, row))
      return one !== undefined
        ? readMoney(row[one.as], code, one.form)
        : readSum(
            parts.map(({ as, form }) => ({ cell: row[as], form })),
            code,
            nullIsZero,
          )
    },
  }
}

const Code = Type.Object(
  { constant: Type.String({ pattern: '^[A-Z]{3}$', description: 'an ISO 4217 code' }) },
  closed,
)
const currencyForm = `${textForm}, or { constant: SAR }`
const CurrencyOption = anyOf<FirstMapping<TextMapping | Constant>>(
  firstShapes([...textShapes, Code], currencyForm, null),
  `${currencyForm}; or ${firstForm}`,
)

/** An ISO 4217 code: a column, the same for every row, or the first of several that has one. */
export function currency({ example }: Pick<Documented, 'example'>) {
  const schema = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: [example] })
  return defineField(schema, CurrencyOption, (option, columns): ResolvedField => {
    const places = listPlaces<TextMapping>(option as FirstMapping<TextMapping>, columns)
    for (const [at, place] of places.entries())
      if (isConstant(place) && findMinorDigits(place.constant) === undefined)
        columns
          .at(isFirst(option) ? `first.${at}.constant` : 'constant')
          .report(place.constant, 'a currency of ISO 4217')
    const text = toFirst(places, (place) => resolveText(place, columns))
    return { ...text, read: (row, readField) => readCurrency(text.read(row, readField)) }
  })
}

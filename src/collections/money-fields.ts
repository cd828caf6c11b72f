import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { Column, ColumnKind } from '../database/column.js'
import { findMinorDigits, readCurrency, readMoney, readSum } from '../values/money.js'
import type { MoneyForm } from '../values/money.js'
import type { AcceptedColumn, ColumnResolver } from './column-resolver.js'
import { defineField, listPlaces, toFirst } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import {
  closed,
  ColumnName,
  ConstantOption,
  firstOf,
  isConstant,
  lookupNames,
  nameOf,
  oneOf,
  ownColumn,
  partsOf,
} from './options.js'
import { isLookedUp, selectColumn } from './found-column.js'
import type { Projected } from './found-column.js'
import { selectSum } from './lookup.js'
import { resolveText, TextOption } from './text-fields.js'
import type { TextMapping } from './text-fields.js'
import type { IdentifierMapping } from './identifier-fields.js'

const decimalsOf = (description: string) => Type.Integer({ minimum: 0, maximum: 18, description })

const forms = {
  unit: oneOf(['major', 'minor']),
  scale: decimalsOf('the decimals of an integer: 0 to 18'),
  float: decimalsOf('the decimals to round to: 0 to 18'),
  text: oneOf(['decimal']),
}
const partForms =
  'a DECIMAL column, { column, unit: minor } for an integer of minor units, { column, scale: 2 } for an integer with so many decimals, { column, float: 2 } for a DOUBLE that is rounded, or { column, text: decimal } for text such as 115.50'
const PartOption = ownColumn(forms, partForms, { maxProperties: 2, description: partForms })

/** A sum of columns of the row; with `from`, of all rows of another table that have the id of the record, or another column. */
const Sum = Type.Object(
  {
    ...lookupNames,
    on: Type.Optional(ColumnName),
    sum: Type.Array(PartOption, {
      minItems: 1,
      maxItems: 16,
      description: `a list of up to 16: ${partForms}`,
    }),
    nullIsZero: Type.Optional(Type.Boolean({ description: 'true or false' })),
  },
  { ...closed, dependencies: { from: ['key'], key: ['from'], on: ['from'], where: ['from'] } },
)
type SumMapping = Static<typeof Sum>
const TotalOption = Type.Union([PartOption, Sum], {
  description: `${partForms}; or { sum: [part…], nullIsZero: true }, or { from: TABLE, key: COLUMN, sum: [part…] } for the sum of rows of another table`,
})

/** A column that a total is made of. */
export interface MoneyColumn extends Projected {
  readonly column: Column
  readonly form: MoneyForm
}

/** An amount as an exact decimal string. @param documented with the field that has the currency of the record. */
export function money({ description, example, currency }: Documented & { readonly currency: string }) {
  const schema = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description, examples: [example] })
  return defineField({ content: 'amount', schema, option: TotalOption }, (option, columns) => {
    const total: SumMapping = typeof option === 'object' && 'sum' in option ? option : { sum: [option] }
    const { nullIsZero = false } = total
    const lines = followLines(total, columns)
    const parts = total.sum.map((part): MoneyColumn => {
      const [form, kinds] = toForm(part)
      const accepted = lines === undefined ? { kinds, form: partForms } : summed(kinds)
      const found = (lines ?? columns).find(part, accepted)
      if (lines !== undefined && Number(/^decimal\((\d+)/i.exec(found.column.type)?.[1] ?? 0) > lineDigitsMax)
        lines.reportColumn(found, `a DECIMAL of at most ${lineDigitsMax} digits: sums of others can overflow`)
      const selected = isLookedUp(found) ? selectSum(found, nullIsZero) : selectColumn(found)
      return { as: columns.nextCell(), ...selected, column: found.column, form }
    })
    return { parts, ...toAmount(parts, nullIsZero, currency) }
  })
}

function followLines({ from, on, sum: _, ...lines }: SumMapping, columns: ColumnResolver) {
  const id = columns.optionOf('id') as IdentifierMapping
  return from === undefined ? undefined : columns.follow({ ...lines, from, on: on ?? nameOf(id) }, false)
}

/** The server sums only what it sums exactly. */
function summed(kinds: readonly ColumnKind[]): AcceptedColumn {
  const form =
    'a DECIMAL or integer column, { column, unit: minor }, or { column, scale: 2 }; a DOUBLE or text has no exact sum'
  return { kinds: kinds.filter((kind) => kind === 'decimal' || kind === 'integer'), form }
}

/** The server adds 22 digits to those of a DECIMAL for its sum, which has 65 at most. */
const lineDigitsMax = 43

/** How the cells of a part are written, and the columns that can have them. */
function toForm(part: Static<typeof PartOption>): readonly [form: MoneyForm, kinds: readonly ColumnKind[]] {
  const { unit = 'major', scale, float, text } = partsOf(part)
  if (scale !== undefined) return [{ kind: 'scale', decimals: scale }, ['integer']]
  if (float !== undefined) return [{ kind: 'float', decimals: float }, ['float']]
  return text === undefined ? [{ kind: unit }, ['decimal', 'integer']] : [{ kind: 'text' }, ['text']]
}

function toAmount(parts: readonly MoneyColumn[], nullIsZero: boolean, currency: string): ResolvedField {
  const [single] = parts.length === 1 && !nullIsZero ? parts : []
  return {
    projection: parts,
    needs: currency,
    read: (row, readField) => {
      const code = String(readField(currency, row))
      if (single !== undefined) return readMoney(row[single.as], code, single.form)
      const cells = parts.map(({ as, form }) => ({ cell: row[as], form }))
      return readSum(cells, code, nullIsZero)
    },
  }
}

const CurrencyOption = firstOf(
  Type.Union([TextOption, ConstantOption], { description: `${TextOption.description}; { constant: SAR }` }),
)

/** An ISO 4217 code: a column, the same for every row, or the first of several that has one. */
export function currency({ example }: Pick<Documented, 'example'>) {
  const schema = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: [example] })
  const declared = { content: 'word', schema, option: CurrencyOption } as const
  return defineField(declared, (option, columns): ResolvedField => {
    const places = listPlaces(option, columns)
    for (const place of places)
      if (isConstant(place) && findMinorDigits(place.constant) === undefined)
        columns.report(`the constant ${place.constant}`, 'a currency of ISO 4217')
    const text = toFirst(places, (place) => resolveText(place as TextMapping, columns))
    return { ...text, read: (row, readField) => readCurrency(text.read(row, readField)) }
  })
}

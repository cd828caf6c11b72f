import { Type } from '@sinclair/typebox'
import { findMinorDigits, readCurrency } from '../values/money.js'
import { defineField } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { firstForm, firstShapes, isFirst, resolveFirst } from './first-place.js'
import type { FirstMapping } from './first-place.js'
import { isConstant } from './column-options.js'
import { anyOf, closed } from './options.js'
import type { Constant } from './column-options.js'
import { resolveText, textForm, textShapes } from './text-fields.js'
import type { TextMapping } from './text-fields.js'

const code = Type.String({ pattern: '^[A-Z]{3}$', description: 'an ISO 4217 code' })
const shapes = [...textShapes, Type.Object({ constant: code }, closed)]
const form = `${textForm}, or { constant: SAR }`
const CurrencyOption = anyOf<FirstMapping<TextMapping | Constant>>(
  firstShapes(shapes, form, {}),
  `${form}; or ${firstForm}`,
)

/** An ISO 4217 code: a column, the same for every row, or the first of several that has one. */
export function currency({ example }: Pick<Documented, 'example'>) {
  const schema = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: [example] })
  return defineField(schema, CurrencyOption, (option, columns): ResolvedField => {
    for (const [at, place] of (isFirst(option) ? option.first : [option]).entries())
      if (isConstant(place) && findMinorDigits(place.constant) === undefined)
        columns
          .at(isFirst(option) ? `first.${at}.constant` : 'constant')
          .report(place.constant, 'a currency of ISO 4217')
    const text = resolveFirst(option as FirstMapping<TextMapping>, columns, resolveText)
    const transform = isConstant(option)
      ? `always ${option.constant}`
      : text.transform.replace('as it stands', 'an ISO 4217 code as it stands')
    return { ...text, read: (row, readField) => readCurrency(text.read(row, readField)), transform }
  })
}

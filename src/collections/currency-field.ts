import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { findMinorDigits, readCurrency } from '../values/money.js'
import type { Field, FieldIssue, ResolvedField } from './field.js'
import type { Documented } from './field-kinds.js'
import { closed, isConstant, isFirst, listParts } from './options.js'
import {
  findFirstIssue,
  firstForm,
  firstOf,
  resolveFirst,
  resolveText,
  textForm,
  textShapes,
  toConstant,
} from './text-source.js'

const ConstantCurrency = Type.Object(
  { constant: Type.String({ pattern: '^[A-Z]{3}$', description: 'an ISO 4217 code' }) },
  closed,
)
const currencyShapes = [...textShapes, ConstantCurrency] as const
const currencyForm = `${textForm}, or { constant: SAR }`
const CurrencyOption = Type.Union(
  [...currencyShapes, Type.Object({ first: firstOf(currencyShapes, currencyForm) }, closed)],
  { description: `${currencyForm}; or ${firstForm}` },
)
type CurrencyMapping = Static<typeof CurrencyOption>

/** An ISO 4217 code: a column, the same for every row, or the first of several that has one. */
export function currency({ example }: Pick<Documented, 'example'>) {
  return {
    schema: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: [example] }),
    option: CurrencyOption,
    findIssue: findCurrencyIssue,
    resolve: (option, name, resolver): ResolvedCurrency => {
      if (isConstant(option))
        return {
          ...toCurrency(toConstant(option.constant)),
          transform: `always ${option.constant}`,
          constant: option.constant,
        }
      return toCurrency(resolveFirst(option, name, resolveText(resolver, `fields.${name}`)))
    },
  } satisfies Field<typeof CurrencyOption>
}

type ResolvedCurrency = ResolvedField & {
  /** The one currency of every record. */
  readonly constant?: string
}

function findCurrencyIssue(option: CurrencyMapping): FieldIssue | undefined {
  const wrong = listParts(option).findIndex(
    (part) => isConstant(part) && findMinorDigits(part.constant) === undefined,
  )
  const part = listParts(option)[wrong]
  if (!isConstant(part)) return findFirstIssue(option)
  const path = `${isFirst(option) ? `.first.${wrong}` : ''}.constant`
  return { path, found: part.constant, allowed: 'a currency of ISO 4217' }
}

/** Text as a currency. */
function toCurrency(text: ResolvedField): ResolvedField {
  return {
    ...text,
    read: (row, readField) => readCurrency(text.read(row, readField)),
    transform: text.transform.replace('as it stands', 'an ISO 4217 code as it stands'),
  }
}

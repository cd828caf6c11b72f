import { Type } from '@sinclair/typebox'
import type { Row } from '../database/statement.js'
import { findMinorDigits, readCurrency } from '../values/currency.js'
import { readMoney } from '../values/money.js'
import type { Field, ResolvedField } from './field.js'
import type { Documented, ReadText } from './field-kinds.js'
import { ColumnName, closed, nameOf } from './options.js'

const TotalOption = Type.Union(
  [
    ColumnName,
    Type.Object(
      {
        column: ColumnName,
        unit: Type.Union([Type.Literal('major'), Type.Literal('minor')], { description: 'major or minor' }),
      },
      closed,
    ),
  ],
  { description: 'a DECIMAL column, or { column, unit: minor } for an integer of minor units' },
)

/** An amount as an exact decimal string; its reader takes the currency of the row. */
export function money({ description, example }: Documented) {
  return {
    schema: Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description, examples: [example] }),
    option: TotalOption,
    listColumns: (option) => [nameOf(option)],
    resolve: (option, name, resolver) => {
      const column = resolver.find(nameOf(option), ['decimal', 'integer'], `fields.${name}`)
      const unit = typeof option === 'string' ? 'major' : option.unit
      return {
        column,
        unit,
        projection: [{ as: name, column }],
        read: (row: Row, currency: string) => readMoney(row[name], currency, unit),
        transform:
          unit === 'minor'
            ? "minor units as exact decimal text, with the currency's digits"
            : "exact decimal text, at least the currency's digits, never rounded",
      }
    },
  } satisfies Field<typeof TotalOption>
}

const CurrencyOption = Type.Union(
  [
    ColumnName,
    Type.Object(
      { constant: Type.String({ pattern: '^[A-Z]{3}$', description: 'an ISO 4217 code' }) },
      closed,
    ),
  ],
  { description: 'a column name, or { constant: SAR }' },
)

/** An ISO 4217 code: a column, or the same for every row. */
export function currency({ example }: Pick<Documented, 'example'>) {
  return {
    schema: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: [example] }),
    option: CurrencyOption,
    listColumns: (option) => (typeof option === 'string' ? [option] : []),
    findIssue: (option) =>
      typeof option === 'string' || findMinorDigits(option.constant) !== undefined
        ? undefined
        : { path: '.constant', found: option.constant, allowed: 'a currency of ISO 4217' },
    resolve: (option, name, resolver): ResolvedField<ReadText> & { readonly constant?: string } => {
      if (typeof option !== 'string') {
        const { constant } = option
        return { constant, projection: [], read: () => constant, transform: `always ${constant}` }
      }
      return {
        projection: [{ as: name, column: resolver.find(option, ['text'], `fields.${name}`) }],
        read: (row) => readCurrency(row[name]),
        transform: 'an ISO 4217 code as it stands',
      }
    },
  } satisfies Field<typeof CurrencyOption>
}

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { Column, ColumnKind } from '../database/column.js'
import { readMoney, readSum } from '../values/money.js'
import type { MoneyForm } from '../values/money.js'
import type { Field, ResolvedField } from './field.js'
import type { Documented } from './field-kinds.js'
import { ColumnName, closed, nameOf } from './options.js'

const decimalsOf = (description: string) => Type.Integer({ minimum: 0, maximum: 18, description })

const partShapes = [
  ColumnName,
  Type.Object(
    {
      column: ColumnName,
      unit: Type.Union([Type.Literal('major'), Type.Literal('minor')], { description: 'major or minor' }),
    },
    closed,
  ),
  Type.Object({ column: ColumnName, scale: decimalsOf('the decimals of an integer: 0 to 18') }, closed),
  Type.Object({ column: ColumnName, float: decimalsOf('the decimals to round to: 0 to 18') }, closed),
  Type.Object({ column: ColumnName, text: Type.Literal('decimal', { description: 'decimal' }) }, closed),
] as const
const partForms =
  'a DECIMAL column, { column, unit: minor } for an integer of minor units, { column, scale: 2 } for an integer with so many decimals, { column, float: 2 } for a DOUBLE that is rounded, or { column, text: decimal } for text such as 115.50'
const PartOption = Type.Union([...partShapes], { description: partForms })

const TotalOption = Type.Union(
  [
    ...partShapes,
    Type.Object(
      {
        sum: Type.Array(PartOption, { minItems: 1, maxItems: 16 }),
        nullIsZero: Type.Optional(Type.Boolean({ description: 'true or false' })),
      },
      closed,
    ),
  ],
  { description: `${partForms}, or { sum: [part…], nullIsZero: true }` },
)

type PartMapping = Static<typeof PartOption>
type TotalMapping = Static<typeof TotalOption>

/** A column that a total is made of. */
export interface MoneyColumn {
  readonly as: string
  readonly column: Column
  readonly form: MoneyForm
}

/** An amount as an exact decimal string. @param documented with the field that has the currency of the record. */
export function money({ description, example, currency }: Documented & { readonly currency: string }) {
  return {
    schema: Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description, examples: [example] }),
    option: TotalOption,
    resolve: (option, name, resolver) => {
      // The parts are selected as total, total2, total3.
      const parts = listParts(option).map((part, at): MoneyColumn => {
        const form = toForm(part)
        const column = resolver.find(nameOf(part), toKinds(form), `fields.${name}`)
        return { as: at === 0 ? name : `${name}${at + 1}`, column, form }
      })
      const nullIsZero = typeof option === 'object' && 'sum' in option && option.nullIsZero === true
      return { parts, ...toAmount(parts, nullIsZero, currency) }
    },
  } satisfies Field<typeof TotalOption>
}

function listParts(option: TotalMapping): readonly PartMapping[] {
  return typeof option === 'object' && 'sum' in option ? option.sum : [option]
}

function toForm(part: PartMapping): MoneyForm {
  if (typeof part === 'string') return 'major'
  if ('unit' in part) return part.unit
  if ('text' in part) return 'text'
  return 'scale' in part ? { scale: part.scale } : { float: part.float }
}

function toKinds(form: MoneyForm): readonly ColumnKind[] {
  if (form === 'text') return ['text']
  if (typeof form === 'string') return ['decimal', 'integer']
  return 'scale' in form ? ['integer'] : ['float']
}

function toAmount(parts: readonly MoneyColumn[], nullIsZero: boolean, currency: string): ResolvedField {
  const [first] = parts
  const isOne = parts.length === 1 && first !== undefined && !nullIsZero
  const sum = `the exact sum of ${parts.map(({ column, form }) => `${column.name} (${describeForm(form)})`).join(', ')}${nullIsZero ? '; NULL is 0' : ''}`
  return {
    projection: parts,
    bind: ({ at, read }) => {
      const readCode = read(currency)
      const cellsOf = parts.map(({ as, form }) => ({ at: at(as), form }))
      return {
        write: (cells, out) => {
          const code = String(readCode(cells))
          const stored = cellsOf.map((part) => ({ cell: cells.value(part.at), form: part.form }))
          const [only] = stored
          const text =
            isOne && only !== undefined
              ? readMoney(only.cell, code, only.form)
              : readSum(stored, code, nullIsZero)
          out.ascii(`"${text}"`)
        },
      }
    },
    transform: isOne ? describeForm(first.form) : sum,
  }
}

function describeForm(form: MoneyForm): string {
  if (form === 'minor') return "minor units as exact decimal text, with the currency's digits"
  if (form === 'text') return 'decimal text as an exact number; other text is invalid'
  if (form === 'major') return "exact decimal text, at least the currency's digits, never rounded"
  return 'scale' in form
    ? `an integer with ${form.scale} decimals as exact decimal text`
    : `rounded half up to ${form.float} decimals`
}

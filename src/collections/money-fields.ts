import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { ColumnKind } from '../database/column.js'
import { readMoney, readSum } from '../values/money.js'
import type { MoneyForm } from '../values/money.js'
import type { AcceptedColumn, ColumnResolver, Field, ResolvedField } from './field.js'
import type { Documented } from './field-kinds.js'
import { ColumnName, TableName, closed, columnName, nameOf } from './options.js'
import { createCellNames } from './resolved-table.js'
import type { ProjectedColumn } from './resolved-table.js'
import { OwnTestOption } from './section-options.js'

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
const lineForms =
  'a DECIMAL or integer column, { column, unit: minor }, or { column, scale: 2 }; a DOUBLE or text has no exact sum'
const lineTests = 'a list of tests of columns of the other table; all of them must hold'
const PartOption = Type.Union([...partShapes], { description: partForms })

const lineShapes = [partShapes[0], partShapes[1], partShapes[2]] as const
const Lines = Type.Object(
  {
    from: TableName,
    key: columnName(
      'linesKey',
      'the column of the table in `from` that has the value of `on`, without a dot',
    ),
    on: Type.Optional(ColumnName),
    where: Type.Optional(Type.Array(OwnTestOption, { minItems: 1, maxItems: 8, description: lineTests })),
    sum: Type.Array(Type.Union([...lineShapes], { description: lineForms }), {
      minItems: 1,
      maxItems: 8,
      description: `a list of up to 8: ${lineForms}`,
    }),
    nullIsZero: Type.Optional(Type.Boolean({ description: 'true or false' })),
  },
  closed,
)
const linesForm = '{ from: TABLE, key: COLUMN, sum: [part…] } for the sum of rows of another table'

const TotalOption = Type.Union(
  [
    ...partShapes,
    Lines,
    Type.Object(
      {
        sum: Type.Array(PartOption, {
          minItems: 1,
          maxItems: 16,
          description: `a list of up to 16: ${partForms}`,
        }),
        nullIsZero: Type.Optional(Type.Boolean({ description: 'true or false' })),
      },
      closed,
    ),
  ],
  { description: `${partForms}, or { sum: [part…], nullIsZero: true }, or ${linesForm}` },
)

type PartMapping = Static<typeof PartOption>
type TotalMapping = Static<typeof TotalOption>

/** A column that a total is made of. */
export interface MoneyColumn extends ProjectedColumn {
  readonly form: MoneyForm
}

/** An amount as an exact decimal string. @param documented with the field that has the currency of the record. */
export function money({ description, example, currency }: Documented & { readonly currency: string }) {
  return {
    schema: Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description, examples: [example] }),
    option: TotalOption,
    resolve: (option, name, resolver) => {
      const path = `fields.${name}`
      const nullIsZero = typeof option === 'object' && 'sum' in option && option.nullIsZero === true
      const { find, ...lines } = followLines(option, path, resolver)
      const nextName = createCellNames(name)
      const parts = listParts(option).map((part): MoneyColumn => {
        const form = toForm(part)
        const column = find(nameOf(part), toAccepted(form), path)
        const as = nextName()
        const sumNull = nullIsZero ? 'zero' : 'null'
        return lines.lookup === undefined ? { as, column, form } : { as, column, form, ...lines, sumNull }
      })
      return { parts, ...toAmount(parts, nullIsZero, currency) }
    },
  } satisfies Field<typeof TotalOption>
}

/** Where the columns of the parts are: in the table itself, or in all rows that a lookup finds. */
function followLines(
  option: TotalMapping,
  path: string,
  resolver: ColumnResolver,
): Pick<ColumnResolver, 'find' | 'lookup'> {
  if (typeof option === 'string' || !('from' in option)) return { find: resolver.find, lookup: undefined }
  const { from, key, on = '', where } = option
  const lookup = resolver.findLines({ from, key, on, ...(where === undefined ? {} : { where }) }, path)
  return { find: findLine(resolver.of(from)), lookup }
}

/** Finds a column of lines, of which the server makes an exact sum. */
function findLine(lines: ColumnResolver): ColumnResolver['find'] {
  return (name, { kinds }, path) => {
    const column = lines.find(name, { kinds, form: lineForms }, path)
    const digits = Number(/^decimal\((\d+)/i.exec(column.type)?.[1] ?? 0)
    if (digits > lineDigitsMax)
      lines.reportColumn(
        column,
        `a DECIMAL of at most ${lineDigitsMax} digits: sums of others can overflow`,
        path,
      )
    return column
  }
}

/** The server adds 22 digits to those of a DECIMAL for its sum, which has 65 at most. */
const lineDigitsMax = 43

function listParts(option: TotalMapping): readonly PartMapping[] {
  return typeof option === 'object' && 'sum' in option ? option.sum : [option]
}

function toForm(part: PartMapping): MoneyForm {
  if (typeof part === 'string') return 'major'
  if ('unit' in part) return part.unit
  if ('text' in part) return 'text'
  return 'scale' in part ? { scale: part.scale } : { float: part.float }
}

function toAccepted(form: MoneyForm): AcceptedColumn {
  return { kinds: toKinds(form), form: partForms }
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
    read: (row, readField) => {
      const code = String(readField(currency))
      return isOne
        ? readMoney(row[first.as], code, first.form)
        : readSum(
            parts.map(({ as, form }) => ({ cell: row[as], form })),
            code,
            nullIsZero,
          )
    },
    transform: `${first?.lookup === undefined ? '' : 'over all its rows, NULL without one: '}${isOne ? describeForm(first.form) : sum}`,
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

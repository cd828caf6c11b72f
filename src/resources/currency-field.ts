import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { Cells } from '../database/cells.js'
import { findMinorDigits, readCurrency } from '../values/currency.js'
import type { ColumnResolver, Field, FieldIssue, ResolvedField } from './field.js'
import type { Documented } from './field-kinds.js'
import { TextOption } from './lookup-option.js'
import { closed, nameOf } from './options.js'

const ConstantCurrency = Type.Object(
  { constant: Type.String({ pattern: '^[A-Z]{3}$', description: 'an ISO 4217 code' }) },
  closed,
)
const oneCurrency = `${TextOption.description ?? ''}, or { constant: SAR }`
const CurrencyPart = Type.Union([...TextOption.anyOf, ConstantCurrency], { description: oneCurrency })
const CurrencyOption = Type.Union(
  [
    ...CurrencyPart.anyOf,
    Type.Object(
      {
        first: Type.Array(CurrencyPart, {
          minItems: 2,
          maxItems: 8,
          description: 'a list of columns and lookups, with { constant: SAR } as the last one or none',
        }),
      },
      closed,
    ),
  ],
  {
    description: `${oneCurrency}; or { first: [column, …, { constant: SAR }] } for the first that is not empty`,
  },
)
type CurrencyMapping = Static<typeof CurrencyOption>
type CurrencyPartMapping = Static<typeof CurrencyPart>

/** An ISO 4217 code: a column, the same for every row, or the first of several that has one. */
export function currency({ example }: Pick<Documented, 'example'>) {
  return {
    schema: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: [example] }),
    option: CurrencyOption,
    listParts: listCurrencies,
    findIssue: findCurrencyIssue,
    resolve: (option, name, resolver): ResolvedCurrency =>
      isConstant(option)
        ? { ...resolveFirst([option], name, resolver), constant: option.constant }
        : resolveFirst(listCurrencies(option), name, resolver),
  } satisfies Field<typeof CurrencyOption>
}

type ResolvedCurrency = ResolvedField & {
  /** The one currency of every record. */
  readonly constant?: string
}

function listCurrencies(option: CurrencyMapping): readonly CurrencyPartMapping[] {
  return isFirst(option) ? option.first : [option]
}

function findCurrencyIssue(option: CurrencyMapping): FieldIssue | undefined {
  const parts = listCurrencies(option)
  const issues = parts.flatMap((part, at): readonly FieldIssue[] => {
    if (!isConstant(part)) return []
    const path = `${isFirst(option) ? `.first.${at}` : ''}.constant`
    if (findMinorDigits(part.constant) === undefined)
      return [{ path, found: part.constant, allowed: 'a currency of ISO 4217' }]
    return at === parts.length - 1
      ? []
      : [{ path, found: `${part.constant}, and others behind it`, allowed: 'a constant as the last one' }]
  })
  return issues[0]
}

/** Reads the first of the parts that is not NULL or empty. */
function resolveFirst(
  parts: readonly CurrencyPartMapping[],
  name: string,
  resolver: ColumnResolver,
): ResolvedField {
  const path = `fields.${name}`
  const last = parts.find(isConstant)?.constant ?? null
  // The columns are selected as currency, currency2, currency3.
  const projection = parts.filter(isColumn).map((part, at) => {
    const { find, lookup } = resolver.follow(part, path)
    return { as: at === 0 ? name : `${name}${at + 1}`, column: find(nameOf(part), ['text'], path), lookup }
  })
  const names = projection.map(({ as }) => as)
  const words = [
    ...(projection.length === 0 ? [] : ['an ISO 4217 code as it stands']),
    ...(last === null ? [] : [`${projection.length === 0 ? 'always ' : ''}${last}`]),
  ]
  return {
    projection,
    bind: ({ at }) => {
      const positions = names.map(at)
      const read = (cells: Cells): string =>
        readCurrency(positions.map((one) => cells.value(one)).find(isPresent) ?? last)
      return {
        read,
        write: (cells, out) => {
          out.ascii(`"${read(cells)}"`)
        },
      }
    },
    transform: `${parts.length > 1 ? 'the first that is not empty: ' : ''}${words.join(', else ')}`,
  }
}

function isColumn<Part extends CurrencyPartMapping>(part: Part): part is Exclude<Part, { constant: string }> {
  return !isConstant(part)
}

function isPresent(cell: unknown): boolean {
  return cell !== null && cell !== ''
}

function isConstant(option: CurrencyMapping): option is { constant: string } {
  return typeof option === 'object' && 'constant' in option
}

function isFirst(option: CurrencyMapping): option is { first: CurrencyPartMapping[] } {
  return typeof option === 'object' && 'first' in option
}

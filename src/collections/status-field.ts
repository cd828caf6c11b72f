import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { isErrorValue } from '../database/column.js'
import type { Column } from '../database/column.js'
import { RowFault } from '../errors.js'
import { readBoolean, requireText, textLengthMax } from '../values/cells.js'
import { readIdentifier, toStoredIdentifier } from '../values/identifiers.js'
import type { AcceptedColumn } from './accepted-columns.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField, toCellField } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { foundColumn, partsOf, zeros, zerosForm } from './column-options.js'
import { closed, ColumnName, RowTestOption, StatusCaseOption, StatusWord } from './options.js'
import type { RowTestMapping } from './options.js'
import type { StatusCases, StatusColumn } from './resolved-table.js'
import { hasTime } from './time-fields.js'

/* What cases or codes make: the status of a record, and a flag. */

const StatusValues = Type.Union(
  [
    Type.Record(Type.String(), StatusWord, { minProperties: 1, description: 'stored value: public status' }),
    Type.Array(StatusWord, { minItems: 1, description: 'stored words that are public ones' }),
  ],
  { description: '{ stored: PUBLIC }, or [WORD…] where the stored words are the public ones' },
)
const Cases = Type.Object(
  { when: Type.Array(StatusCaseOption, { minItems: 1, maxItems: 20 }), otherwise: Type.Optional(StatusWord) },
  closed,
)
const WordsOption = foundColumn(
  { values: StatusValues, otherwise: StatusWord, zeros },
  `a column name, or { column, values: { stored: PUBLIC }, otherwise: PUBLIC }, or ${zerosForm}`,
  { otherwise: ['values'] },
)
/** A status, with the public word for each stored value where they differ, or derived from several columns. */
const StatusOption = Type.Union([WordsOption, Cases], {
  description: `${WordsOption.description}; { when: [{ column, equals, then: PUBLIC }…], otherwise: PUBLIC }`,
})
/** A status as the mapping names it. */
export type StatusMapping = Static<typeof StatusOption>

/** The product's word for a record's state; with a list in the mapping, the public word of each stored value. */
export function status({ example }: Pick<Documented, 'example'>) {
  const schema = Type.String({
    description: 'The state of the record, in the words of the product; new ones may come.',
    maxLength: textLengthMax,
    examples: [example],
  })
  return defineField({ content: 'word', schema, option: StatusOption }, (option, columns) =>
    isCases(option) ? resolveCases(option, columns) : resolveColumn(option, columns),
  )
}

type ResolvedStatus = ResolvedField & { readonly found: StatusColumn | StatusCases }

function isCases(option: StatusMapping): option is Static<typeof Cases> {
  return typeof option === 'object' && 'when' in option
}

function resolveCases({ when, otherwise }: Static<typeof Cases>, columns: ColumnResolver): ResolvedStatus {
  const cases = when.map(({ then, ...test }) => ({ test: columns.findTest(test), then }))
  return {
    ...toCellField({ kind: 'cases', cases, otherwise }, columns, requireText),
    missing: 'is in no case of the mapping',
  }
}

function resolveColumn(option: Static<typeof WordsOption>, columns: ColumnResolver): ResolvedStatus {
  const code = columns.findCode(option)
  const { values: mapped, otherwise } = partsOf(option)
  const values = toValues(mapped, code.column)
  for (const stored of values?.keys() ?? [])
    if (toStoredIdentifier(stored, code.identifier) === undefined)
      columns.at('values').reportValue(stored, code)
  const found = { ...code, values, otherwise }
  const read = (cell: unknown): string => {
    const stored = readIdentifier(cell, code.identifier)
    const shown = toPublicStatus(stored, found)
    if (shown === undefined) throw new RowFault('is not in the mapping', stored)
    return shown
  }
  return { ...toCellField(code, columns, read), found }
}

/** The public words that the mapping lists, each once; undefined where it lists none. */
export function listStatuses(option: StatusMapping): readonly string[] | undefined {
  const listed = isCases(option)
    ? option.when.map(({ then }) => then)
    : toValues(partsOf(option).values)?.values()
  const { otherwise } = isCases(option) ? option : partsOf(option)
  if (listed === undefined) return undefined
  return [...new Set([...listed, ...(otherwise === undefined ? [] : [otherwise])])]
}

function toValues(values: Static<typeof StatusValues> | undefined, column?: Column) {
  if (values === undefined) return undefined
  if (Array.isArray(values)) return new Map((values as readonly string[]).map((word) => [word, word]))
  // The file may name a number without the zeros that the column shows.
  const digits = column?.showsZeros === true ? Number(/\((\d+)\)/.exec(column.type)?.[1] ?? 0) : 0
  const listed = Object.entries(values as Readonly<Record<string, string>>)
  return new Map(listed.map(([stored, shown]) => [stored.padStart(digits, '0'), shown]))
}

/*
 * Both directions of a status, side by side: from what is stored to the public word of a record, and from a public word to
 * what a filter compares; and what is listed in neither. An option of the mapping that changes one changes all of them.
 */

type Words = Pick<StatusColumn, 'column' | 'values' | 'otherwise'>

/** The public word of a stored value; undefined where the mapping does not list it. */
export function toPublicStatus(stored: string, { column, values, otherwise }: Words): string | undefined {
  if (values === undefined) return isErrorValue(column, stored) ? undefined : stored
  return values.get(stored) ?? otherwise
}

/** The stored values that are shown as a word, or all those that are not, where every other value is shown so. */
export function listStoredStatuses({ values, otherwise }: Words, word: string) {
  if (values === undefined) return { stored: [word], isOther: false }
  const isOther = word === otherwise
  const stored = [...values].flatMap(([one, shown]) => ((shown === word) === isOther ? [] : [one]))
  return { stored, isOther }
}

/** Whether a row can have a stored value without a public word; such a value is reported. */
export function hasUnknownStatuses(status: StatusColumn | StatusCases): status is StatusColumn {
  if (status.kind === 'cases' || status.otherwise !== undefined) return false
  return status.values !== undefined || isErrorValue(status.column, '')
}

const booleans: AcceptedColumn = { kinds: ['integer', 'bit'], form: 'an integer type or BIT' }

/** A boolean: a column that is not 0, whether the time of another field is set, a test, or false where there is none. */
export function flag({ description, example, from }: Documented<boolean> & { readonly from: string }) {
  const option = Type.Union(
    [
      ColumnName,
      Type.Object({ from: Type.Literal(from, { description: from }) }, closed),
      Type.Object({ constant: Type.Literal(false, { description: 'false' }) }, closed),
      RowTestOption,
    ],
    {
      description: `a boolean column, { from: ${from} }, { constant: false } where the product has none, or a test: ${RowTestOption.description}`,
    },
  )
  const schema = Type.Boolean({ description, examples: [example] })
  return defineField({ content: 'word', schema, option }, (mapped, columns) =>
    resolveFlag(mapped, from, columns),
  )
}

function resolveFlag(
  mapped: string | { readonly constant: false } | RowTestMapping,
  from: string,
  columns: ColumnResolver,
): ResolvedField {
  if (typeof mapped === 'string') return toCellField(columns.find(mapped, booleans), columns, readBoolean)
  if ('constant' in mapped) return { projection: [], read: () => false }
  if (mapped.from !== undefined && mapped.on === undefined) {
    if (columns.optionOf(from) === undefined)
      columns.report(`from: ${from}, which is not mapped`, `a boolean column, a test, or { constant: false }`)
    return { projection: [], read: (row) => hasTime(row[from]) }
  }
  const cases = [{ test: columns.findTest(mapped), then: '1' }]
  return toCellField({ kind: 'cases', cases, otherwise: '0' }, columns, (cell) => cell === '1')
}

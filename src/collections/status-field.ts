import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { Column } from '../database/column.js'
import { RowFault } from '../errors.js'
import { readIdentifier, toStoredIdentifier } from '../values/identifier.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { identifierTransforms, readIdentifierOf } from './identifier-fields.js'
import { foundShapes, partsOf } from './column-options.js'
import { anyOf, closed, lookupForm, StatusCaseOption, StatusWord } from './options.js'
import type { ColumnOption } from './column-options.js'
import type { StatusCases, StatusColumn } from './resolved-table.js'
import { describeTest } from './row-test.js'
import { readTextOf } from './text-fields.js'

type StoredValues = Readonly<Record<string, string>> | readonly string[]
const StatusValues = anyOf<StoredValues>(
  [
    Type.Record(Type.String(), StatusWord, { minProperties: 1, description: 'stored value: public status' }),
    Type.Array(StatusWord, {
      minItems: 1,
      uniqueItems: true,
      description: 'stored words that are public ones',
    }),
  ],
  '{ stored: PUBLIC }, or [WORD…] where the stored words are the public ones',
)
const Cases = Type.Object(
  { when: Type.Array(StatusCaseOption, { minItems: 1, maxItems: 20 }), otherwise: StatusWord },
  closed,
)
type WordsMapping = ColumnOption<{ readonly values?: StoredValues; readonly otherwise?: string }>

/** A status as the mapping names it. */
export type StatusMapping = WordsMapping | Static<typeof Cases>
/** A status, with the public word for each stored value where they differ, or derived from several columns. */
const StatusOption = anyOf<StatusMapping>(
  [...foundShapes({ values: StatusValues, otherwise: Type.Optional(StatusWord) }), Cases],
  `a column name, { column, values: { stored: PUBLIC }, otherwise: PUBLIC }, { when: [{ column, equals, then: PUBLIC }…], otherwise: PUBLIC }, or ${lookupForm}`,
)

/** The product's word for a record's state; with a list in the mapping, the public word of each stored value. */
export function status({ example }: Pick<Documented, 'example'>) {
  const schema = Type.String({
    description: 'The state of the record, in the words of the product; new ones may come.',
    examples: [example],
  })
  return defineField(schema, StatusOption, (option, columns) =>
    isCases(option) ? resolveCases(option, columns) : resolveColumn(option, columns),
  )
}

type ResolvedStatus = ResolvedField & { readonly found: StatusColumn | StatusCases }

function isCases(option: StatusMapping): option is Static<typeof Cases> {
  return typeof option === 'object' && 'when' in option
}

function resolveCases({ when, otherwise }: Static<typeof Cases>, columns: ColumnResolver): ResolvedStatus {
  const cases = when.map(({ then, ...test }) => ({ test: columns.findTest(test), then }))
  const as = columns.nextCell()
  return {
    found: { cases, otherwise },
    projection: [{ as, cases, otherwise }],
    read: readTextOf(as),
    transform: [
      ...cases.map(({ test, then }) => `${then} if ${describeTest(test)}`),
      `else ${otherwise}`,
    ].join(', '),
  }
}

function resolveColumn(option: WordsMapping, columns: ColumnResolver): ResolvedStatus {
  const code = columns.findCode(option)
  const { values: mapped, otherwise } = partsOf(option)
  const values = toValues(mapped, code.column)
  for (const stored of values?.keys() ?? [])
    if (toStoredIdentifier(stored, code.identifier) === undefined)
      columns.at('values').reportValue(stored, code)
  const found = { ...code, values, otherwise }
  const as = columns.nextCell()
  return {
    found,
    projection: [{ as, column: code.column, lookup: code.lookup }],
    read: readStatusOf(as, found),
    transform: describeValues(found),
  }
}

/** The public words that the mapping lists, each once; undefined where it lists none. */
export function listStatuses(option: StatusMapping): readonly string[] | undefined {
  if (isCases(option)) return [...new Set([...option.when.map(({ then }) => then), option.otherwise])]
  const { values, otherwise } = partsOf(option)
  return listPublicStatuses({ values: toValues(values), otherwise })
}

function toValues(
  values: StoredValues | undefined,
  column?: Column,
): ReadonlyMap<string, string> | undefined {
  if (values === undefined) return undefined
  if (Array.isArray(values)) return new Map((values as readonly string[]).map((word) => [word, word]))
  // The file may name a number without the zeros that the column shows.
  const digits = column?.showsZeros === true ? Number(/\((\d+)\)/.exec(column.type)?.[1] ?? 0) : 0
  return new Map(
    Object.entries(values as Readonly<Record<string, string>>).map(([stored, shown]) => [
      stored.padStart(digits, '0'),
      shown,
    ]),
  )
}

function describeValues({ identifier, values, otherwise }: StatusColumn): string {
  if (values === undefined) return identifierTransforms[identifier]
  const listed = [...values].map(([stored, shown]) => `${stored} as ${shown}`)
  return [...listed, ...(otherwise === undefined ? [] : [`else ${otherwise}`])].join(', ')
}

function readStatusOf(as: string, found: StatusColumn): ResolvedField['read'] {
  if (found.values === undefined) return readIdentifierOf(as, found)
  return (row) => {
    const stored = readIdentifier(row[as], found.identifier)
    const shown = toPublicStatus(stored, found)
    if (shown === undefined) throw new RowFault('is not in the mapping', stored)
    return shown
  }
}

/*
 * Both directions of a status, side by side: from what is stored to the public word of a record, and from a public word to
 * what a filter compares; and what is listed in neither. An option of the mapping that changes one changes all of them.
 */

type Words = Pick<StatusColumn, 'values' | 'otherwise'>

/** The public word of a stored value; undefined where the mapping does not list it. */
export function toPublicStatus(stored: string, { values, otherwise }: Words): string | undefined {
  return values === undefined ? stored : (values.get(stored) ?? otherwise)
}

/** The stored values that are shown as a word, or all those that are not, where every other value is shown so. */
export function listStoredStatuses(
  { values, otherwise }: Words,
  word: string,
): { readonly stored: readonly string[]; readonly isOther: boolean } {
  if (values === undefined) return { stored: [word], isOther: false }
  const isOther = word === otherwise
  return {
    stored: [...values].flatMap(([stored, shown]) => ((shown === word) === isOther ? [] : [stored])),
    isOther,
  }
}

/** Whether a row can have a stored value without a public word; such a value is reported. */
export function hasUnknownStatuses(status: StatusColumn | StatusCases): status is StatusColumn {
  return !('cases' in status) && status.values !== undefined && status.otherwise === undefined
}

/** The public words, each once; undefined where the mapping does not list them. */
export function listPublicStatuses(status: Words | StatusCases): readonly string[] | undefined {
  const words = 'cases' in status ? status.cases.map(({ then }) => then) : status.values?.values()
  if (words === undefined) return undefined
  return [...new Set([...words, ...(status.otherwise === undefined ? [] : [status.otherwise])])]
}

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { Column } from '../database/column.js'
import { RowFault } from '../errors.js'
import { readIdentifier, toStoredIdentifier } from '../values/identifier.js'
import type { Documented } from './field-kinds.js'
import type { ColumnResolver, Field, ResolvedField } from './field.js'
import { lookupForm, lookupOf, StatusCaseOption, StatusWord } from './section-options.js'
import { closed, ColumnName, FoundColumnName, nameOf, OwnColumnName } from './options.js'
import type { StatusCases, StatusColumn } from './resolved-table.js'
import { describeTest } from './row-test.js'
import { readIdentifierOf, readTextOf, identifierTransforms } from './text-source.js'

const StatusValues = Type.Union(
  [
    Type.Record(Type.String(), StatusWord, { minProperties: 1, description: 'stored value: public status' }),
    Type.Array(StatusWord, {
      minItems: 1,
      uniqueItems: true,
      description: 'stored words that are public ones',
    }),
  ],
  { description: '{ stored: PUBLIC }, or [WORD…] where the stored words are the public ones' },
)

/** A status, with the public word for each stored value where they differ, or derived from several columns. */
const StatusOption = Type.Union(
  [
    OwnColumnName,
    Type.Object({ column: ColumnName, values: StatusValues, otherwise: Type.Optional(StatusWord) }, closed),
    Type.Object(
      {
        ...lookupOf,
        column: FoundColumnName,
        values: Type.Optional(StatusValues),
        otherwise: Type.Optional(StatusWord),
      },
      closed,
    ),
    Type.Object(
      { when: Type.Array(StatusCaseOption, { minItems: 1, maxItems: 20 }), otherwise: StatusWord },
      closed,
    ),
  ],
  {
    description: `a column name, { column, values: { stored: PUBLIC }, otherwise: PUBLIC }, { when: [{ column, equals, then: PUBLIC }…], otherwise: PUBLIC }, or ${lookupForm}`,
  },
)

/** A status as the mapping names it. */
export type StatusMapping = Static<typeof StatusOption>

type ColumnMapping = Exclude<StatusMapping, { when: unknown }>
type CasesMapping = Extract<StatusMapping, { when: unknown }>

/** The product's word for a record's state; with a list in the mapping, the public word of each stored value. */
export function status({ example }: Pick<Documented, 'example'>) {
  return {
    schema: Type.String({
      description: 'The state of the record, in the words of the product; new ones may come.',
      examples: [example],
    }),
    option: StatusOption,
    resolve: (option, name, resolver): ResolvedStatus =>
      isCases(option) ? resolveCases(option, name, resolver) : resolveColumn(option, name, resolver),
  } satisfies Field<typeof StatusOption>
}

type ResolvedStatus = ResolvedField & { readonly found: StatusColumn | StatusCases }

function isCases(option: StatusMapping): option is CasesMapping {
  return typeof option === 'object' && 'when' in option
}

function resolveCases(
  { when, otherwise }: CasesMapping,
  name: string,
  resolver: ColumnResolver,
): ResolvedStatus {
  const cases = when.map(({ then, ...test }) => ({ test: resolver.findTest(test, `fields.${name}`), then }))
  return {
    found: { cases, otherwise },
    projection: [{ as: name, cases, otherwise }],
    read: readTextOf(name),
    transform: [
      ...cases.map(({ test, then }) => `${then} if ${describeTest(test)}`),
      `else ${otherwise}`,
    ].join(', '),
  }
}

function resolveColumn(option: ColumnMapping, name: string, resolver: ColumnResolver): ResolvedStatus {
  const path = `fields.${name}`
  const located = resolver.follow(option, path)
  const code = located.findCode(nameOf(option), path)
  const values = typeof option === 'string' ? undefined : toValues(option.values, code.column)
  const otherwise = typeof option === 'string' ? undefined : option.otherwise
  for (const stored of values?.keys() ?? [])
    if (toStoredIdentifier(stored, code.identifier) === undefined)
      located.reportValue(stored, code.column, `${path}.values`)
  const found = { ...code, values, otherwise }
  return {
    found,
    projection: [{ as: name, column: code.column, lookup: code.lookup }],
    read: readStatusOf(name, found),
    transform: describeValues(found),
  }
}

/** The public words that the mapping lists, each once; undefined where it lists none. */
export function listStatuses(option: StatusMapping): readonly string[] | undefined {
  if (typeof option === 'string') return undefined
  if (!isCases(option))
    return listPublicStatuses({ values: toValues(option.values, undefined), otherwise: option.otherwise })
  return [...new Set([...option.when.map(({ then }) => then), option.otherwise])]
}

function toValues(
  values: Readonly<Record<string, string>> | readonly string[] | undefined,
  column: Column | undefined,
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

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { isZeroEpoch } from '../values/epoch.js'
import { joinTexts, readBoolean, readUtf8 } from '../values/text.js'
import type { AcceptedColumn, ColumnResolver, Field, ResolvedField } from './field.js'
import { closed, ColumnName, IdentifierOption, nameOf } from './options.js'
import { describeTest } from './row-test.js'
import { isLookup, lookupOf, rowTestForm, RowTestOption } from './section-options.js'
import type { RowTestMapping } from './section-options.js'
import {
  alwaysNull,
  CharsetOption,
  describeText,
  findFirstIssue,
  notEmpty,
  readTextOf,
  resolveFirst,
  resolveText,
  textColumns,
  textForm,
  textShapes,
  toIdentifierField,
  withFirst,
} from './text-source.js'
import type { ResolvePlace, TextMapping } from './text-source.js'

/** What callers read about a field. */
export interface Documented<Example = string> {
  readonly description: string
  readonly example: Example
}

/** An opaque identifier: text, an integer or a UUID of 16 bytes. */
export function identifier({ description, example }: Documented) {
  return {
    schema: Type.String({
      description: `${description} Opaque: compare it, do not take it apart.`,
      examples: [example],
    }),
    option: IdentifierOption,
    resolve: (option, name, resolver) => {
      const path = `fields.${name}`
      return notEmpty(toIdentifierField(name, resolver.follow(option, path).findIdentifier(option, path)))
    },
  } satisfies Field<typeof IdentifierOption>
}

const TextOption = withFirst(textShapes, textForm)

/** A reference that people read, such as an invoice's number: text or an integer. */
export function reference({ description, example }: Documented) {
  return {
    schema: Type.String({ description, examples: [example] }),
    option: TextOption,
    findIssue: findFirstIssue,
    resolve: (option, name, resolver) => {
      const path = `fields.${name}`
      const asText = resolveText(resolver, path)
      return resolveFirst<TextMapping>(option, name, (place, nextName) =>
        typeof place === 'object' && ('charset' in place || 'json' in place)
          ? asText(place, nextName)
          : toIdentifierField(nextName(), resolver.follow(place, path).findCode(nameOf(place), path)),
      )
    },
  } satisfies Field<typeof TextOption>
}

const LeftOut = Type.Optional(TextOption)

/**
 * Text of any script, as it stands.
 *
 * @param nullable whether none is shown as null; without it, such a row is invalid. The mapping may leave the field out then:
 * a mapping file keeps working with a release that has a new field.
 */
export function text<Nullable extends boolean = false>({
  description,
  example,
  nullable,
}: Documented & { readonly nullable?: Nullable }) {
  const type = nullable === true ? ['string', 'null'] : 'string'
  type Option = Nullable extends true ? typeof LeftOut : typeof TextOption
  return {
    schema: Type.Unsafe<Nullable extends true ? string | null : string>({
      type,
      description,
      examples: [example],
    }),
    option: (nullable === true ? LeftOut : TextOption) as Option,
    findIssue: findFirstIssue,
    resolve: (
      option: Static<typeof LeftOut> | undefined,
      name: string,
      resolver: ColumnResolver,
    ): ResolvedField => {
      if (option === undefined) return alwaysNull
      const resolved = resolveFirst(option, name, resolveText(resolver, `fields.${name}`))
      return nullable === true ? orNull(resolved) : resolved
    },
  } satisfies Field<Option>
}

function orNull(resolved: ResolvedField): ResolvedField {
  return { ...resolved, missing: null, transform: `${resolved.transform}; null where NULL` }
}

const joined = {
  columns: Type.Array(ColumnName, { minItems: 1, maxItems: 8 }),
  separator: Type.Optional(Type.String()),
  charset: Type.Optional(CharsetOption),
}
const nameShapes = [
  ...textShapes,
  Type.Object(joined, closed),
  Type.Object({ ...lookupOf, ...joined }, closed),
] as const
const PersonNameOption = withFirst(
  nameShapes,
  `${textForm}, or { columns: [column…], separator } in the place of column`,
)

/** A person's name, in one column or in several that are joined. */
export function personName({ description, example }: Documented) {
  return {
    schema: Type.String({ description, examples: [example] }),
    option: PersonNameOption,
    findIssue: findFirstIssue,
    resolve: (option, name, resolver) => resolveFirst(option, name, resolveName(resolver, `fields.${name}`)),
  } satisfies Field<typeof PersonNameOption>
}

function resolveName(
  resolver: ColumnResolver,
  path: string,
): ResolvePlace<Static<(typeof nameShapes)[number]>> {
  const asText = resolveText(resolver, path)
  return (place, nextName) => {
    if (typeof place === 'string' || !('columns' in place)) return asText(place, nextName)
    const { find, lookup } = resolver.follow(place, path)
    const { columns, separator = ' ', charset } = place
    const parts = columns.map((column) => ({
      as: nextName(),
      column: find(column, textColumns, path),
      lookup,
      charset,
    }))
    const [first] = parts
    if (parts.length === 1 && first !== undefined)
      return { projection: parts, read: readTextOf(first.as, charset), transform: describeText(charset) }
    return {
      projection: parts,
      read: (row) =>
        joinTexts(
          parts.map(({ as }) => row[as]),
          separator,
          charset && readUtf8,
        ),
      missing: 'is NULL in every part',
      transform: `joined by ${JSON.stringify(separator)}, empty parts left out`,
    }
  }
}

/** Whether a cell holds a time: not NULL, no zero date, and not 0 in a column of integers. */
export function hasTime(cell: unknown): boolean {
  if (cell === null || cell === undefined) return false
  return typeof cell === 'string' && cell.includes('-', 1)
    ? !cell.startsWith('0000-00-00')
    : !isZeroEpoch(cell)
}

/** A boolean: a column that is not 0, whether the time of another field is set, a test, or false where there is none. */
export function flag<Name extends string>({
  description,
  example,
  from,
}: Documented<boolean> & { readonly from: Name }) {
  const option = Type.Union(
    [
      ColumnName,
      Type.Object({ from: Type.Literal(from, { description: from }) }, closed),
      Type.Object({ constant: Type.Literal(false, { description: 'false' }) }, closed),
      ...RowTestOption.anyOf,
    ],
    {
      description: `a boolean column, { from: ${from} }, { constant: false } where the product has none, or a test: ${rowTestForm}`,
    },
  )
  return {
    schema: Type.Boolean({ description, examples: [example] }),
    option,
    findIssue: (mapped, options) =>
      !isFrom(mapped) || options[from] !== undefined
        ? undefined
        : {
            path: '',
            found: `from: ${from}, which is not mapped`,
            allowed: `a boolean column, a mapped ${from}, a test, or { constant: false }`,
          },
    resolve: (mapped, name, resolver) => resolveFlag(mapped, { name, from, resolver }),
  } satisfies Field<typeof option>
}

interface FlagInput {
  /** The name of the field. */
  readonly name: string
  /** The field of the time. */
  readonly from: string
  readonly resolver: ColumnResolver
}

type FlagMapping = string | { from: string } | { constant: false } | RowTestMapping

const booleans: AcceptedColumn = { kinds: ['integer', 'bit'], form: 'an integer type or BIT' }

function resolveFlag(mapped: FlagMapping, { name, from, resolver }: FlagInput): ResolvedField {
  const path = `fields.${name}`
  if (typeof mapped === 'string')
    return {
      projection: [{ as: name, column: resolver.find(mapped, booleans, path) }],
      read: (row) => readBoolean(row[name]),
      transform: 'true unless 0',
    }
  if ('constant' in mapped) return { projection: [], read: () => false, transform: 'always false' }
  if (isFrom(mapped))
    return {
      projection: [],
      read: (row) => hasTime(row[from]),
      transform: `true when ${from} is set`,
    }
  const test = resolver.findTest(mapped, path)
  return {
    projection: [{ as: name, cases: [{ test, then: '1' }], otherwise: '0' }],
    read: (row) => row[name] === '1',
    transform: `true where ${describeTest(test)}`,
  }
}

/** Whether a flag follows from the time of another field. */
function isFrom(option: FlagMapping): option is { from: string } {
  return typeof option === 'object' && 'from' in option && !isLookup(option)
}

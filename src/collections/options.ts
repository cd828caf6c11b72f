import { Type } from '@sinclair/typebox'
import type { ObjectOptions, SchemaOptions, Static, TObject, TProperties, TSchema } from '@sinclair/typebox'

/*
 * The grammar of the mapping file below its sections, as TypeBox types: names, tests, lookups, and the places that a value
 * comes from. The descriptions are what an error message calls allowed; a part with a title stands once in the published schema.
 */

/** A section takes no names but its own. */
export const closed = { additionalProperties: false }

/** One of some words. */
export function oneOf<const Word extends string | boolean>(
  words: readonly Word[],
  options: SchemaOptions = {},
) {
  const description = words.join(', ').replace(/, ([^,]*)$/, ' or $1')
  const literals = words.map((word) => Type.Literal(word))
  return Type.Unsafe<Word>(Type.Union(literals, { description, ...options }))
}

/** The name of a column of the table that the option is about. */
export const ColumnName = Type.String({
  title: 'column',
  pattern: '^[^.]{1,64}$',
  description: 'a column name without a dot; one of another table has its table in `from`',
})
/** The name of a table or view. */
export const TableName = Type.String({
  title: 'table',
  pattern: '^.{1,64}$',
  description: 'the name of a table or view',
})

/** Every scope: the permission to read one collection. */
export const allScopes = ['registration.read', 'invoices.read'] as const
/** The permission to read one collection. */
export type Scope = (typeof allScopes)[number]

/*
 * A test is one condition on one column of a row: `{ column, equals: value }`, or with `notEquals`, `in`, `notIn` or `is`
 * in the place of `equals`. Every part of the mapping file has the same tests. NULL equals no value: a test with
 * `notEquals` or `notIn` holds for NULL.
 */

const TestValue = Type.Union([Type.String(), Type.Integer(), Type.Boolean()], {
  title: 'value',
  description: 'text, an integer or a boolean',
})
const TestValueOrNull = Type.Union([TestValue, Type.Null()], {
  title: 'valueOrNull',
  description: 'text, an integer, a boolean or null',
})
const TestValues = Type.Array(TestValue, {
  title: 'values',
  minItems: 1,
  maxItems: 100,
  description: 'a list of values',
})
/** A value of a test. */
export type TestValue = Static<typeof TestValue>

/** The names of a test beside its column, of which it has exactly one. */
const operators = {
  equals: Type.Optional(TestValueOrNull),
  notEquals: Type.Optional(TestValueOrNull),
  in: Type.Optional(TestValues),
  notIn: Type.Optional(TestValues),
  is: Type.Optional(
    // `is: { equals: value }` is how `archived` was written first, and may be written for ever.
    Type.Union([oneOf(['set', 'unset']), Type.Object({ equals: TestValue }, closed)], {
      title: 'state',
      description: 'set: the column is not NULL; or unset',
    }),
  ),
}
const oneOperator = {
  ...closed,
  oneOf: Object.keys(operators).map((name) => ({ required: [name] })),
  description:
    '{ column, equals: value }, or instead of equals: notEquals: value, in: [value…], notIn: [value…], is: set or is: unset; of another table with { from, on, key }, and without column, is: set where it has a row',
}

/** A test of a column of the same table. */
export const OwnTestOption = Type.Object(
  { column: ColumnName, ...operators },
  { ...oneOperator, title: 'ownTest' },
)

/*
 * A lookup reads columns of the one row of another table whose unique column `key` has the value of the column `on`.
 * Without `key` it is the primary key. `on` can be a column that another lookup reads. With `where` or `last`, the key need not
 * be unique: of several rows that pass these tests, the one with the lowest primary key counts, or with `last` the one with the
 * highest.
 */

/** How a lookup finds its row; beside `on`, that of a sum has `key`. */
export const lookupNames = {
  from: Type.Optional(TableName),
  key: Type.Optional(ColumnName),
  where: Type.Optional(
    Type.Array(OwnTestOption, {
      title: 'tests',
      minItems: 1,
      maxItems: 8,
      description: 'a list of tests of columns of the other table; all of them must hold',
    }),
  ),
}
const last = oneOf([true], {
  title: 'last',
  description: 'true, where of several rows that pass the tests the one with the highest primary key counts',
})
const FirstLookup = {
  ...lookupNames,
  last: Type.Optional(last),
  from: TableName,
  on: Type.String({
    ...ColumnName,
    title: 'lastOn',
    description:
      'a column name: a lookup reads two other tables at most; for more, map a view that adds the key of the second one to the table',
  }),
  column: ColumnName,
}
/** The names of a lookup beside the columns that it reads. */
export const lookupOf = {
  ...lookupNames,
  last: Type.Optional(last),
  on: Type.Optional(
    Type.Union([ColumnName, Type.Object(FirstLookup, closed)], {
      title: 'on',
      description: 'a column name, or { from, on: COLUMN, key, column } for a column of another table',
    }),
  ),
}
/** The names that each of them needs beside it. */
export const lookupNeeds = { from: ['on'], on: ['from'], key: ['from'], where: ['from'], last: ['from'] }
/** A lookup in words. */
export const lookupForm = 'for a column of another table with from: TABLE, on: COLUMN, key: COLUMN'

type LookupNames = Static<TObject<typeof lookupOf>>
/** What finds the row of a lookup. */
export type LookupMapping = LookupNames & Required<Pick<LookupNames, 'from' | 'on'>>

/** Whether an option reads a row of another table. */
export function isLookup(option: unknown): option is LookupMapping {
  return (
    typeof option === 'object' && option !== null && 'from' in option && 'on' in option && !('sum' in option)
  )
}

/** A test of a column of the table of the section, or of a row that a lookup reads; without a column, of whether there is one. */
export function rowTest<More extends TProperties>(more: More, options: ObjectOptions) {
  const needColumn = Object.keys(operators).filter((name) => name !== 'is')
  const dependencies = { ...lookupNeeds, ...Object.fromEntries(needColumn.map((name) => [name, ['column']])) }
  const names = { ...lookupOf, column: Type.Optional(ColumnName), ...operators, ...more }
  return Type.Object(names, { ...oneOperator, dependencies, ...options })
}
/** A test, which may be of the row of a lookup. */
export const RowTestOption = rowTest({}, { title: 'test' })
/** The same as the mapping names it. */
export type RowTestMapping = Static<typeof RowTestOption>

/*
 * Where a value comes from, as the mapping file names it: a column, alone or with what the file says of its cells; the same
 * for all records; or the first of several places that has a value.
 */

/** A column as an option names it, with what it says of the cells. A name alone says nothing more. */
export type ColumnMapping<More = unknown> = { readonly column: string } & Partial<LookupMapping> & More
/** A column by its name, or with more. */
export type ColumnOption<More = unknown> = string | ColumnMapping<More>
type ColumnWith<More extends TProperties> = ColumnOption<Partial<Static<TObject<More>>>>

/**
 * An option for a column of the table of the section.
 *
 * @param more what it can say of the cells; each of it may be left out.
 * @param limits of the object.
 */
export function ownColumn<More extends TProperties>(
  more: More,
  description: string,
  limits: ObjectOptions = {},
  lookup: TProperties = {},
) {
  const optional = Object.fromEntries(Object.entries(more).map(([name, type]) => [name, Type.Optional(type)]))
  const place = Type.Object({ ...lookup, column: ColumnName, ...optional }, { ...closed, ...limits })
  return Type.Unsafe<ColumnWith<More>>(Type.Union([ColumnName, place], { description }))
}

/** The same, or for a column of a row that a lookup reads. */
export function foundColumn<More extends TProperties>(
  more: More,
  description: string,
  needs: Readonly<Record<string, readonly string[]>> = {},
) {
  const title = `lookup-${Object.keys(more).join('-')}`
  const limits = { title, dependencies: { ...lookupNeeds, ...needs } }
  return ownColumn(more, `${description}; ${lookupForm}`, limits, lookupOf)
}

/** The members of an option that may say more than the name of a column. */
export function partsOf<More>(option: string | ColumnMapping<More>): ColumnMapping<Partial<More>> {
  return (typeof option === 'string' ? { column: option } : option) as ColumnMapping<Partial<More>>
}

/** The column of an option. */
export function nameOf(option: ColumnOption): string {
  return partsOf(option).column
}

/** A text that is the same for every record. */
export const constantText = (description: string) => Type.String({ pattern: '^.{1,200}$', description })
/** The same as an option. */
export const ConstantOption = Type.Object(
  { constant: constantText('text in quotes that is not empty') },
  closed,
)
/** The same as the mapping names it. */
export type Constant = Readonly<Static<typeof ConstantOption>>

/** Whether a value is the same for all rows. */
export function isConstant(option: unknown): option is Constant {
  return typeof option === 'object' && option !== null && 'constant' in option
}

/** One place, or the first of several that has a value; a constant is the last of them. */
export type FirstMapping<Place> = Place | { readonly first: readonly (Place | Constant)[] }

/** Whether an option is the first of several places that has a value. */
export function isFirst<Place>(
  option: FirstMapping<Place>,
): option is { readonly first: readonly (Place | Constant)[] } {
  return typeof option === 'object' && option !== null && 'first' in option
}

/** An option for one place, or for the first of several that has a value. @param others that cannot be one of several */
export function firstOf<Place extends TSchema, Other extends TSchema = never>(
  place: Place,
  others: readonly Other[] = [],
) {
  const description = 'a list of 2 to 8 columns; only the last one can be { constant: TEXT }'
  const part = Type.Union([place, ConstantOption], {
    description: `${place.description}; { constant: TEXT }`,
  })
  const places = Type.Array(part, { minItems: 2, maxItems: 8, description })
  const form = `${place.description}; or { first: [COLUMN, …, { constant: TEXT }] } for the first that is not empty`
  return Type.Unsafe<FirstMapping<Static<Place>> | Static<Other>>(
    Type.Union([place, Type.Object({ first: places }, closed), ...others], { description: form }),
  )
}

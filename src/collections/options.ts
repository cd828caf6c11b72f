import { Type } from '@sinclair/typebox'
import type { SchemaOptions, Static, TObject, TProperties, TSchema } from '@sinclair/typebox'

/*
 * The grammar of the mapping file below its sections: names, lookups and tests, as TypeBox types and as what they hold. The
 * descriptions are what an error message calls allowed; a part with a title stands once in the published schema.
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

/** One of several shapes, which hold what the type says. */
export function anyOf<Value>(shapes: readonly TSchema[], description: string) {
  return Type.Unsafe<Value>(Type.Union([...shapes], { description }))
}

const columnName = (title: string, description: string) =>
  Type.String({ title, minLength: 1, maxLength: 64, pattern: '^[^.]*$', description })

/** The name of a column of the section's own table, or of the one that an option names. */
export const ColumnName = columnName('column', 'a column name of this table, without a dot')
/** The same where a column of another table is possible too. */
export const OwnColumnName = columnName(
  'ownColumn',
  'a column name without a dot; a column of another table is { from: TABLE, on: COLUMN, column: COLUMN }',
)
/** The name of the column by which a lookup finds its rows. */
export const KeyName = columnName(
  'key',
  'the column of the table in `from` that has the value of `on`, without a dot; a lookup of one row has its primary key without it',
)
/** The name of a table or view. */
export const TableName = Type.String({
  title: 'table',
  minLength: 1,
  maxLength: 64,
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

const testValues = [Type.String(), Type.Integer(), Type.Boolean()]
const TestValue = Type.Union(testValues, { title: 'value', description: 'text, an integer or a boolean' })
const TestValueOrNull = Type.Union([...testValues, Type.Null()], {
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
const ownTest = { column: ColumnName, ...operators }

/** The tests in words. */
export const rowTestForm =
  '{ column, equals: value }, or in the place of equals: notEquals: value, in: [value…], notIn: [value…], is: set or is: unset; of another table with { from, on, key }, and without column, is: set where it has a row'

const oneOperator = {
  ...closed,
  oneOf: Object.keys(operators).map((name) => ({ required: [name] })),
  description: rowTestForm,
}

/** A test of a column of the same table. */
export const OwnTestOption = Type.Object(ownTest, { ...oneOperator, title: 'test' })

/*
 * A lookup reads columns of the one row of another table whose unique column `key` has the value of the column `on`.
 * Without `key` it is the primary key. `on` can be a column that another lookup reads. With `where`, the key need not be
 * unique: of several rows that pass these tests, the one with the lowest primary key counts.
 */

/** Tests of columns of the table of a lookup. */
export const LookupTests = Type.Optional(
  Type.Array(OwnTestOption, {
    title: 'tests',
    minItems: 1,
    maxItems: 8,
    description: 'a list of tests of columns of the other table; all of them must hold',
  }),
)
const lookupBy = { key: Type.Optional(KeyName), where: LookupTests }
const FirstLookup = { from: TableName, on: ColumnName, ...lookupBy, column: ColumnName }
/** The names of a lookup beside the columns that it reads. */
export const lookupOf = {
  from: TableName,
  on: Type.Union([ColumnName, Type.Object(FirstLookup, closed)], {
    title: 'on',
    description: 'a column name, or { from, on: COLUMN, key, column } for a column of another table',
  }),
  ...lookupBy,
}
/** A lookup in words. */
export const lookupForm = '{ from: TABLE, on: COLUMN, key: COLUMN, column: COLUMN }'

/** What finds the row of a lookup. */
export type LookupMapping = Static<TObject<typeof lookupOf>>
/** A test as the mapping names it: of a column of the same table, or of a row that a lookup reads. */
export type RowTestMapping = Partial<Static<typeof OwnTestOption> & LookupMapping>

/** Whether an option reads a row of another table. */
export function isLookup(option: unknown): option is LookupMapping {
  return (
    typeof option === 'object' && option !== null && 'from' in option && 'on' in option && !('sum' in option)
  )
}

/** A test of a row that a lookup finds; without a column, of whether there is one. */
function lookupTest(more: TProperties, options: SchemaOptions) {
  const needColumn = Object.keys(operators).filter((name) => name !== 'is')
  const dependencies = Object.fromEntries(needColumn.map((name) => [name, ['column']]))
  const lookup = { ...lookupOf, column: Type.Optional(ColumnName), ...operators, ...more }
  return Type.Object(lookup, { ...oneOperator, ...options, dependencies })
}
/** The shapes of a test of a column of the table of the section, or of a row that a lookup reads. */
export const rowTestShapes = [OwnTestOption, lookupTest({}, { title: 'lookupTest' })] as const
/** A test of them. */
export const RowTestOption = anyOf<RowTestMapping>(rowTestShapes, rowTestForm)

/** A public status. */
export const StatusWord = Type.String({ title: 'status', minLength: 1, description: 'a public status' })
const publicWord = { then: StatusWord }
/** A case of a status: a test, and the public word where it holds. */
export const StatusCaseOption = anyOf<RowTestMapping & { readonly then: string }>(
  [Type.Object({ ...ownTest, ...publicWord }, oneOperator), lookupTest(publicWord, {})],
  `${rowTestForm}; and then: PUBLIC`,
)

/** What makes a record archived: any one of the tests. */
export const ArchivedOption = anyOf<RowTestMapping | readonly RowTestMapping[]>(
  [...rowTestShapes, Type.Array(RowTestOption)],
  `${rowTestForm}; or a list of such; an empty list where nothing is archived`,
)

import { Type } from '@sinclair/typebox'
import type { SchemaOptions, TProperties, TSchema } from '@sinclair/typebox'

/*
 * The grammar of the mapping file below its sections: columns, lookups, tests and workspaces, as TypeBox types and as what
 * they hold. The descriptions are what an error message calls allowed; a part with a title stands once in the published
 * schema.
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

/** The name of a column, with the words for which one it is. */
export const columnName = (title: string, description: string) =>
  Type.String({ title, minLength: 1, maxLength: 64, pattern: '^[^.]*$', description })

/** The name of a column of the section's own table. */
export const ColumnName = columnName('column', 'a column name of this table, without a dot')
/** The name of a column that a lookup reads. */
export const FoundColumnName = columnName(
  'foundColumn',
  'a column name of the table in `from`, without a dot',
)
const KeyName = columnName(
  'key',
  'the column of the table in `from` that has the value of `on`, without a dot; without `key` it is the primary key',
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

/** A value of a test. */
export type TestValue = string | number | boolean
/** A test as the mapping names it: of a column of the same table, or of a row that a lookup reads. */
export interface RowTestMapping extends Partial<LookupMapping> {
  readonly column?: string
  readonly equals?: TestValue | null
  readonly notEquals?: TestValue | null
  readonly in?: TestValue[]
  readonly notIn?: TestValue[]
  readonly is?: 'set' | 'unset'
}
type OwnTestMapping = Omit<RowTestMapping, keyof LookupMapping> & { readonly column: string }

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
const State = oneOf(['set', 'unset'], {
  title: 'state',
  description: 'set: the column is not NULL; or unset',
})

/** The tests in words. */
export const rowTestForm =
  '{ column, equals: value }, or in the place of equals: notEquals: value, in: [value…], notIn: [value…], is: set or is: unset; of another table with { from, on, key }, and without column, is: set where it has a row'

/** The names of a test beside its column, of which it has exactly one. */
const operators = {
  equals: Type.Optional(TestValueOrNull),
  notEquals: Type.Optional(TestValueOrNull),
  in: Type.Optional(TestValues),
  notIn: Type.Optional(TestValues),
  is: Type.Optional(State),
}
const oneOperator = {
  ...closed,
  oneOf: Object.keys(operators).map((name) => ({ required: [name] })),
  description: rowTestForm,
}
const ownTest = { column: ColumnName, ...operators }
/** A test of a column of the same table. */
export const OwnTestOption = Type.Unsafe<OwnTestMapping>(
  Type.Object(ownTest, { ...oneOperator, title: 'test' }),
)

/*
 * A lookup reads columns of the one row of another table whose unique column `key` has the value of the column `on`.
 * Without `key` it is the primary key. `on` can be a column that another lookup reads. With `where`, the key need not be
 * unique: of several rows that pass these tests, the one with the lowest primary key counts.
 */

/** What finds the row of a lookup. */
export interface LookupMapping {
  readonly from: string
  readonly on: string | (Omit<LookupMapping, 'on'> & { readonly on: string; readonly column: string })
  readonly key?: string
  readonly where?: readonly OwnTestMapping[]
}

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
const On = Type.Union(
  [
    ColumnName,
    Type.Object({ from: TableName, on: ColumnName, ...lookupBy, column: FoundColumnName }, closed),
  ],
  {
    title: 'on',
    description: 'a column name, or { from, on: COLUMN, key, column } for a column of another table',
  },
)
/** The names of a lookup beside the columns that it reads. */
export const lookupOf = { from: TableName, on: On, ...lookupBy }
/** A lookup in words. */
export const lookupForm = '{ from: TABLE, on: COLUMN, key: COLUMN, column: COLUMN }'

/** Whether an option reads a row of another table. */
export function isLookup(option: unknown): option is LookupMapping {
  return (
    typeof option === 'object' && option !== null && 'from' in option && 'on' in option && !('sum' in option)
  )
}

/** The shapes of a test with more names. Without a column, `is` tests whether a lookup finds a row. */
function testShapes(more: TProperties = {}): readonly [TSchema, TSchema] {
  const needsColumn = Object.keys(operators).filter((name) => name !== 'is')
  const lookup = { ...lookupOf, column: Type.Optional(FoundColumnName), ...operators, ...more }
  const dependencies = Object.fromEntries(needsColumn.map((name) => [name, ['column']]))
  return [
    Type.Object({ ...ownTest, ...more }, oneOperator),
    Type.Object(lookup, { ...oneOperator, dependencies }),
  ]
}
/** The shapes of a test of a column of the table of the section, or of a row that a lookup reads. */
export const rowTestShapes = [OwnTestOption, { ...testShapes()[1], title: 'lookupTest' }] as const
/** A test of them. */
export const RowTestOption = anyOf<RowTestMapping>(rowTestShapes, rowTestForm)

/** A public status. */
export const StatusWord = Type.String({ title: 'status', minLength: 1, description: 'a public status' })
/** A case of a status: a test, and the public word where it holds. */
export const StatusCaseOption = anyOf<RowTestMapping & { readonly then: string }>(
  testShapes({ then: StatusWord }),
  `${rowTestForm}; and then: PUBLIC`,
)

type ArchivedTest = Omit<RowTestMapping, 'is'> & {
  readonly is?: RowTestMapping['is'] | { readonly equals: TestValue }
}
/** What makes a record archived: any one of the tests. */
export type ArchivedMapping = ArchivedTest | readonly ArchivedTest[]
/** `is: { equals: value }` is how `archived` was written first, and may be written for ever. */
const archivedShapes = [
  testShapes({ is: Type.Optional(Type.Union([State, Type.Object({ equals: TestValue }, closed)])) })[0],
  rowTestShapes[1],
]
/** What makes a record archived. */
export const ArchivedOption = anyOf<ArchivedMapping>(
  [...archivedShapes, Type.Array(Type.Union(archivedShapes, { description: rowTestForm }))],
  `${rowTestForm}; or a list of such; an empty list where nothing is archived`,
)

/** The tests of `archived`, in the one form that all tests have. */
export function listArchivedTests(option: ArchivedMapping): readonly RowTestMapping[] {
  return [option].flat().map(({ is, ...test }: ArchivedTest): RowTestMapping => {
    if (typeof is === 'object') return { ...test, equals: is.equals }
    return is === undefined ? test : { ...test, is }
  })
}

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import {
  As,
  closed,
  ColumnName,
  ConstantWorkspace,
  FoundColumnName,
  isLines,
  KeyName,
  OwnColumnName,
  TableName,
} from './options.js'

/*
 * A test is one condition on one column of a row: `{ column, equals: value }`, or with `notEquals`, `in`, `notIn` or `is`
 * in the place of `equals`. Every part of the mapping file has the same tests. NULL equals no value: a test with
 * `notEquals` or `notIn` holds for NULL.
 */

/** A public status. */
export const StatusWord = Type.String({ title: 'status', minLength: 1, description: 'a public status' })

const TestValue = Type.Union([Type.String(), Type.Integer(), Type.Boolean()], {
  title: 'value',
  description: 'text, an integer or a boolean',
})
const TestValueOrNull = Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Null()], {
  title: 'valueOrNull',
  description: 'text, an integer, a boolean or null',
})
const TestValues = Type.Array(TestValue, {
  title: 'values',
  minItems: 1,
  maxItems: 100,
  description: 'a list of values',
})
const State = Type.Union([Type.Literal('set'), Type.Literal('unset')], {
  title: 'state',
  description: 'set: the column is not NULL; or unset',
})

/** The tests in words, for an error message. */
const testForm =
  '{ column, equals: value }, or in the place of equals: notEquals: value, in: [value…], notIn: [value…], is: set or is: unset'

/** The same where a lookup is allowed too. */
export const rowTestForm = `${testForm}; of another table with { from, on, key }, and without column, is: set where it has a row`

/** The names of a test beside its column, of which it has exactly one. */
const operators = {
  equals: Type.Optional(TestValueOrNull),
  notEquals: Type.Optional(TestValueOrNull),
  in: Type.Optional(TestValues),
  notIn: Type.Optional(TestValues),
  is: Type.Optional(State),
}
const ownTest = { column: ColumnName, ...operators }
const oneOperator = {
  ...closed,
  oneOf: Object.keys(operators).map((name) => ({ required: [name] })),
  description: rowTestForm,
}

/** A test of a column of the same table. */
export const OwnTestOption = Type.Object(ownTest, { ...oneOperator, title: 'test' })

/** A value of a test. */
export type TestValue = Static<typeof TestValue>
/** A test of a column of the same table, as the mapping names it. */
type OwnTestMapping = Static<typeof OwnTestOption>

/*
 * A lookup reads columns of the one row of another table whose unique column `key` has the value of the column `on`.
 * Without `key` it is the primary key. `on` can be a column that another lookup reads. With `where`, the key need not be
 * unique: of several rows that pass these tests, the one with the lowest primary key counts.
 */

const lookupBy = {
  key: Type.Optional(KeyName),
  where: Type.Optional(
    Type.Array(OwnTestOption, {
      title: 'tests',
      minItems: 1,
      maxItems: 8,
      description: 'a list of tests of columns of the other table; all of them must hold',
    }),
  ),
}

/** The names of a lookup beside the columns that it reads. */
export const lookupOf = {
  from: TableName,
  on: Type.Union(
    [
      ColumnName,
      Type.Object({ from: TableName, on: ColumnName, ...lookupBy, column: FoundColumnName }, closed),
    ],
    {
      title: 'on',
      description: 'a column name, or { from, on: COLUMN, key, column } for a column of another table',
    },
  ),
  ...lookupBy,
}
/** A lookup in words, for an error message. */
export const lookupForm = '{ from: TABLE, on: COLUMN, key: COLUMN, column: COLUMN }'

/** The shapes of a column of identifiers of this table or of another. */
export const referenceShapes = [
  OwnColumnName,
  Type.Object({ column: ColumnName, as: As }, closed),
  Type.Object(
    { ...lookupOf, column: FoundColumnName, as: Type.Optional(As) },
    { ...closed, title: 'referenceLookup' },
  ),
] as const

/** The same in words. */
export const referenceForm = `a column name, { column, as: uuid | uuid-swapped } for 16 bytes, or ${lookupForm}`

/** What finds the row of a lookup. */
interface LookupBy {
  readonly from: string
  readonly key?: string
  readonly where?: readonly OwnTestMapping[]
  /** The columns of the primary key, where there is a `where`. The mapping file does not name them. */
  readonly primary?: readonly string[]
}

/** What every lookup has. */
export interface LookupMapping extends LookupBy {
  readonly on: string | (LookupBy & { readonly on: string; readonly column: string })
}

/** Whether an option reads a row of another table. */
export function isLookup(option: unknown): option is LookupMapping {
  return (
    typeof option === 'object' && option !== null && 'from' in option && 'on' in option && !isLines(option)
  )
}

/* What the mapping file may say of a collection beside its fields. */

/** The workspace of a record. */
export const WorkspaceOption = Type.Union([...referenceShapes, ConstantWorkspace], {
  description: `a column name, { column, as: uuid | uuid-swapped } for 16 bytes, ${lookupForm}, or { constant: "1" } where there is one workspace`,
})

const lookupTest = { ...lookupOf, column: Type.Optional(FoundColumnName), ...operators }
/** Without a column, `is` tests whether a lookup finds a row. */
const columnOrIs = {
  ...oneOperator,
  dependencies: Object.fromEntries(['equals', 'notEquals', 'in', 'notIn'].map((name) => [name, ['column']])),
}

/** A test of a column of the table of the section, or of a row that a lookup reads. */
export const RowTestOption = Type.Union(
  [OwnTestOption, Type.Object(lookupTest, { ...columnOrIs, title: 'lookupTest' })],
  { description: rowTestForm },
)

/** A case of a status: such a test, and the public word where it holds. */
export const StatusCaseOption = Type.Union(
  [
    Type.Object({ ...ownTest, then: StatusWord }, oneOperator),
    Type.Object({ ...lookupTest, then: StatusWord }, columnOrIs),
  ],
  { description: `${rowTestForm}; and then: PUBLIC` },
)

/** `is: { equals: value }` is how `archived` was written first, and may be written for ever. */
const archivedShapes = [
  Type.Object(
    { ...ownTest, is: Type.Optional(Type.Union([State, Type.Object({ equals: TestValue }, closed)])) },
    oneOperator,
  ),
  RowTestOption.anyOf[1],
] as const

/** What makes a record archived: any one of the tests. */
export const ArchivedOption = Type.Union(
  [...archivedShapes, Type.Array(Type.Union([...archivedShapes], { description: rowTestForm }))],
  { description: `${rowTestForm}; or a list of such; an empty list where nothing is archived` },
)

/** What happens to a row that cannot be shown truthfully. */
export const InvalidRowsOption = Type.Optional(
  Type.Union([Type.Literal('skip'), Type.Literal('fail')], { default: 'skip', description: 'skip or fail' }),
)

/** The workspace of a row as the mapping names it. */
export type WorkspaceMapping = Static<typeof WorkspaceOption>
/** A test as the mapping names it. */
export type RowTestMapping = Static<typeof RowTestOption>
/** What makes a record archived. */
export type ArchivedMapping = Static<typeof ArchivedOption>

/** The tests of `archived`, in the one form that all tests have. */
export function listArchivedTests(option: ArchivedMapping): readonly RowTestMapping[] {
  const tests = Array.isArray(option) ? option : [option]
  return tests.map(({ is, ...test }): RowTestMapping => {
    if (typeof is === 'object') return { ...test, equals: is.equals }
    return is === undefined ? test : { ...test, is }
  })
}

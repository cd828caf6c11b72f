import { Type } from '@sinclair/typebox'
import type { Static, TObject, TProperties } from '@sinclair/typebox'
import { ColumnName, FoundColumnName, closed } from './options.js'

/*
 * A test is one condition on one column of a row: `{ column, equals: value }`, or with `notEquals`, `in`, `notIn` or `is`
 * in the place of `equals`. Every part of the mapping file has the same tests. NULL equals no value: a test with
 * `notEquals` or `notIn` holds for NULL.
 */

const TestValue = Type.Union([Type.String(), Type.Integer(), Type.Boolean()], {
  description: 'text, an integer or a boolean',
})
const TestValueOrNull = Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Null()], {
  description: 'text, an integer, a boolean or null',
})
const TestValues = Type.Array(TestValue, { minItems: 1, maxItems: 100, description: 'a list of values' })
const State = Type.Union([Type.Literal('set'), Type.Literal('unset')], {
  description: 'set: the column is not NULL; or unset',
})

/** The tests in words, for an error message. */
export const testForm =
  '{ column, equals: value }, or in the place of equals: notEquals: value, in: [value…], notIn: [value…], is: set or is: unset'

/** The same where a lookup is allowed too. */
export const rowTestForm = `${testForm}; of another table with { from, on, key }, and without column, is: set where it has a row`

/** The shapes of a test, each with more names. */
export function testsWith<More extends TProperties>(more: More) {
  const named = { ...more, column: ColumnName }
  return [
    Type.Object({ ...named, equals: TestValueOrNull }, closed),
    Type.Object({ ...named, notEquals: TestValueOrNull }, closed),
    Type.Object({ ...named, in: TestValues }, closed),
    Type.Object({ ...named, notIn: TestValues }, closed),
    Type.Object({ ...named, is: State }, closed),
  ] as const
}

type TestsWith<More extends TProperties> = Static<ReturnType<typeof testsWith<More>>[number]>

/** The same as one shape, which keeps the schema small where `more` is great. */
export function testWith<More extends TProperties>(more: More) {
  return Type.Unsafe<TestsWith<More>>(toShape({ ...more, column: ColumnName }, ['column', 'is']))
}

type RowState<More extends TProperties> = Static<TObject<More>> & {
  column?: string
  is: Static<typeof State>
}

/** The same of a row that a lookup reads. Without a column, `is` tests whether there is such a row. */
export function lookupTestWith<More extends TProperties>(more: More) {
  const named = { ...more, column: Type.Optional(FoundColumnName) }
  return Type.Unsafe<TestsWith<More> | RowState<More>>(toShape(named, ['is']))
}

/** @param state the names of a test by `is`. */
function toShape(named: TProperties, state: readonly string[]) {
  const shape = {
    ...named,
    equals: Type.Optional(TestValueOrNull),
    notEquals: Type.Optional(TestValueOrNull),
    in: Type.Optional(TestValues),
    notIn: Type.Optional(TestValues),
    is: Type.Optional(State),
  }
  const values = ['equals', 'notEquals', 'in', 'notIn']
  const byValue = values.map((name) => ({ required: ['column', name] }))
  const oneOf = [...byValue, { required: state }]
  const dependencies = Object.fromEntries(values.map((name) => [name, ['column']]))
  return Type.Object(shape, { ...closed, oneOf, dependencies, description: rowTestForm })
}

/** A test of a column of the same table. */
export const OwnTestOption = testWith({})

/** How `archived` was written first, and may be written for ever. */
export const OldArchivedOption = Type.Object(
  { column: ColumnName, is: Type.Object({ equals: TestValue }, closed) },
  closed,
)

/** A value of a test. */
export type TestValue = Static<typeof TestValue>
/** A test of a column of the same table, as the mapping names it. */
export type OwnTestMapping = Static<typeof OwnTestOption>

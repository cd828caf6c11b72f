import { Type } from '@sinclair/typebox'
import type { Static, TProperties } from '@sinclair/typebox'
import { ColumnName, closed } from './options.js'

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

/** The same as one shape, which keeps the schema small where `more` is great. */
export function testWith<More extends TProperties>(more: More) {
  const shape = {
    ...more,
    column: ColumnName,
    equals: Type.Optional(TestValueOrNull),
    notEquals: Type.Optional(TestValueOrNull),
    in: Type.Optional(TestValues),
    notIn: Type.Optional(TestValues),
    is: Type.Optional(State),
  }
  const oneOf = ['equals', 'notEquals', 'in', 'notIn', 'is'].map((name) => ({ required: [name] }))
  return Type.Unsafe<Static<ReturnType<typeof testsWith<More>>[number]>>(
    Type.Object(shape, { ...closed, oneOf, description: testForm }),
  )
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

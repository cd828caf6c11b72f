import { Type } from '@sinclair/typebox'
import { isZeroEpoch } from '../values/epoch.js'
import { readBoolean } from '../values/text.js'
import type { AcceptedColumn } from './accepted-columns.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { isConstant } from './column-options.js'
import { anyOf, closed, ColumnName, isLookup, rowTestForm, rowTestShapes } from './options.js'
import type { RowTestMapping } from './options.js'
import { describeTest } from './row-test.js'

/** A column, the time of another field, `{ constant: false }`, or a test. */
type FlagMapping = string | { readonly from: string } | { readonly constant: false } | RowTestMapping

const booleans: AcceptedColumn = { kinds: ['integer', 'bit'], form: 'an integer type or BIT' }

/** A boolean: a column that is not 0, whether the time of another field is set, a test, or false where there is none. */
export function flag({ description, example, from }: Documented<boolean> & { readonly from: string }) {
  const option = anyOf<FlagMapping>(
    [
      ColumnName,
      Type.Object({ from: Type.Literal(from, { description: from }) }, closed),
      Type.Object({ constant: Type.Literal(false, { description: 'false' }) }, closed),
      ...rowTestShapes,
    ],
    `a boolean column, { from: ${from} }, { constant: false } where the product has none, or a test: ${rowTestForm}`,
  )
  return defineField(Type.Boolean({ description, examples: [example] }), option, (mapped, columns) =>
    resolveFlag(mapped, from, columns),
  )
}

function resolveFlag(mapped: FlagMapping, from: string, columns: ColumnResolver): ResolvedField {
  const as = columns.nextCell()
  if (typeof mapped === 'string')
    return {
      projection: [{ as, ...columns.find(mapped, booleans) }],
      read: (row) => readBoolean(row[as]),
      transform: 'true unless 0',
    }
  if (isConstant(mapped)) return { projection: [], read: () => false, transform: 'always false' }
  if ('from' in mapped && !isLookup(mapped)) {
    if (columns.optionOf(from) === undefined)
      columns.report(
        `from: ${from}, which is not mapped`,
        `a boolean column, a mapped ${from}, a test, or { constant: false }`,
      )
    return { projection: [], read: (row) => hasTime(row[from]), transform: `true when ${from} is set` }
  }
  const test = columns.findTest(mapped as RowTestMapping)
  return {
    projection: [{ as, cases: [{ test, then: '1' }], otherwise: '0' }],
    read: (row) => row[as] === '1',
    transform: `true where ${describeTest(test)}`,
  }
}

/** Whether a cell holds a time: not NULL, no zero date, and not 0 in a column of integers. */
export function hasTime(cell: unknown): boolean {
  if (cell === null || cell === undefined) return false
  return typeof cell === 'string' && cell.includes('-', 1)
    ? !cell.startsWith('0000-00-00')
    : !isZeroEpoch(cell)
}

import { Type } from '@sinclair/typebox'
import { readBoolean } from '../values/cells.js'
import type { AcceptedColumn, ColumnResolver } from './column-resolver.js'
import { defineField, toCellField, toColumnField } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { closed, ColumnName, RowTestOption } from './options.js'
import type { RowTestMapping } from './options.js'
import { projectCases } from './row-test.js'
import { hasTime } from './time-fields.js'

const booleans: AcceptedColumn = { kinds: ['integer', 'bit'], form: 'an integer type or BIT' }

/** A boolean: a column that is not 0, whether the time of another field is set, a test, or false where there is none. */
export function flag({ description, example, from }: Documented<boolean> & { readonly from: string }) {
  const option = Type.Union(
    [
      ColumnName,
      Type.Object({ from: Type.Literal(from, { description: from }) }, closed),
      Type.Object({ constant: Type.Literal(false, { description: 'false' }) }, closed),
      RowTestOption,
    ],
    {
      description: `a boolean column, { from: ${from} }, { constant: false } where the product has none, or a test: ${RowTestOption.description}`,
    },
  )
  const schema = Type.Boolean({ description, examples: [example] })
  return defineField({ content: 'word', schema, option }, (mapped, columns) =>
    resolveFlag(mapped, from, columns),
  )
}

function resolveFlag(
  mapped: string | { readonly constant: false } | RowTestMapping,
  from: string,
  columns: ColumnResolver,
): ResolvedField {
  if (typeof mapped === 'string') return toColumnField(columns.find(mapped, booleans), columns, readBoolean)
  if ('constant' in mapped) return { projection: [], read: () => false }
  if (mapped.from !== undefined && mapped.on === undefined) {
    if (columns.optionOf(from) === undefined)
      columns.report(`from: ${from}, which is not mapped`, `a boolean column, a test, or { constant: false }`)
    return { projection: [], read: (row) => hasTime(row[from]) }
  }
  const cases = [{ test: columns.findTest(mapped), then: '1' }]
  return toCellField(projectCases({ cases, otherwise: '0' }), columns, (cell) => cell === '1')
}

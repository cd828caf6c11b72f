import { Type } from '@sinclair/typebox'
import type { Cells } from '../database/cells.js'
import { readBoolean } from '../values/text.js'
import type { BoundField, ColumnResolver, Field, ResolvedField } from './field.js'
import { hasTime } from './field-kinds.js'
import type { Documented } from './field-kinds.js'
import { isLookup, rowTestForm, RowTestOption } from './section-options.js'
import type { RowTestMapping } from './section-options.js'
import { ColumnName, closed } from './options.js'
import { describeTest } from './row-test.js'

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

function resolveFlag(mapped: FlagMapping, { name, from, resolver }: FlagInput): ResolvedField {
  const path = `fields.${name}`
  if (typeof mapped === 'string')
    return {
      projection: [{ as: name, column: resolver.find(mapped, ['integer', 'bit'], path) }],
      bind: ({ at }) => bindBoolean((cells) => readBoolean(cells.value(at(name)))),
      transform: 'true unless 0',
    }
  if ('constant' in mapped)
    return { projection: [], bind: () => bindBoolean(() => false), transform: 'always false' }
  if (isFrom(mapped))
    return {
      projection: [],
      bind: ({ at }) => bindBoolean((cells) => hasTime(cells, at(from))),
      transform: `true when ${from} is set`,
    }
  const test = resolver.findTest(mapped, path)
  return {
    projection: [{ as: name, cases: [{ test, then: '1' }], otherwise: '0' }],
    bind: ({ at }) => bindBoolean((cells) => cells.value(at(name)) === '1'),
    transform: `true where ${describeTest(test)}`,
  }
}

/** Whether a flag follows from the time of another field. */
function isFrom(option: FlagMapping): option is { from: string } {
  return typeof option === 'object' && 'from' in option && !isLookup(option)
}

function bindBoolean(read: (cells: Cells) => boolean): BoundField {
  return {
    read,
    write: (cells, out) => {
      out.ascii(read(cells) ? 'true' : 'false')
    },
  }
}

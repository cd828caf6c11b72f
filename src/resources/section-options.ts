import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { lookupForm, lookupOf, referenceShapes } from './lookup-option.js'
import { ConstantWorkspace } from './options.js'
import { OldArchivedOption, lookupTestWith, rowTestForm, testsWith } from './test-option.js'

/* What the mapping file may say of a collection beside its fields. */

/** The workspace of a record. */
export const WorkspaceOption = Type.Union([...referenceShapes, ConstantWorkspace], {
  description: `a column name, { column, as: uuid | uuid-swapped } for 16 bytes, ${lookupForm}, or { constant: "1" } where there is one workspace`,
})

/** A test of a column of the table of the section, or of a row that a lookup reads. */
export const RowTestOption = Type.Union([...testsWith({}), lookupTestWith(lookupOf)], {
  description: rowTestForm,
})

/** What makes a record archived: any one of the tests. */
export const ArchivedOption = Type.Union(
  [
    ...RowTestOption.anyOf,
    OldArchivedOption,
    Type.Array(
      Type.Union([...RowTestOption.anyOf, OldArchivedOption], {
        description: RowTestOption.description ?? '',
      }),
    ),
  ],
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
  return tests.map((test) => (isOldForm(test) ? { column: test.column, equals: test.is.equals } : test))
}

function isOldForm(
  test: RowTestMapping | Static<typeof OldArchivedOption>,
): test is Static<typeof OldArchivedOption> {
  return 'is' in test && typeof test.is === 'object'
}

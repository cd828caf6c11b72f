import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/*
 * What the mapping file may say of a column or a table, as TypeBox types: the shapes that the fields, the collections and
 * the key table share. The descriptions are what an error message calls allowed.
 */

/** A section takes no names but its own. */
export const closed = { additionalProperties: false }
/** The name of a column, with the words for which one it is. */
export const columnName = (title: string, description: string) =>
  Type.String({ title, minLength: 1, maxLength: 64, pattern: '^[^.]*$', description })

/** The name of a column of the section's own table. */
export const ColumnName = columnName('column', 'a column name of this table, without a dot')
/** The same, where a lookup is allowed too. */
export const OwnColumnName = columnName(
  'ownColumn',
  'a column name without a dot; a column of another table is { from: TABLE, on: COLUMN, column: COLUMN }',
)
/** The name of a column that a lookup reads. */
export const FoundColumnName = columnName(
  'foundColumn',
  'a column name of the table in `from`, without a dot',
)
/** The name of the column by which a lookup finds its row. */
export const KeyName = columnName(
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
/** The permission to read one collection. */
export const ScopeOption = Type.Union([Type.Literal('registration.read'), Type.Literal('invoices.read')], {
  description: 'registration.read or invoices.read',
})

/** How 16 bytes are a UUID. */
export const As = Type.Union([Type.Literal('uuid'), Type.Literal('uuid-swapped')], {
  title: 'as',
  description: 'uuid, or uuid-swapped for what UUID_TO_BIN(…, 1) stores',
})

/** A column of identifiers, which callers send and see as text. */
export const IdentifierOption = Type.Union(
  [ColumnName, Type.Object({ column: ColumnName, as: As }, closed)],
  { description: 'a column name, or { column, as: uuid | uuid-swapped } for 16 bytes' },
)

/** The same workspace for every record. */
export const ConstantWorkspace = Type.Object(
  {
    constant: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'the one workspace, as text in quotes',
    }),
    confirmed: Type.Optional(
      Type.Literal(true, { description: 'true, where one customer owns the whole database' }),
    ),
  },
  closed,
)
/** The workspace of a row of the key table. */
export const KeyWorkspaceOption = Type.Union([...IdentifierOption.anyOf, ConstantWorkspace], {
  description:
    'a column name, { column, as: uuid | uuid-swapped } for 16 bytes, or { constant: "1" } where there is one workspace',
})

/** Every scope. */
export const allScopes = ScopeOption.anyOf.map(({ const: scope }) => scope)

/** The permission to read one collection. */
export type Scope = Static<typeof ScopeOption>

/** The column of an option that is a name alone or an object with a column. */
export function nameOf(option: string | { readonly column: string }): string {
  return typeof option === 'string' ? option : option.column
}

/** Whether a value is the same for all rows. */
export function isConstant(option: unknown): option is { constant: string } {
  return typeof option === 'object' && option !== null && 'constant' in option
}

/** Whether an option is the first of several places that has a value. */
export function isFirst(option: unknown): option is { readonly first: readonly unknown[] } {
  return typeof option === 'object' && option !== null && 'first' in option
}

/** The options that an option is made of, each with columns of a table of its own. */
export function listParts(option: unknown): readonly unknown[] {
  const { first, when, sum } = {
    ...(option as Readonly<Record<'first' | 'when' | 'sum', readonly unknown[] | undefined>> | null),
  }
  if (isLines(option)) {
    const { sum: parts, ...lookup } = option
    return parts.map((part) => ({ ...lookup, primary: [], column: nameOf(part) }))
  }
  return first ?? when ?? sum ?? [option]
}

/** Whether an option is the sum over rows of another table. */
export function isLines(
  option: unknown,
): option is { readonly on?: string; readonly sum: readonly (string | { readonly column: string })[] } {
  return typeof option === 'object' && option !== null && 'from' in option && 'sum' in option
}

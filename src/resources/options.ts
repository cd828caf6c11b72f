import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/*
 * What the mapping file may say of a column, a table or a rule, as TypeBox types: the shapes that the fields, the
 * resources and the key table share. The descriptions are what an error message calls allowed.
 */

/** A section takes no names but its own. */
export const closed = { additionalProperties: false }
/** The name of a column. */
export const ColumnName = Type.String({ minLength: 1, maxLength: 64, description: 'a column name' })
/** The name of a table or view. */
export const TableName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'the name of a table or view',
})
/** The permission to read one collection. */
export const ScopeOption = Type.Union([Type.Literal('registration.read'), Type.Literal('invoices.read')], {
  description: 'registration.read or invoices.read',
})
const Flag = Type.Union([Type.String(), Type.Integer(), Type.Boolean()], {
  description: 'text, an integer or a boolean',
})

/** A column of identifiers, which callers send and see as text. */
export const IdentifierOption = Type.Union(
  [
    ColumnName,
    Type.Object(
      {
        column: ColumnName,
        as: Type.Union([Type.Literal('uuid'), Type.Literal('uuid-swapped')], {
          description: 'uuid, or uuid-swapped for what UUID_TO_BIN(…, 1) stores',
        }),
      },
      closed,
    ),
  ],
  { description: 'a column name, or { column, as: uuid | uuid-swapped } for 16 bytes' },
)

/** A status column, with the public word for each stored value where they differ. */
export const StatusOption = Type.Union(
  [
    ColumnName,
    Type.Object(
      {
        column: ColumnName,
        values: Type.Record(Type.String(), Type.String({ minLength: 1, description: 'a public status' }), {
          minProperties: 1,
          description: 'stored value: public status',
        }),
      },
      closed,
    ),
  ],
  { description: 'a column name, or { column, values: { stored: PUBLIC } }' },
)

/** The column that a list is filtered by `eventId` with, where the record does not show it. */
export const EventFilterOption = Type.Union(
  [
    IdentifierOption,
    Type.Object({ table: TableName, invoice: IdentifierOption, event: IdentifierOption }, closed),
  ],
  { description: 'a column name, or { table, invoice, event } for a table that links invoices and events' },
)

const ArchivedTestOption = Type.Object(
  {
    column: ColumnName,
    is: Type.Union([Type.Literal('set'), Type.Object({ equals: Flag }, closed)], {
      description: 'set, or { equals: value }',
    }),
  },
  { ...closed, description: '{ column, is: set | { equals: value } }' },
)
/** What makes a record archived: any one of the tests. */
export const ArchivedOption = Type.Union([ArchivedTestOption, Type.Array(ArchivedTestOption)], {
  description:
    '{ column, is: set | { equals: value } }, or a list of such; an empty list where nothing is archived',
})

/** What happens to a row that cannot be shown truthfully. */
export const InvalidRowsOption = Type.Optional(
  Type.Union([Type.Literal('skip'), Type.Literal('fail')], { default: 'skip', description: 'skip or fail' }),
)

/** The permission to read one collection. */
export type Scope = Static<typeof ScopeOption>
/** A column of identifiers as the mapping names it. */
export type IdentifierMapping = Static<typeof IdentifierOption>
/** A status column as the mapping names it. */
export type StatusMapping = Static<typeof StatusOption>
/** The filter `eventId` as the mapping names it. */
export type EventFilterMapping = Static<typeof EventFilterOption>
/** One thing that makes a record archived. */
export type ArchivedTestMapping = Static<typeof ArchivedTestOption>
/** What makes a record archived. */
export type ArchivedMapping = Static<typeof ArchivedOption>

/** The column of an option that is a name alone or an object with a column. */
export function nameOf(option: string | { readonly column: string }): string {
  return typeof option === 'string' ? option : option.column
}

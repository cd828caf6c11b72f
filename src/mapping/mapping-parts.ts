import { Type } from '@sinclair/typebox'

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
/** What a key may be given. */
export const Scope = Type.Union([Type.Literal('registration.read'), Type.Literal('invoices.read')], {
  description: 'registration.read or invoices.read',
})
const Flag = Type.Union([Type.String(), Type.Integer(), Type.Boolean()], {
  description: 'text, an integer or a boolean',
})

/** A column that callers send and see as text. */
export const Identifier = Type.Union(
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
export const Status = Type.Union(
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

/** One thing that makes a record archived. */
export const ArchivedTest = Type.Object(
  {
    column: ColumnName,
    is: Type.Union([Type.Literal('set'), Type.Object({ equals: Flag }, closed)], {
      description: 'set, or { equals: value }',
    }),
  },
  { ...closed, description: '{ column, is: set | { equals: value } }' },
)
/** What makes a record archived. */
export const Archived = Type.Union([ArchivedTest, Type.Array(ArchivedTest)], {
  description:
    '{ column, is: set | { equals: value } }, or a list of such; an empty list where nothing is archived',
})

/** What becomes of a row that cannot be shown truthfully. */
export const InvalidRows = Type.Optional(
  Type.Union([Type.Literal('skip'), Type.Literal('fail')], { default: 'skip', description: 'skip or fail' }),
)

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/*
 * What the mapping file may say of a column, a table or a rule, as TypeBox types: the shapes that the fields, the
 * resources and the key table share. The descriptions are what an error message calls allowed.
 */

/** A section takes no names but its own. */
export const closed = { additionalProperties: false }
/** The name of a column of the section's own table. */
export const ColumnName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^.]*$',
  description: 'a column name of this table, without a dot',
})
/** The same, where a lookup is allowed too. */
const OwnColumnName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^.]*$',
  description:
    'a column name without a dot; a column of another table is { from: TABLE, on: COLUMN, column: COLUMN }',
})
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

const As = Type.Union([Type.Literal('uuid'), Type.Literal('uuid-swapped')], {
  description: 'uuid, or uuid-swapped for what UUID_TO_BIN(…, 1) stores',
})
const Epoch = Type.Union([Type.Literal('s'), Type.Literal('ms'), Type.Literal('us')], {
  description: 's, ms or us: the unit of an integer that counts from 1970-01-01 UTC',
})

/*
 * A lookup reads columns of the one row of another table whose unique column `key` has the value of the column `on`.
 * Without `key` it is the primary key. `on` can be a column that another lookup reads.
 */
const lookupOf = {
  from: TableName,
  on: Type.Union(
    [
      ColumnName,
      Type.Object(
        { from: TableName, on: ColumnName, key: Type.Optional(ColumnName), column: ColumnName },
        closed,
      ),
    ],
    { description: 'a column name, or { from, on: COLUMN, key, column } for a column of another table' },
  ),
  key: Type.Optional(ColumnName),
}
const lookupForm = '{ from: TABLE, on: COLUMN, key: COLUMN, column: COLUMN }'

/** A column of identifiers, which callers send and see as text. */
export const IdentifierOption = Type.Union(
  [ColumnName, Type.Object({ column: ColumnName, as: As }, closed)],
  { description: 'a column name, or { column, as: uuid | uuid-swapped } for 16 bytes' },
)

const referenceShapes = [
  OwnColumnName,
  Type.Object({ column: ColumnName, as: As }, closed),
  Type.Object({ ...lookupOf, column: ColumnName, as: Type.Optional(As) }, closed),
] as const

/** A column of identifiers of this table or of another. */
export const ReferenceOption = Type.Union([...referenceShapes], {
  description: `a column name, { column, as: uuid | uuid-swapped } for 16 bytes, or ${lookupForm}`,
})

const ConstantWorkspace = Type.Object(
  {
    constant: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'the one workspace, as text in quotes',
    }),
  },
  closed,
)
/** The workspace of a row of the key table. */
export const KeyWorkspaceOption = Type.Union([...IdentifierOption.anyOf, ConstantWorkspace], {
  description:
    'a column name, { column, as: uuid | uuid-swapped } for 16 bytes, or { constant: "1" } where there is one workspace',
})
/** The workspace of a record. */
export const WorkspaceOption = Type.Union([...referenceShapes, ConstantWorkspace], {
  description: `a column name, { column, as: uuid | uuid-swapped } for 16 bytes, ${lookupForm}, or { constant: "1" } where there is one workspace`,
})

/** A column of text of this table or of another. */
export const TextOption = Type.Union(
  [OwnColumnName, Type.Object({ ...lookupOf, column: ColumnName }, closed)],
  { description: `a column name, or ${lookupForm}` },
)

/** A person's name, in one column or in several that are joined. */
export const PersonNameOption = Type.Union(
  [
    OwnColumnName,
    Type.Object(
      {
        columns: Type.Array(ColumnName, { minItems: 1, maxItems: 8 }),
        separator: Type.Optional(Type.String()),
      },
      closed,
    ),
    Type.Object({ ...lookupOf, column: ColumnName }, closed),
    Type.Object(
      {
        ...lookupOf,
        columns: Type.Array(ColumnName, { minItems: 1, maxItems: 8 }),
        separator: Type.Optional(Type.String()),
      },
      closed,
    ),
  ],
  {
    description:
      'a column name, { columns: [column…], separator }, or either of another table with { from, on, key }',
  },
)

/** A point in time. */
export const TimeOption = Type.Union(
  [ColumnName, Type.Object({ column: ColumnName, epoch: Epoch }, closed)],
  {
    description: 'a column name, or { column, epoch: s | ms | us } for an integer',
  },
)
/** The time of the last change. */
export const ChangeTimeOption = Type.Union(
  [
    ColumnName,
    Type.Object(
      {
        column: ColumnName,
        epoch: Type.Optional(Epoch),
        neverChanges: Type.Optional(
          Type.Literal(true, { description: 'true, where a record never changes after it was made' }),
        ),
      },
      closed,
    ),
  ],
  {
    description:
      'a column name, { column, epoch: s | ms | us } for an integer, or { column, neverChanges: true } where records never change',
  },
)
const dayShapes = [
  OwnColumnName,
  Type.Object({ column: ColumnName, epoch: Epoch }, closed),
  Type.Object({ ...lookupOf, column: ColumnName, epoch: Type.Optional(Epoch) }, closed),
] as const
/** A day, or a point in time. */
export const DayOption = Type.Union([...dayShapes], {
  description: `a column name, { column, epoch: s | ms | us } for an integer, or ${lookupForm}`,
})
/** A day that the product may not have. */
export const NullableDayOption = Type.Union([...dayShapes, Type.Null()], {
  description: `a column name, { column, epoch: s | ms | us } for an integer, ${lookupForm}, or null where the product has none`,
})

const TestValue = Type.Union([Type.String(), Type.Integer(), Type.Boolean()], {
  description: 'text, an integer or a boolean',
})
const TestValueOrNull = Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Null()], {
  description: 'text, an integer, a boolean or null',
})
const TestValues = Type.Array(TestValue, { minItems: 1, maxItems: 100, description: 'a list of values' })
const IsSet = Type.Literal('set', { description: 'set: the column is not NULL' })

/** A condition on one column of a row. */
export const RowTestOption = Type.Union(
  [
    Type.Object({ column: ColumnName, equals: TestValueOrNull }, closed),
    Type.Object({ column: ColumnName, in: TestValues }, closed),
    Type.Object({ column: ColumnName, is: IsSet }, closed),
  ],
  { description: '{ column, equals: value }, { column, in: [value…] } or { column, is: set }' },
)

const Word = Type.String({ minLength: 1, description: 'a public status' })
const StatusCaseOption = Type.Union(
  [
    Type.Object({ column: ColumnName, equals: TestValueOrNull, then: Word }, closed),
    Type.Object({ column: ColumnName, in: TestValues, then: Word }, closed),
    Type.Object({ column: ColumnName, is: IsSet, then: Word }, closed),
  ],
  {
    description:
      '{ column, equals: value, then: PUBLIC }, { column, in: [value…], then: PUBLIC } or { column, is: set, then: PUBLIC }',
  },
)
const StatusValues = Type.Union(
  [
    Type.Record(Type.String(), Word, { minProperties: 1, description: 'stored value: public status' }),
    Type.Array(Word, { minItems: 1, uniqueItems: true, description: 'stored words that are public ones' }),
  ],
  { description: '{ stored: PUBLIC }, or [WORD…] where the stored words are the public ones' },
)

/** A status, with the public word for each stored value where they differ, or derived from several columns. */
export const StatusOption = Type.Union(
  [
    OwnColumnName,
    Type.Object({ column: ColumnName, values: StatusValues, otherwise: Type.Optional(Word) }, closed),
    Type.Object(
      {
        ...lookupOf,
        column: ColumnName,
        values: Type.Optional(StatusValues),
        otherwise: Type.Optional(Word),
      },
      closed,
    ),
    Type.Object(
      { when: Type.Array(StatusCaseOption, { minItems: 1, maxItems: 20 }), otherwise: Word },
      closed,
    ),
  ],
  {
    description: `a column name, { column, values: { stored: PUBLIC }, otherwise: PUBLIC }, { when: [{ column, equals, then: PUBLIC }…], otherwise: PUBLIC }, or ${lookupForm}`,
  },
)

/** The column that a list is filtered by `eventId` with, where the record does not show it. */
export const EventFilterOption = Type.Union(
  [
    ...referenceShapes,
    Type.Object({ table: TableName, invoice: IdentifierOption, event: IdentifierOption }, closed),
    Type.Null(),
  ],
  {
    description: `a column name, ${lookupForm}, { table, invoice, event } for a table that links invoices and events, or null where invoices have no event`,
  },
)

const ArchivedTestOption = Type.Object(
  {
    column: ColumnName,
    is: Type.Union([Type.Literal('set'), Type.Object({ equals: TestValue }, closed)], {
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
/** The workspace of a row as the mapping names it. */
export type WorkspaceMapping = Static<typeof WorkspaceOption>
/** A status as the mapping names it. */
export type StatusMapping = Static<typeof StatusOption>
/** The filter `eventId` as the mapping names it. */
export type EventFilterMapping = Static<typeof EventFilterOption>
/** A condition on one column as the mapping names it. */
export type RowTestMapping = Static<typeof RowTestOption>
/** What makes a record archived. */
export type ArchivedMapping = Static<typeof ArchivedOption>

/** What every lookup has. */
export interface LookupMapping {
  readonly from: string
  readonly on:
    string | { readonly from: string; readonly on: string; readonly key?: string; readonly column: string }
  readonly key?: string
}

/** The column of an option that is a name alone or an object with a column. */
export function nameOf(option: string | { readonly column: string }): string {
  return typeof option === 'string' ? option : option.column
}

/** Whether an option reads another table. */
export function isLookup(option: unknown): option is LookupMapping {
  return typeof option === 'object' && option !== null && 'from' in option && 'on' in option
}

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import {
  Archived,
  ArchivedTest,
  ColumnName,
  Identifier,
  InvalidRows,
  Scope,
  Status,
  TableName,
  closed,
} from './mapping-parts.js'

const ApiKeys = Type.Object(
  {
    table: TableName,
    hash: Type.Object(
      {
        column: ColumnName,
        algorithm: Type.Union([Type.Literal('sha256'), Type.Literal('sha384'), Type.Literal('sha512')], {
          description: 'sha256, sha384 or sha512',
        }),
        encoding: Type.Union(
          [Type.Literal('hex'), Type.Literal('base64'), Type.Literal('base64url'), Type.Literal('binary')],
          { description: 'hex (lower case), base64, base64url or binary' },
        ),
      },
      closed,
    ),
    workspace: Identifier,
    scopes: Type.Union(
      [
        Type.Object(
          {
            column: ColumnName,
            format: Type.Union([Type.Literal('space'), Type.Literal('comma'), Type.Literal('json')], {
              description: 'space, comma or json',
            }),
          },
          closed,
        ),
        Type.Object({ grant: Type.Array(Scope, { minItems: 1, uniqueItems: true }) }, closed),
      ],
      { description: '{ column, format: space | comma | json }, or { grant: [scope…] } for every key' },
    ),
    prefix: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,16}$',
        description:
          '1 to 16 letters, digits, _ or -; only where `vitrine key` minted every key: another text is refused unseen',
      }),
    ),
    expiresAt: Type.Optional(ColumnName),
    revokedAt: Type.Optional(ColumnName),
  },
  closed,
)

const Registrations = Type.Object(
  {
    table: TableName,
    workspace: Identifier,
    archived: Archived,
    invalidRows: InvalidRows,
    fields: Type.Object(
      {
        id: Identifier,
        eventId: Identifier,
        status: Status,
        name: Type.Union(
          [
            ColumnName,
            Type.Object(
              {
                columns: Type.Array(ColumnName, { minItems: 1, maxItems: 8 }),
                separator: Type.Optional(Type.String()),
              },
              closed,
            ),
          ],
          { description: 'a column name, or { columns: [column…], separator }' },
        ),
        email: ColumnName,
        checkedIn: Type.Union([ColumnName, Type.Object({ from: Type.Literal('checkedInAt') }, closed)], {
          description: 'a boolean column, or { from: checkedInAt }',
        }),
        checkedInAt: Type.Optional(ColumnName),
        createdAt: ColumnName,
        updatedAt: ColumnName,
      },
      closed,
    ),
  },
  closed,
)

const Invoices = Type.Object(
  {
    table: TableName,
    workspace: Identifier,
    archived: Archived,
    invalidRows: InvalidRows,
    eventId: Type.Union(
      [Identifier, Type.Object({ table: TableName, invoice: Identifier, event: Identifier }, closed)],
      {
        description: 'a column name, or { table, invoice, event } for a table that links invoices and events',
      },
    ),
    fields: Type.Object(
      {
        id: Identifier,
        number: ColumnName,
        status: Status,
        total: Type.Union(
          [
            ColumnName,
            Type.Object(
              {
                column: ColumnName,
                unit: Type.Union([Type.Literal('major'), Type.Literal('minor')], {
                  description: 'major or minor',
                }),
              },
              closed,
            ),
          ],
          { description: 'a DECIMAL column, or { column, unit: minor } for an integer of minor units' },
        ),
        currency: Type.Union(
          [
            ColumnName,
            Type.Object(
              { constant: Type.String({ pattern: '^[A-Z]{3}$', description: 'an ISO 4217 code' }) },
              closed,
            ),
          ],
          { description: 'a column name, or { constant: SAR }' },
        ),
        issueDate: ColumnName,
        dueDate: ColumnName,
        createdAt: ColumnName,
        updatedAt: ColumnName,
      },
      closed,
    ),
  },
  closed,
)

/** The shape of the mapping file; editors read `config/mapping.schema.json`. Source: `docs/contract.md`, "Mapping file". */
export const MappingSchema = Type.Object(
  {
    timezone: Type.String({
      pattern: '^[+-](0\\d|1[0-4]):[0-5]\\d$',
      default: '+00:00',
      description: 'what DATETIME columns mean: a fixed offset in quotes, such as "+03:00"',
    }),
    apiKeys: ApiKeys,
    registrations: Registrations,
    invoices: Invoices,
    neverRead: Type.Array(
      Type.String({ pattern: '^[^.]+\\.[^.]+$', description: 'table.column, with * as a wildcard' }),
      { description: 'columns that must never be read: table.column, with * as a wildcard' },
    ),
  },
  { ...closed, $id: 'https://vitrine.invalid/mapping.schema.json', title: "Vitrine's mapping file" },
)

/** The mapping file, checked. */
export type Mapping = Static<typeof MappingSchema>
/** A column of identifiers as the mapping names it. */
export type IdentifierMapping = Static<typeof Identifier>
/** A status column as the mapping names it. */
export type StatusMapping = Static<typeof Status>
/** One thing that makes a record archived. */
export type ArchivedTestMapping = Static<typeof ArchivedTest>
/** What makes a record archived. */
export type ArchivedMapping = Static<typeof Archived>

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { collectionNames } from '../collections/collection.js'
import type { ResolverInput } from '../collections/column-resolver.js'
import { invoices } from '../collections/invoices.js'
import { allScopes, closed, ColumnName, oneOf, OwnTestOption, TableName } from '../collections/options.js'
import { registrations } from '../collections/registrations.js'
import { TimeOption } from '../collections/time-fields.js'
import { KeyWorkspaceOption } from '../collections/workspace.js'

const ApiKeys = Type.Object(
  {
    table: TableName,
    hash: Type.Object(
      {
        column: ColumnName,
        algorithm: oneOf(['sha256', 'sha384', 'sha512']),
        encoding: oneOf(['hex', 'base64', 'base64url', 'binary'], {
          description: 'hex (lower case), base64, base64url or binary',
        }),
        of: Type.Optional(
          oneOf(['afterBar'], {
            description: 'afterBar, where keys have the form id|token, and the hash is of the token',
          }),
        ),
      },
      closed,
    ),
    workspace: KeyWorkspaceOption,
    scopes: Type.Union(
      [
        Type.Object(
          {
            column: ColumnName,
            format: oneOf(['space', 'comma', 'json']),
            all: Type.Optional(
              Type.String({
                pattern: '^.',
                description: 'the word that stands for every scope, such as "*"',
              }),
            ),
          },
          closed,
        ),
        Type.Object({ grant: Type.Array(oneOf(allScopes), { minItems: 1 }) }, closed),
      ],
      {
        description:
          '{ column, format: space | comma | json, all: "*" }, or { grant: [scope…] } for every key',
      },
    ),
    prefix: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,16}$',
        description:
          '1 to 16 letters, digits, _ or -; only where `vitrine key` minted every key: other keys are rejected without a lookup',
      }),
    ),
    expiresAt: Type.Optional(TimeOption),
    revokedAt: Type.Optional({
      ...TimeOption,
      description: `${TimeOption.description}; any value revokes the key, a time to come too`,
    }),
    rateLimitPerMinute: Type.Optional(ColumnName),
    where: Type.Optional(
      Type.Array(OwnTestOption, {
        description: 'a list of tests of columns; a row that fails one is not a key',
      }),
    ),
  },
  closed,
)

/** What `timezone` takes, in words. */
export const zoneForm =
  'what DATETIME columns mean: an offset in quotes, such as "+03:00", or the name of a zone, such as Europe/Berlin'

/** The shape of the mapping file; editors read `config/mapping.schema.json`. Source: `docs/contract.md`, "Mapping file". */
export const MappingSchema = Type.Object(
  {
    timezone: Type.Optional(
      Type.String({
        pattern: '^([+-](0\\d|1[0-4]):[0-5]\\d|[A-Za-z][\\w+/-]{0,63})$',
        default: '+00:00',
        description: zoneForm,
      }),
    ),
    zeroDates: Type.Optional(
      Type.Boolean({ description: 'true where columns of times hold zero dates, which count as NULL' }),
    ),
    epoch: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          '0 without it; raised where answers change without updatedAt, such as another mapping of a status or a restored backup: copies are then read anew',
      }),
    ),
    heartbeat: Type.Optional(
      Type.Object(
        { table: TableName, column: ColumnName, oldestOpen: Type.Optional(ColumnName) },
        {
          ...closed,
          description:
            'a row that pt-heartbeat --utc or a job of the product writes every second: its age is the lag of a host; TIMESTAMP, or DATETIME or text in UTC; oldestOpen is a column of the same forms with the start of the oldest open transaction',
        },
      ),
    ),
    apiKeys: ApiKeys,
    registrations: Type.Optional(registrations.section),
    invoices: Type.Optional(invoices.section),
    neverRead: Type.Array(
      Type.String({ pattern: '^[^.]+\\.[^.]+$', description: 'table.column, with * as a wildcard' }),
      { description: 'columns that must never be read: table.column, with * as a wildcard; [] for none' },
    ),
  },
  { ...closed, $id: 'https://vitrine.invalid/mapping.schema.json', title: "Vitrine's mapping file" },
)

/** The mapping file, checked, and what only the database says: primary keys, and the row ends of system-versioned tables. */
export type Mapping = Static<typeof MappingSchema> &
  Pick<ResolverInput, 'primaryKeys' | 'entriesMax'> & {
    readonly rowEnds?: readonly (readonly [table: string, column: string])[]
  }

/** The sections of the mapping file that name tables, in its order. */
export const sectionNames = ['apiKeys', ...collectionNames] as const

/** A section of the mapping file that a schema may fit or not. */
export type SectionName = (typeof sectionNames)[number]

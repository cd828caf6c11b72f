import { Type } from '@sinclair/typebox'
import type { Row } from '../database/statement.js'
import { isZeroEpoch } from '../values/epoch.js'
import { readIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'
import { isZeroDate } from '../values/timestamp.js'
import { joinTexts, readBoolean, readText } from '../values/text.js'
import type { Field, ResolvedField } from './field.js'
import { ReferenceOption, TextOption, lookupOf } from './lookup-option.js'
import { ColumnName, IdentifierOption, OwnColumnName, closed, listColumnNames, nameOf } from './options.js'
import type { IdentifierColumn } from './resolved-table.js'

/** What callers read about a field. */
export interface Documented<Example = string> {
  readonly description: string
  readonly example: Example
}

/** A reader of text. */
export type ReadText = (row: Row) => string

/** How an identifier is shown, in words, for the report of `check`. */
export const identifierTransforms: Readonly<Record<IdentifierKind, string>> = {
  text: 'as it stands',
  ascii: 'as it stands',
  signed: 'the number as text',
  unsigned: 'the number as text',
  uuid: 'its bytes as a lower-case UUID',
  'uuid-swapped': "its bytes as a lower-case UUID, UUID_TO_BIN's swap undone",
}

/** An opaque identifier: text, an integer or a UUID of 16 bytes. */
export function identifier({ description, example }: Documented) {
  return {
    schema: Type.String({
      description: `${description} Opaque: compare it, do not take it apart.`,
      examples: [example],
    }),
    option: IdentifierOption,
    resolve: (option, name, resolver) => {
      const path = `fields.${name}`
      return toIdentifierField(name, resolver.follow(option, path).findIdentifier(option, path))
    },
  } satisfies Field<typeof IdentifierOption>
}

/** The identifier of another record, in a column of this table or of one that a lookup reads. */
export function foreignIdentifier(documented: Documented) {
  return { ...identifier(documented), option: ReferenceOption } satisfies Field<typeof ReferenceOption>
}

/** A reference that people read, such as an invoice's number: text or an integer. */
export function reference({ description, example }: Documented) {
  return {
    schema: Type.String({ description, examples: [example] }),
    option: TextOption,
    resolve: (option, name, resolver) => {
      const path = `fields.${name}`
      return toIdentifierField(name, resolver.follow(option, path).findCode(nameOf(option), path))
    },
  } satisfies Field<typeof TextOption>
}

function toIdentifierField(
  name: string,
  found: IdentifierColumn,
): ResolvedField<ReadText> & { readonly found: IdentifierColumn } {
  return {
    found,
    projection: [{ as: name, column: found.column, lookup: found.lookup }],
    read: (row) => readIdentifier(row[name], found.identifier),
    transform: identifierTransforms[found.identifier],
  }
}

/** Text of any script, as it stands. */
export function text({ description, example }: Documented) {
  return {
    schema: Type.String({ description, examples: [example] }),
    option: TextOption,
    resolve: (option, name, resolver): ResolvedField<ReadText> => {
      const path = `fields.${name}`
      const { find, lookup } = resolver.follow(option, path)
      return {
        projection: [{ as: name, column: find(nameOf(option), ['text'], path), lookup }],
        read: (row) => readText(row[name]),
        transform: identifierTransforms.text,
      }
    },
  } satisfies Field<typeof TextOption>
}

const joined = {
  columns: Type.Array(ColumnName, { minItems: 1, maxItems: 8 }),
  separator: Type.Optional(Type.String()),
}
const PersonNameOption = Type.Union(
  [
    OwnColumnName,
    Type.Object(joined, closed),
    Type.Object({ ...lookupOf, column: ColumnName }, closed),
    Type.Object({ ...lookupOf, ...joined }, closed),
  ],
  {
    description:
      'a column name, { columns: [column…], separator }, or either of another table with { from, on, key }',
  },
)

/** A person's name, in one column or in several that are joined. */
export function personName({ description, example }: Documented) {
  return {
    schema: Type.String({ description, examples: [example] }),
    option: PersonNameOption,
    resolve: (option, name, resolver): ResolvedField<ReadText> => {
      const path = `fields.${name}`
      const { find, lookup } = resolver.follow(option, path)
      // The parts are selected as name, name2, name3.
      const parts = listColumnNames(option).map((column, at) => ({
        as: at === 0 ? name : `${name}${at + 1}`,
        column: find(column, ['text'], path),
        lookup,
      }))
      if (parts.length === 1)
        return { projection: parts, read: (row) => readText(row[name]), transform: identifierTransforms.text }
      const separator = typeof option === 'object' && 'columns' in option ? (option.separator ?? ' ') : ' '
      return {
        projection: parts,
        read: (row) =>
          joinTexts(
            parts.map(({ as }) => row[as]),
            separator,
          ),
        transform: `joined by ${JSON.stringify(separator)}, empty parts left out`,
      }
    },
  } satisfies Field<typeof PersonNameOption>
}

/** A boolean: a column that is not 0, whether the time of another field is set, or false where there is none. */
export function flag<Name extends string>({
  description,
  example,
  from,
}: Documented<boolean> & { readonly from: Name }) {
  const option = Type.Union(
    [
      ColumnName,
      Type.Object({ from: Type.Literal(from) }, closed),
      Type.Object({ constant: Type.Literal(false, { description: 'false' }) }, closed),
    ],
    { description: `a boolean column, { from: ${from} }, or { constant: false } where the product has none` },
  )
  return {
    schema: Type.Boolean({ description, examples: [example] }),
    option,
    findIssue: (mapped, options) =>
      typeof mapped === 'string' || 'constant' in mapped || options[from] !== undefined
        ? undefined
        : {
            path: '',
            found: `from: ${from}, which is not mapped`,
            allowed: `a boolean column, a mapped ${from}, or { constant: false }`,
          },
    resolve: (mapped, name, resolver): ResolvedField<(row: Row) => boolean> => {
      if (typeof mapped === 'string')
        return {
          projection: [{ as: name, column: resolver.find(mapped, ['integer', 'bit'], `fields.${name}`) }],
          read: (row) => readBoolean(row[name]),
          transform: 'true unless 0',
        }
      if ('constant' in mapped) return { projection: [], read: () => false, transform: 'always false' }
      return {
        projection: [],
        // An integer time is 0 where there is none.
        read: (row) => (row[from] ?? null) !== null && !isZeroDate(row[from]) && !isZeroEpoch(row[from]),
        transform: `true when ${from} is set`,
      }
    },
  } satisfies Field<typeof option>
}

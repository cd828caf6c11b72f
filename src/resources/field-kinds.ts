import { Type } from '@sinclair/typebox'
import type { Row } from '../database/statement.js'
import { RowFault } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'
import { joinTexts, readBoolean, readText } from '../values/text.js'
import type { Field, ResolvedField } from './field.js'
import { ColumnName, IdentifierOption, StatusOption, closed, nameOf } from './options.js'
import type { IdentifierColumn, StatusColumn } from './resolved-table.js'

/** What callers read about a field. */
export interface Documented<Example = string> {
  readonly description: string
  readonly example: Example
}

/** A reader of text. */
export type ReadText = (row: Row) => string

const identifierTransforms: Readonly<Record<IdentifierKind, string>> = {
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
    listColumns: (option) => [nameOf(option)],
    resolve: (option, name, resolver) =>
      toIdentifierField(name, resolver.findIdentifier(option, `fields.${name}`)),
  } satisfies Field<typeof IdentifierOption>
}

/** A reference that people read, such as an invoice's number: text or an integer. */
export function reference({ description, example }: Documented) {
  return {
    schema: Type.String({ description, examples: [example] }),
    option: ColumnName,
    listColumns: (option) => [option],
    resolve: (option, name, resolver) =>
      toIdentifierField(name, resolver.findStatus(option, `fields.${name}`)),
  } satisfies Field<typeof ColumnName>
}

function toIdentifierField(
  name: string,
  found: IdentifierColumn,
): ResolvedField<ReadText> & { readonly found: IdentifierColumn } {
  return {
    found,
    projection: [{ as: name, column: found.column }],
    read: (row) => readIdentifier(row[name], found.identifier),
    transform: identifierTransforms[found.identifier],
  }
}

/** The product's word for a record's state; with a list in the mapping, the public word of each stored value. */
export function status({ example }: Pick<Documented, 'example'>) {
  return {
    schema: Type.String({
      description: 'The state of the record, in the words of the product; new ones may come.',
      examples: [example],
    }),
    option: StatusOption,
    listColumns: (option) => [nameOf(option)],
    resolve: (option, name, resolver) => toStatusField(name, resolver.findStatus(option, `fields.${name}`)),
  } satisfies Field<typeof StatusOption>
}

function toStatusField(
  name: string,
  found: StatusColumn,
): ResolvedField<ReadText> & { readonly found: StatusColumn } {
  const { column, identifier: kind, values } = found
  const transform =
    values === undefined
      ? identifierTransforms[kind]
      : [...values].map(([stored, shown]) => `${stored} as ${shown}`).join(', ')
  const read = (row: Row): string => {
    const stored = readIdentifier(row[name], kind)
    const shown = values === undefined ? stored : values.get(stored)
    if (shown === undefined) throw new RowFault('is not in the mapping', stored)
    return shown
  }
  return { found, projection: [{ as: name, column }], read, transform }
}

/** Text of any script, as it stands. */
export function text({ description, example }: Documented) {
  return {
    schema: Type.String({ description, examples: [example] }),
    option: ColumnName,
    listColumns: (option) => [option],
    resolve: (option, name, resolver): ResolvedField<ReadText> => ({
      projection: [{ as: name, column: resolver.find(option, ['text'], `fields.${name}`) }],
      read: (row) => readText(row[name]),
      transform: identifierTransforms.text,
    }),
  } satisfies Field<typeof ColumnName>
}

const PersonNameOption = Type.Union(
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
)

/** A person's name, in one column or in several that are joined. */
export function personName({ description, example }: Documented) {
  return {
    schema: Type.String({ description, examples: [example] }),
    option: PersonNameOption,
    listColumns: (option) => (typeof option === 'string' ? [option] : option.columns),
    resolve: (option, name, resolver): ResolvedField<ReadText> => {
      const columns = typeof option === 'string' ? [option] : option.columns
      const separator = typeof option === 'string' ? ' ' : (option.separator ?? ' ')
      // The parts are selected as name, name2, name3.
      const parts = columns.map((column, at) => ({
        as: at === 0 ? name : `${name}${at + 1}`,
        column: resolver.find(column, ['text'], `fields.${name}`),
      }))
      if (parts.length === 1)
        return { projection: parts, read: (row) => readText(row[name]), transform: identifierTransforms.text }
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

/** A boolean: a column that is not 0, or whether the column of a field of time is set. */
export function flag<Name extends string>({
  description,
  example,
  from,
}: Documented<boolean> & { readonly from: Name }) {
  const option = Type.Union([ColumnName, Type.Object({ from: Type.Literal(from) }, closed)], {
    description: `a boolean column, or { from: ${from} }`,
  })
  return {
    schema: Type.Boolean({ description, examples: [example] }),
    option,
    listColumns: (mapped) => (typeof mapped === 'string' ? [mapped] : []),
    findIssue: (mapped, options) =>
      typeof mapped === 'string' || options[from] !== undefined
        ? undefined
        : {
            path: '',
            found: `from: ${from}, which is not mapped`,
            allowed: `a boolean column, or a mapped ${from}`,
          },
    resolve: (mapped, name, resolver): ResolvedField<(row: Row) => boolean> =>
      typeof mapped === 'string'
        ? {
            projection: [{ as: name, column: resolver.find(mapped, ['integer', 'bit'], `fields.${name}`) }],
            read: (row) => readBoolean(row[name]),
            transform: 'true unless 0',
          }
        : {
            projection: [],
            read: (row) => (row[from] ?? null) !== null,
            transform: `true when ${from} is set`,
          },
  } satisfies Field
}

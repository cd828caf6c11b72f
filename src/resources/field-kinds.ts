import { Type } from '@sinclair/typebox'
import type { Cells } from '../database/cells.js'
import { RowFault } from '../errors.js'
import { isZeroEpoch } from '../values/epoch.js'
import { readIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'
import { isZero } from '../values/date-time.js'
import { joinTexts } from '../values/text.js'
import type { BoundField, Field, ResolvedField } from './field.js'
import { ReferenceOption, TextOption, lookupOf } from './lookup-option.js'
import { ColumnName, IdentifierOption, OwnColumnName, closed, listColumnNames, nameOf } from './options.js'
import type { IdentifierColumn } from './resolved-table.js'

/** What callers read about a field. */
export interface Documented<Example = string> {
  readonly description: string
  readonly example: Example
}

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
): ResolvedField & { readonly found: IdentifierColumn } {
  return {
    found,
    projection: [{ as: name, column: found.column, lookup: found.lookup }],
    bind: ({ at }) => bindIdentifierCell(at(name), found),
    transform: identifierTransforms[found.identifier],
  }
}

/** A cell that is shown as its text. */
export function bindIdentifierCell(at: number, { identifier }: IdentifierColumn): BoundField {
  if (identifier === 'text' || identifier === 'ascii') return bindText(at, 'is not an identifier')
  return {
    write: (cells, out) => {
      out.ascii(`"${readIdentifier(cells.value(at), identifier)}"`)
    },
  }
}

/** A cell of text, unchanged. @param mismatch why a cell of another type cannot be shown. */
export function bindText(at: number, mismatch = 'is not text'): BoundField {
  return {
    write: (cells, out) => {
      if (cells.isNull(at)) throw new RowFault('is NULL')
      if (!cells.isText(at)) throw new RowFault(mismatch)
      out.text(cells.bytes, cells.start(at), cells.start(at) + cells.length(at))
    },
  }
}

function bindNullable(at: number): BoundField {
  const { write } = bindText(at)
  return {
    write: (cells, out) => {
      if (cells.isNull(at)) out.ascii('null')
      else write(cells, out)
    },
  }
}

/** Text of any script, as it stands. @param nullable whether NULL is shown as null; without it, such a row is invalid. */
export function text<Nullable extends boolean = false>({
  description,
  example,
  nullable,
}: Documented & { readonly nullable?: Nullable }) {
  const type = nullable === true ? ['string', 'null'] : 'string'
  return {
    schema: Type.Unsafe<Nullable extends true ? string | null : string>({
      type,
      description,
      examples: [example],
    }),
    option: TextOption,
    resolve: (option, name, resolver): ResolvedField => {
      const path = `fields.${name}`
      const { find, lookup } = resolver.follow(option, path)
      return {
        projection: [{ as: name, column: find(nameOf(option), ['text'], path), lookup }],
        bind: ({ at }) => (nullable === true ? bindNullable(at(name)) : bindText(at(name))),
        transform: `${identifierTransforms.text}${nullable === true ? '; null where NULL' : ''}`,
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
    resolve: (option, name, resolver): ResolvedField => {
      const path = `fields.${name}`
      const { find, lookup } = resolver.follow(option, path)
      // The parts are selected as name, name2, name3.
      const parts = listColumnNames(option).map((column, at) => ({
        as: at === 0 ? name : `${name}${at + 1}`,
        column: find(column, ['text'], path),
        lookup,
      }))
      if (parts.length === 1)
        return {
          projection: parts,
          bind: ({ at }) => bindText(at(name)),
          transform: identifierTransforms.text,
        }
      const separator = typeof option === 'object' && 'columns' in option ? (option.separator ?? ' ') : ' '
      return {
        projection: parts,
        bind: ({ at }) => {
          const positions = parts.map(({ as }) => at(as))
          return {
            write: (cells, out) => {
              out.string(
                joinTexts(
                  positions.map((one) => cells.value(one)),
                  separator,
                ),
              )
            },
          }
        },
        transform: `joined by ${JSON.stringify(separator)}, empty parts left out`,
      }
    },
  } satisfies Field<typeof PersonNameOption>
}

/** Whether a cell holds a time: not NULL, no zero date, and not 0 in a column of integers. */
export function hasTime(cells: Cells, at: number): boolean {
  if (cells.isNull(at)) return false
  const time = cells.time(at) ?? cells.day(at)
  return time === undefined ? !isZeroEpoch(cells.value(at)) : !isZero(time)
}

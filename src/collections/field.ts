import type { Static, TOptional, TSchema } from '@sinclair/typebox'
import type { Row } from '../database/statement.js'
import type { ColumnResolver } from './column-resolver.js'
import type { Projected } from './resolved-table.js'

/*
 * A public field is declared once, by one call of a field kind in `registrations.ts` or `invoices.ts`. From that
 * declaration come its JSON schema, what the mapping file may say for it, the columns that `grants` prints, the columns
 * that statements select, the reader of its cells, and its line in the report of `check`.
 */

/** What callers read about a field. */
export interface Documented<Example = string> {
  readonly description: string
  readonly example: Example
}

/** Reads the value of another field of the same row. @throws RowFault */
export type ReadField = (field: string, row: Row) => unknown

/** A field whose columns were found. */
export interface ResolvedField {
  /** The columns that statements select; empty where the value is a constant or comes from another field's column. */
  readonly projection: readonly Projected[]
  /** The value of a row, null for none. @throws RowFault when the row cannot be shown truthfully. */
  readonly read: (row: Row, readField: ReadField) => string | boolean | null
  /** Whether a text of it never has a character that JSON escapes. */
  readonly isPlain?: boolean
  /** Why a row without a value cannot be shown, `is NULL` where undefined; null where it is shown as null. */
  readonly missing?: string | null
  /** How the cell becomes the value, in words, for the report of `check`. */
  readonly transform: string
}

/** What the mapping holds for an option: undefined where an optional one was left out. */
type OptionValue<Option extends TSchema> =
  Option extends TOptional<TSchema> ? Static<Option> | undefined : Static<Option>

/**
 * The declaration of a public field. A method, so that fields of all kinds fit one record: TypeScript compares the
 * parameters of methods both ways.
 */
export interface Field<Option extends TSchema = TSchema, Resolved extends ResolvedField = ResolvedField> {
  /** The JSON schema of the value. */
  readonly schema: TSchema
  /** What the mapping file may say for the field; `Type.Optional` where it may be left out. */
  readonly option: Option
  /** Finds the columns. What no schema can express is an issue too. @param columns for this field */
  resolve(option: OptionValue<Option>, columns: ColumnResolver): Resolved
}

/** A field with the types that its parts have. */
export function defineField<Option extends TSchema, Resolved extends ResolvedField>(
  schema: TSchema,
  option: Option,
  resolve: (option: OptionValue<Option>, columns: ColumnResolver) => Resolved,
): Field<Option, Resolved> {
  return { schema, option, resolve }
}

/** A field that the mapping leaves out. */
export const alwaysNull: ResolvedField = {
  projection: [],
  read: () => null,
  missing: null,
  transform: 'always null',
}

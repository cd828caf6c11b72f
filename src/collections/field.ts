import type { Static, TOptional, TSchema } from '@sinclair/typebox'
import type { Column, ColumnKind } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import type { Row } from '../database/statement.js'
import type { ConfigIssue } from '../errors.js'
import type { EpochUnit } from '../values/epoch.js'
import type { Zone } from '../values/instant.js'
import type { LookupMapping, RowTestMapping } from './section-options.js'
import type { IdentifierColumn, Lookup, Projected, RowTest, TimeColumn } from './resolved-table.js'

/*
 * A public field is declared once, by one call of a field kind in `registrations.ts` or `invoices.ts`. From that
 * declaration come its JSON schema, what the mapping file may say for it, the columns that `grants` prints, the columns
 * that statements select, the reader of its cells, and its line in the report of `check`.
 */

/** Reads the value of another field of the same row. @throws RowFault */
export type ReadField = (field: string) => unknown

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

/** Something in the mapping of a field that no schema can express. */
export interface FieldIssue {
  /** Below the path of the field, such as `.constant`. */
  readonly path: string
  readonly found: string
  readonly allowed: string
}

/** What the mapping holds for an option: undefined where an optional one was left out. */
type OptionValue<Option extends TSchema> =
  Option extends TOptional<TSchema> ? Static<Option> | undefined : Static<Option>

/**
 * The declaration of a public field. Methods, so that fields of all kinds fit one record: TypeScript compares the
 * parameters of methods both ways.
 */
export interface Field<Option extends TSchema = TSchema, Resolved extends ResolvedField = ResolvedField> {
  /** The JSON schema of the value. */
  readonly schema: TSchema
  /** What the mapping file may say for the field; `Type.Optional` where it may be left out. */
  readonly option: Option
  /** Finds the columns; `name` is the name of the field. */
  resolve(option: OptionValue<Option>, name: string, resolver: ColumnResolver): Resolved
  /** What is wrong with the option beside the options of the other fields. */
  findIssue?(option: OptionValue<Option>, options: Readonly<Record<string, unknown>>): FieldIssue | undefined
}

/**
 * Finds the columns of one table that the mapping names. A column that is missing or unreadable is an issue; all issues
 * are collected, so that they are reported together. Paths are relative to the section of the mapping.
 */
export interface ColumnResolver {
  /** The lookup that reads this table; undefined for the section's own table. */
  readonly lookup: Lookup | undefined
  /** A resolver for the table that a lookup reads, or this one for an option that is no lookup. */
  readonly follow: (option: unknown, path: string) => ColumnResolver
  readonly find: (name: string, accepted: AcceptedColumn, path: string) => Column
  readonly findIdentifier: (option: ColumnOfIdentifiers, path: string) => IdentifierColumn
  /** Like `findIdentifier`, for a value that callers do not see. */
  readonly findWorkspace: (option: ColumnOfIdentifiers, path: string) => IdentifierColumn
  /** A DATETIME or DATE has the zone of the mapping, a TIMESTAMP is in UTC. */
  readonly findTime: (option: ColumnOfTimes, path: string) => TimeColumn
  /** Like `findTime`, and a DATE too. */
  readonly findDay: (option: ColumnOfTimes, path: string) => TimeColumn
  /** Text or an integer. */
  readonly findCode: (name: string, path: string) => IdentifierColumn
  /** A test of a column of this table, or of one that a lookup reads. */
  readonly findTest: (option: RowTestMapping, path: string) => RowTest
  /** A resolver for another table. */
  readonly of: (table: string) => ColumnResolver
  /** All rows of another table whose key has the value of a column. */
  readonly findLines: (option: LookupMapping, path: string) => Lookup
  /** Adds an issue for a column that the option cannot be served by. */
  readonly reportColumn: (column: Column, allowed: string, path: string) => void
  /** Adds an issue for a value that a column cannot hold. */
  readonly reportValue: (value: string, column: Column, path: string) => void
}

/** The columns that serve an option. */
export interface AcceptedColumn {
  readonly kinds: readonly ColumnKind[]
  /** The same in words, with the options that accept other columns. */
  readonly form: string
}

/** An option that names a column of identifiers. */
export type ColumnOfIdentifiers = string | { readonly column: string; readonly as?: 'uuid' | 'uuid-swapped' }
/** An option that names a column of times. */
export type ColumnOfTimes = string | { readonly column: string; readonly epoch?: EpochUnit }

/** Where columns are looked for. */
export interface ResolverInput {
  readonly schema: Schema
  readonly table: string
  /** The section's path in the mapping file. */
  readonly section: string
  /** What a DATETIME means; undefined for UTC. */
  readonly zone: Zone | undefined
  /** Whether columns of times can hold zero dates. */
  readonly zeroDates?: boolean | undefined
  /** The lookup that reads the table. */
  readonly lookup?: Lookup | undefined
  /** Issues are added here. */
  readonly issues: ConfigIssue[]
  /** Called for each column that the mapping names, found or not. */
  readonly onColumn?: ((column: MappedColumn) => void) | undefined
}

/** What a section of the mapping is resolved against; with any issue added, the result must not be used. */
export type SectionInput = Pick<ResolverInput, 'schema' | 'zone' | 'zeroDates' | 'issues' | 'onColumn'>

/** A column that the mapping names. */
export interface MappedColumn {
  readonly table: string
  readonly column: string
  /** Path in the mapping file, such as `registrations.fields.status`. */
  readonly path: string
  /** Whether the file does not name it, and the schema was not read, which has its name. */
  readonly isAssumed?: boolean
}

/** What is found at a place whose column is missing. */
export const isGone = 'which does not exist or may not be read'

/** The issue of a place whose column is missing. */
export function toMissingIssue(path: string, missing: NonNullable<ConfigIssue['missing']>): ConfigIssue {
  const found = `${missing.table}.${missing.column}, ${isGone}`
  return { path, found, allowed: 'a column that the database user may read', missing }
}

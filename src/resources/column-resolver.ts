import type { Column, ColumnKind } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { toStoredIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'
import { nameOf } from './options.js'
import type { ArchivedMapping, ArchivedTestMapping, IdentifierMapping, StatusMapping } from './options.js'
import type { ArchivedTest, IdentifierColumn, StatusColumn, TimeColumn } from './resolved-table.js'

/**
 * Finds the columns of one table that the mapping names. A column that is missing or unreadable is an issue; all issues
 * are collected, so that they are reported together. Paths are relative to the section of the mapping.
 */
export interface ColumnResolver {
  readonly find: (name: string, kinds: readonly ColumnKind[], path: string) => Column
  readonly findIdentifier: (option: IdentifierMapping, path: string) => IdentifierColumn
  readonly findStatus: (option: StatusMapping, path: string) => StatusColumn
  /** A DATETIME has the offset of the mapping, a TIMESTAMP none. */
  readonly findTime: (name: string, path: string) => TimeColumn
  /** Like `findTime`, and a DATE too. */
  readonly findDay: (name: string, path: string) => TimeColumn
  readonly findArchived: (option: ArchivedMapping, path: string) => readonly ArchivedTest[]
}

/** Where columns are looked for. */
export interface ResolverInput {
  readonly schema: Schema
  readonly table: string
  /** The section's path in the mapping file. */
  readonly section: string
  /** What a DATETIME means: minutes east of UTC. */
  readonly offsetMinutes: number
  /** Issues are added here. */
  readonly issues: ConfigIssue[]
}

/** Replaces a column that was not found: nothing reads it, because a section with issues is not served. */
const missing: Column = {
  name: '',
  kind: 'unreadable',
  type: '',
  nullable: true,
  unsigned: false,
  length: 0,
  fractionDigits: 0,
  characterSet: null,
  collation: null,
  zerofill: false,
}

/** A resolver for one table of the live schema. */
export function createColumnResolver(input: ResolverInput): ColumnResolver {
  const find: ColumnResolver['find'] = (name, kinds, path) => findColumn(input, { name, kinds, path })
  const findTime = (name: string, kinds: readonly ColumnKind[], path: string): TimeColumn => {
    const column = find(name, kinds, path)
    return { column, offsetMinutes: column.kind === 'datetime' ? input.offsetMinutes : 0 }
  }
  return {
    find,
    findIdentifier: (option, path) => findIdentifier(input, option, path),
    findStatus: (option, path) => findStatus(input, option, path),
    findTime: (name, path) => findTime(name, ['datetime', 'timestamp'], path),
    findDay: (name, path) => findTime(name, ['date', 'datetime', 'timestamp'], path),
    findArchived: (option, path) =>
      (Array.isArray(option) ? option : [option]).map((one) => findArchived(input, one, path)),
  }
}

/** A column that the mapping names. */
interface Wanted {
  readonly name: string
  readonly kinds: readonly ColumnKind[]
  readonly path: string
}

function findColumn(
  { schema, table, section, issues }: ResolverInput,
  { name, kinds, path }: Wanted,
): Column {
  const column = schema.get(table)?.columns.get(name.toLowerCase())
  if (column !== undefined && kinds.includes(column.kind)) return column
  const isMissing = column === undefined
  issues.push({
    path: `${section}.${path}`,
    found: `${table}.${name}${isMissing ? ', which does not exist or may not be read' : ` of type ${column.type}`}`,
    allowed: isMissing ? 'a column that the database user may read' : kinds.map(toWords).join(', '),
  })
  return missing
}

function findIdentifier(input: ResolverInput, option: IdentifierMapping, path: string): IdentifierColumn {
  const column = findColumn(input, { name: nameOf(option), kinds: ['text', 'integer', 'binary'], path })
  const as = typeof option === 'string' ? undefined : option.as
  const isUuid = column.kind === 'binary' && column.length === 16
  if (column !== missing && isUuid !== (as !== undefined || column.kind === 'binary')) {
    input.issues.push({
      path: `${input.section}.${path}`,
      found: `${input.table}.${column.name} of type ${column.type}${as === undefined ? '' : ` as ${as}`}`,
      allowed: 'BINARY(16) for a UUID; else text or an integer',
    })
  }
  return { column, identifier: toIdentifierKind(column, as) }
}

function findStatus(input: ResolverInput, option: StatusMapping, path: string): StatusColumn {
  const column = findColumn(input, { name: nameOf(option), kinds: ['text', 'integer'], path })
  const identifier = toIdentifierKind(column, undefined)
  const values = typeof option === 'string' ? undefined : new Map(Object.entries(option.values))
  for (const stored of values?.keys() ?? []) {
    if (toStoredIdentifier(stored, identifier) !== undefined) continue
    reportValue(input, { path: `${path}.values`, found: stored, column })
  }
  return { column, identifier, values }
}

function findArchived(
  input: ResolverInput,
  { column: name, is }: ArchivedTestMapping,
  path: string,
): ArchivedTest {
  if (is === 'set') return { column: findColumn(input, { name, kinds: anyKind, path }), equals: undefined }
  const column = findColumn(input, { name, kinds: ['text', 'integer', 'bit'], path })
  const equals = toStored(is.equals)
  // Both servers compare other text with a number as 0, and archived records would be shown.
  const fits =
    column.kind === 'text'
      ? typeof is.equals === 'string' && isEnumLabel(column, is.equals)
      : /^-?\d+$/.test(equals)
  if (!fits && column !== missing) reportValue(input, { path, found: equals, column })
  return { column, equals }
}

/** False for a text that is not a label of an ENUM: it would archive nothing. */
function isEnumLabel({ type }: Column, value: string): boolean {
  if (!/^enum\(/i.test(type)) return true
  const labels = [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, label = '']) => label.replaceAll("''", "'"))
  return labels.some((label) => label.toLowerCase() === value.toLowerCase())
}

function reportValue(
  { table, section, issues }: ResolverInput,
  { path, found, column }: { path: string; found: string; column: Column },
): void {
  issues.push({
    path: `${section}.${path}`,
    found: `${JSON.stringify(found)} for ${table}.${column.name} of type ${column.type}`,
    allowed: 'a value that the column can hold; text in quotes',
  })
}

const anyKind: readonly ColumnKind[] = [
  'text',
  'integer',
  'bit',
  'date',
  'datetime',
  'timestamp',
  'decimal',
  'float',
  'json',
  'binary',
]

function toIdentifierKind(column: Column, as: 'uuid' | 'uuid-swapped' | undefined): IdentifierKind {
  if (column.kind === 'integer') return column.unsigned ? 'unsigned' : 'signed'
  if (column.kind === 'binary') return as ?? 'uuid'
  return column.characterSet === 'ascii' ? 'ascii' : 'text'
}

function toStored(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return String(value)
}

function toWords(kind: ColumnKind): string {
  const words: Partial<Record<ColumnKind, string>> = {
    text: 'CHAR, VARCHAR, TEXT or ENUM',
    integer: 'an integer type',
    binary: 'BINARY(16)',
    decimal: 'DECIMAL',
    bit: 'BIT',
    date: 'DATE',
    datetime: 'DATETIME',
    timestamp: 'TIMESTAMP',
    json: 'JSON',
  }
  return words[kind] ?? kind
}

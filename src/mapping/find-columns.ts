import type { Column, ColumnKind } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { toStoredIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'
import type {
  ArchivedMapping,
  ArchivedTestMapping,
  IdentifierMapping,
  StatusMapping,
} from './mapping-schema.js'
import { nameOf } from './mapped-columns.js'
import type { ArchivedTest, IdentifierColumn, StatusColumn, TimeColumn } from './source.js'

/** Looks up the columns of one table; what is missing or unreadable is gathered, so that all is told at once. */
export interface ColumnFinder {
  readonly find: (name: string, kinds: readonly ColumnKind[], path: string) => Column
  readonly findIdentifier: (option: IdentifierMapping, path: string) => IdentifierColumn
  readonly findStatus: (option: StatusMapping, path: string) => StatusColumn
  readonly findTime: (name: string, path: string) => TimeColumn
  readonly findArchived: (option: ArchivedMapping, path: string) => readonly ArchivedTest[]
}

interface FinderInput {
  readonly schema: Schema
  readonly table: string
  readonly section: string
  readonly offsetMinutes: number
  /** Faults are added here. */
  readonly faults: ConfigIssue[]
}

/** Stands for a column that was not found: the faults stop the start before anything reads it. */
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

/** A finder over one table of the live schema. */
export function createColumnFinder(input: FinderInput): ColumnFinder {
  const find: ColumnFinder['find'] = (name, kinds, path) => findColumn(input, { name, kinds, path })
  return {
    find,
    findIdentifier: (option, path) => findIdentifier(input, option, path),
    findStatus: (option, path) => findStatus(input, option, path),
    findTime: (name, path) => {
      const column = find(name, ['datetime', 'timestamp'], path)
      return { column, offsetMinutes: column.kind === 'timestamp' ? 0 : input.offsetMinutes }
    },
    findArchived: (option, path) =>
      (Array.isArray(option) ? option : [option]).map((one) => findArchived(input, one, path)),
  }
}

interface Wanted {
  readonly name: string
  readonly kinds: readonly ColumnKind[]
  readonly path: string
}

function findColumn({ schema, table, section, faults }: FinderInput, { name, kinds, path }: Wanted): Column {
  const column = schema.get(table)?.columns.get(name.toLowerCase())
  if (column !== undefined && kinds.includes(column.kind)) return column
  const missed = column === undefined
  faults.push({
    path: `${section}.${path}`,
    found: `${table}.${name}${missed ? ', which does not exist or may not be read' : ` of type ${column.type}`}`,
    allowed: missed ? 'a column that the database user may read' : kinds.map(toWords).join(', '),
  })
  return missing
}

function findIdentifier(input: FinderInput, option: IdentifierMapping, path: string): IdentifierColumn {
  const column = findColumn(input, { name: nameOf(option), kinds: ['text', 'integer', 'binary'], path })
  const as = typeof option === 'string' ? undefined : option.as
  const isUuid = column.kind === 'binary' && column.length === 16
  if (column !== missing && isUuid !== (as !== undefined || column.kind === 'binary')) {
    input.faults.push({
      path: `${input.section}.${path}`,
      found: `${input.table}.${column.name} of type ${column.type}${as === undefined ? '' : ` as ${as}`}`,
      allowed: 'BINARY(16) for a UUID; else text or an integer',
    })
  }
  return { column, identifier: toIdentifierKind(column, as) }
}

function findStatus(input: FinderInput, option: StatusMapping, path: string): StatusColumn {
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
  input: FinderInput,
  { column: name, is }: ArchivedTestMapping,
  path: string,
): ArchivedTest {
  if (is === 'set') return { column: findColumn(input, { name, kinds: anyKind, path }), equals: undefined }
  const column = findColumn(input, { name, kinds: ['text', 'integer', 'bit'], path })
  const equals = toStored(is.equals)
  // Compared with another text, a number counts as 0 on both servers, and archived records would be shown.
  const held =
    column.kind === 'text'
      ? typeof is.equals === 'string' && isOfList(column, is.equals)
      : /^-?\d+$/.test(equals)
  if (!held && column !== missing) reportValue(input, { path, found: equals, column })
  return { column, equals }
}

/** Whether an ENUM has the value among its labels; a mistyped one would archive nothing. */
function isOfList({ type }: Column, value: string): boolean {
  if (!/^enum\(/i.test(type)) return true
  const labels = [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, label = '']) => label.replaceAll("''", "'"))
  return labels.some((label) => label.toLowerCase() === value.toLowerCase())
}

function reportValue(
  { table, section, faults }: FinderInput,
  { path, found, column }: { path: string; found: string; column: Column },
): void {
  faults.push({
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

import type { Column } from '../database/column.js'
import type { IdentifierKind } from '../values/identifier.js'
import type {
  AcceptedColumn,
  ColumnOfIdentifiers,
  ColumnOfTimes,
  ColumnResolver,
  ResolverInput,
} from './field.js'
import { toMissingIssue } from './field.js'
import { findLines, findLookup } from './lookup.js'
import type { IdentifierColumn, TimeColumn } from './resolved-table.js'
import { findRowTest } from './row-test.js'
import { nameOf } from './options.js'
import { isLookup } from './section-options.js'
import type { LookupMapping } from './section-options.js'

/** Replaces a column that was not found: nothing reads it, because a section with issues is not served. */
const missingColumn: Column = {
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
  const find: ColumnResolver['find'] = (name, accepted, path) => findColumn(input, name, accepted, path)
  const resolver: ColumnResolver = {
    lookup: input.lookup,
    follow: (option, path) => (isLookup(option) ? follow(input, resolver, option, path) : resolver),
    find,
    findIdentifier: (option, path) => showZeros(findIdentifier(input, option, path)),
    findWorkspace: (option, path) => findIdentifier(input, option, path),
    findTime: (option, path) => findTime(input, option, times, path),
    findDay: (option, path) => findTime(input, option, days, path),
    findCode: (name, path) => {
      const column = find(name, codes, path)
      return showZeros({ column, lookup: input.lookup, identifier: toIdentifierKind(column, undefined) })
    },
    findTest: (option, path) => findRowTest(resolver.follow(option, path), option, path),
    of: (table) => createColumnResolver({ ...input, table, lookup: undefined }),
    findLines: (option, path) => findLines(input, resolver, option, path),
    reportColumn: ({ name, type }, allowed, path) => {
      const found = `${input.table}.${name} of type ${type}`
      input.issues.push({ path: `${input.section}.${path}`, found, allowed })
    },
    reportValue: (value, column, path) => {
      input.issues.push({
        path: `${input.section}.${path}`,
        found: `${JSON.stringify(value)} for ${input.table}.${column.name} of type ${column.type}`,
        allowed: describeValue(value, column),
      })
    },
  }
  return resolver
}

/** What a value of the mapping can be, and how a row without a value is tested. */
function describeValue(value: string, { name }: Column): string {
  return /^(?:null|~)$/i.test(value)
    ? `a stored value, which NULL is not; the test { column: ${name}, is: unset } holds for NULL, in a status as a case of when`
    : 'a value that the column can hold; text in quotes'
}

function follow(
  input: ResolverInput,
  resolver: ColumnResolver,
  option: LookupMapping,
  path: string,
): ColumnResolver {
  const lookup = findLookup(input, resolver, option, path)
  return createColumnResolver({ ...input, table: option.from, lookup })
}

function findColumn(
  { schema, table, section, zeroDates, issues, onColumn }: ResolverInput,
  name: string,
  { kinds, form: allowed }: AcceptedColumn,
  path: string,
): Column {
  onColumn?.({ table, column: name, path: `${section}.${path}` })
  const column = schema.get(table)?.columns.get(name.toLowerCase())
  if (column !== undefined && kinds.includes(column.kind))
    return zeroDates === true ? { ...column, mayBeZero: true } : column
  const place = `${section}.${path}`
  if (column === undefined) issues.push(toMissingIssue(place, { table, column: name }))
  else {
    const found = `${table}.${name} of type ${column.type}`
    issues.push({ path: place, found, allowed })
  }
  return missingColumn
}

/** What an identifier can be; an ENUM or SET, which is ordered by number, only where no order matters. */
const identifiers: AcceptedColumn = {
  kinds: ['text', 'integer', 'binary'],
  form: 'CHAR, VARCHAR, an integer type or BINARY(16) for a UUID',
}
const codes: AcceptedColumn = {
  kinds: ['text', 'integer'],
  form: 'CHAR, VARCHAR, TEXT, ENUM or an integer type',
}

function findIdentifier(input: ResolverInput, option: ColumnOfIdentifiers, path: string): IdentifierColumn {
  const column = findColumn(input, nameOf(option), identifiers, path)
  const as = typeof option === 'string' ? undefined : option.as
  const isUuid = column.kind === 'binary' && column.length === 16
  if (column !== missingColumn && isUuid !== (as !== undefined || column.kind === 'binary')) {
    input.issues.push({
      path: `${input.section}.${path}`,
      found: `${input.table}.${column.name} of type ${column.type}${as === undefined ? '' : ` as ${as}`}`,
      allowed: 'BINARY(16) for a UUID; else text or an integer',
    })
  }
  return { column, lookup: input.lookup, identifier: toIdentifierKind(column, as) }
}

/** The same with the zeros of a ZEROFILL integer, which callers see. */
function showZeros(found: IdentifierColumn): IdentifierColumn {
  if (!found.column.zerofill) return found
  return { ...found, column: { ...found.column, showsZeros: true }, identifier: 'zerofill' }
}

const times: AcceptedColumn = {
  kinds: ['datetime', 'timestamp'],
  form: 'DATETIME or TIMESTAMP; for an integer since 1970, { column, epoch: s }, or ms or us',
}
const days: AcceptedColumn = { kinds: [...times.kinds, 'date'], form: `DATE, ${times.form}` }
const epochs: AcceptedColumn = {
  kinds: ['integer'],
  form: 'an integer type; for another one, the column name without epoch',
}

function findTime(
  input: ResolverInput,
  option: ColumnOfTimes,
  accepted: AcceptedColumn,
  path: string,
): TimeColumn {
  const epoch = typeof option === 'string' ? undefined : option.epoch
  const column = findColumn(input, nameOf(option), epoch === undefined ? accepted : epochs, path)
  return {
    column,
    lookup: input.lookup,
    zone: column.kind === 'datetime' || column.kind === 'date' ? input.zone : undefined,
    epoch,
  }
}

function toIdentifierKind(column: Column, as: 'uuid' | 'uuid-swapped' | undefined): IdentifierKind {
  if (column.kind === 'integer') return column.unsigned ? 'unsigned' : 'signed'
  if (column.kind === 'binary') return as ?? 'uuid'
  if (column.characterSet === null) return textTypes[column.type.toLowerCase()] ?? 'text'
  return column.characterSet === 'ascii' ? 'ascii' : 'text'
}

/** Text without a character set. */
const textTypes: Readonly<Record<string, IdentifierKind>> = {
  uuid: 'uuid-text',
  inet4: 'inet4',
  inet6: 'inet6',
}

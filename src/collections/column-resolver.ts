import type { Column, ColumnKind } from '../database/column.js'
import type { IdentifierKind } from '../values/identifier.js'
import type { ColumnOfIdentifiers, ColumnOfTimes, ColumnResolver, ResolverInput } from './field.js'
import { toMissingIssue } from './field.js'
import { findLines, findLookup } from './lookup.js'
import type { IdentifierColumn, TimeColumn } from './resolved-table.js'
import { findRowTest } from './row-test.js'
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
  const find: ColumnResolver['find'] = (name, kinds, path) => findColumn(input, { name, kinds, path })
  const resolver: ColumnResolver = {
    lookup: input.lookup,
    follow: (option, path) => (isLookup(option) ? follow(input, resolver, option, path) : resolver),
    find,
    findIdentifier: (option, path) => findIdentifier(input, option, path),
    findTime: (option, path) => findTime(input, { option, kinds: ['datetime', 'timestamp'], path }),
    findDay: (option, path) => findTime(input, { option, kinds: ['date', 'datetime', 'timestamp'], path }),
    findCode: (name, path) => {
      const column = find(name, ['text', 'integer'], path)
      return { column, lookup: input.lookup, identifier: toIdentifierKind(column, undefined) }
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

/** A column that the mapping names. */
interface Wanted {
  readonly name: string
  readonly kinds: readonly ColumnKind[]
  readonly path: string
}

function findColumn(
  { schema, table, section, zeroDates, issues, onColumn }: ResolverInput,
  { name, kinds, path }: Wanted,
): Column {
  onColumn?.({ table, column: name, path: `${section}.${path}` })
  const column = schema.get(table)?.columns.get(name.toLowerCase())
  if (column !== undefined && kinds.includes(column.kind))
    return zeroDates === true ? { ...column, mayBeZero: true } : column
  const place = `${section}.${path}`
  if (column === undefined) issues.push(toMissingIssue(place, { table, column: name }))
  else {
    const found = `${table}.${name} of type ${column.type}`
    issues.push({ path: place, found, allowed: describeMismatch(column, kinds) })
  }
  return missingColumn
}

function findIdentifier(input: ResolverInput, option: ColumnOfIdentifiers, path: string): IdentifierColumn {
  const name = typeof option === 'string' ? option : option.column
  const column = findColumn(input, { name, kinds: ['text', 'integer', 'binary'], path })
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

function findTime(
  input: ResolverInput,
  { option, kinds, path }: { option: ColumnOfTimes; kinds: readonly ColumnKind[]; path: string },
): TimeColumn {
  const name = typeof option === 'string' ? option : option.column
  const epoch = typeof option === 'string' ? undefined : option.epoch
  const column = findColumn(input, { name, kinds: epoch === undefined ? kinds : ['integer'], path })
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
  return column.characterSet === 'ascii' ? 'ascii' : 'text'
}

const words: Readonly<Record<ColumnKind, string>> = {
  text: 'CHAR, VARCHAR, TEXT or ENUM',
  integer: 'an integer type',
  binary: 'BINARY(16)',
  decimal: 'DECIMAL',
  bit: 'BIT',
  date: 'DATE',
  datetime: 'DATETIME',
  timestamp: 'TIMESTAMP',
  json: 'JSON',
  float: 'FLOAT or DOUBLE',
  unreadable: 'no type',
}

/** The kinds of column that an option accepts, in words, and the option that would accept a column of another kind. */
function describeMismatch(column: Column, kinds: readonly ColumnKind[]): string {
  const allowed = kinds.map((kind) => words[kind]).join(', ')
  const hint = findHint(column, kinds)
  return hint === undefined ? allowed : `${allowed}; ${hint}`
}

/** What accepts a column of some kind instead of the kinds that an option accepts. */
interface Hint {
  readonly isWanted: (kinds: readonly ColumnKind[]) => boolean
  readonly found: readonly ColumnKind[]
  readonly toText: (column: Column) => string
}

const isOnly =
  (kind: ColumnKind) =>
  (kinds: readonly ColumnKind[]): boolean =>
    kinds.length === 1 && kinds[0] === kind

const hints: readonly Hint[] = [
  {
    isWanted: (kinds) => kinds.includes('datetime') && kinds.length <= 3,
    found: ['integer'],
    toText: ({ name }) => `for an integer since 1970, { column: ${name}, epoch: s }, or ms or us`,
  },
  {
    isWanted: isOnly('integer'),
    found: ['date', 'datetime', 'timestamp', 'decimal'],
    toText: ({ kind }) => `for ${words[kind]}, the column name without an option`,
  },
  {
    isWanted: (kinds) => kinds.includes('decimal') && kinds.length <= 2,
    found: ['float'],
    toText: ({ name }) => `for a rounded amount, { column: ${name}, float: 2 }, with the number of decimals`,
  },
  {
    isWanted: (kinds) => kinds.includes('decimal') && kinds.length <= 2,
    found: ['text'],
    toText: ({ name }) => `for decimal text, { column: ${name}, text: decimal }`,
  },
  {
    isWanted: isOnly('float'),
    found: ['decimal', 'integer'],
    toText: ({ kind }) => `for ${words[kind]}, the column name without float`,
  },
  {
    isWanted: isOnly('text'),
    found: ['integer'],
    toText: () => 'for a reference to another table, { from: TABLE, on: COLUMN, column: COLUMN }',
  },
]

function findHint(column: Column, kinds: readonly ColumnKind[]): string | undefined {
  return hints.find(({ isWanted, found }) => isWanted(kinds) && found.includes(column.kind))?.toText(column)
}

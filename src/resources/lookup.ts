import type { Column, ColumnKind, Index } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { isLookup, nameOf } from './options.js'
import type { LookupMapping } from './options.js'
import type { FoundColumn, Lookup } from './resolved-table.js'

interface LookupInput {
  readonly schema: Schema
  /** The section's path in the mapping file. */
  readonly section: string
  /** Issues are added here. */
  readonly issues: ConfigIssue[]
}

/** Finds the columns of the table that a lookup belongs to. */
interface OnResolver {
  readonly lookup: Lookup | undefined
  readonly follow: (option: unknown, path: string) => OnResolver
  readonly find: (name: string, kinds: readonly ColumnKind[], path: string) => Column
}

/**
 * Finds the key of a lookup, which must be unique by itself, and the column that refers to it. A lookup that cannot be
 * served is an issue.
 *
 * @param resolver of the table that the option belongs to.
 */
export function findLookup(
  input: LookupInput,
  resolver: OnResolver,
  option: LookupMapping,
  path: string,
): Lookup {
  const nested = resolver.follow(option.on, `${path}.on`)
  const on: FoundColumn = {
    column: nested.find(nameOf(option.on), keyKinds, `${path}.on`),
    lookup: nested.lookup,
  }
  const { key, index } = findKey(input, option, path)
  if (key !== undefined && on.column.name !== '' && !isComparable(key, on.column))
    input.issues.push({
      path: `${input.section}.${path}.on`,
      found: `${on.column.name} of type ${on.column.type} for ${option.from}.${key.name} of type ${key.type}`,
      allowed: 'two columns of text, two of integers, or two of BINARY with the same length',
    })
  return { table: option.from, key: key ?? on.column, index: index?.name ?? '', on }
}

const keyKinds = ['text', 'integer', 'binary'] as const

interface FoundKey {
  readonly key: Column | undefined
  readonly index: Index | undefined
}

/** The primary key, or the column that the mapping names; undefined with an issue where it is not unique by itself. */
function findKey({ schema, section, issues }: LookupInput, option: LookupMapping, path: string): FoundKey {
  const table = schema.get(option.from)
  const report = (name: string, found: string, allowed: string): FoundKey => {
    issues.push({ path: `${section}.${path}.${name}`, found, allowed })
    return { key: undefined, index: undefined }
  }
  // The column of the field is reported as missing.
  if (table === undefined) return { key: undefined, index: undefined }
  if (option.key === undefined) {
    const primary = table.indexes.find(({ name }) => name === 'PRIMARY')
    const key = primary?.uniqueOn === undefined ? undefined : table.columns.get(primary.uniqueOn)
    if (key !== undefined) return { key, index: primary }
    return report('key', `no primary key of one column in ${option.from}`, uniqueForm)
  }
  const name = option.key.toLowerCase()
  const key = table.columns.get(name)
  const index = table.indexes.find(({ uniqueOn }) => uniqueOn === name)
  if (key !== undefined && index !== undefined) return { key, index }
  const what = key === undefined ? 'which does not exist or may not be read' : 'which is not unique by itself'
  return report('key', `${option.from}.${option.key}, ${what}`, uniqueForm)
}

const uniqueForm = 'a column that a primary key or a UNIQUE index of one column makes unique; a view has none'

function isComparable(key: Column, on: Column): boolean {
  if (key.kind !== on.kind) return false
  return key.kind !== 'binary' || key.length === on.length
}

/** Assumed where the mapping does not name the key and the schema was not read. */
export const assumedKey = 'id'

/** A column by which a lookup finds its row, and the place in the option that names it. */
interface LookupColumn {
  readonly table: string
  readonly column: string
  /** Below the path of the option, such as `.on`. */
  readonly path: string
}

/** The columns by which a lookup finds its row. `table` is the one that `on` belongs to. */
export function listLookupColumns(option: unknown, table: string, path = ''): readonly LookupColumn[] {
  if (!isLookup(option)) return []
  const onTable = isLookup(option.on) ? option.on.from : table
  return [
    { table: onTable, column: nameOf(option.on), path: `${path}.on` },
    { table: option.from, column: option.key ?? assumedKey, path: `${path}.key` },
    ...listLookupColumns(option.on, table, `${path}.on`),
  ]
}

import type { Column, ColumnKind } from '../database/column.js'
import { listPrimaryKey, toColumn } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import type { Zone } from '../values/instant.js'
import { chooseKeyIndex } from './lookup.js'
import { isLookup, nameOf } from './options.js'
import type { ColumnOption, LookupMapping, RowTestMapping, TestValue } from './options.js'
import { spell, toCondition, toText } from './row-test.js'
import type { FoundColumn, Lookup, RowTest } from './found-column.js'

/** The columns that serve an option, in terms of the server's types. */
export interface AcceptedColumn {
  /** Undefined for columns of any kind. */
  readonly kinds?: readonly ColumnKind[]
  /** The same in words, with the options that accept other columns. */
  readonly form: string
}

/** What can be the key of a lookup, what a test compares, and what it tests for NULL. */
const keys: AcceptedColumn = {
  kinds: ['text', 'integer', 'binary'],
  form: 'text, an integer type or BINARY',
}
const compared: AcceptedColumn = {
  kinds: ['text', 'integer', 'bit'],
  form: 'text, an integer type or BIT; another type can be tested by is: set or is: unset',
}
const tested: AcceptedColumn = { form: 'any' }

/** Replaces a column that was not found: nothing reads it, because a section with issues is not served. */
export const missingColumn = toColumn({ name: '', length: 0, fractionDigits: 0 })

/** Assumed where the mapping does not name the key of a lookup, and the primary key was not read. */
export const assumedKey = 'id'

/** A column that the mapping names. */
export interface MappedColumn {
  readonly table: string
  readonly column: string
  /** Path in the mapping file, such as `registrations.fields.status`. */
  readonly path: string
  /** Whether the file does not name it, and the schema was not read, which has its name. */
  readonly isAssumed: boolean
}

/** What the mapping is resolved against; with any issue added, the result must not be used. */
export interface ResolverInput {
  readonly schema: Schema
  /** What a DATETIME means; undefined for UTC. */
  readonly zone: Zone | undefined
  /** Whether columns of times can hold zero dates. */
  readonly zeroDates?: boolean | undefined
  /** The columns of the primary keys of the tables of lookups; undefined where they were not read. */
  readonly primaryKeys?: ReadonlyMap<string, readonly string[]> | undefined
  /** Of a collection whose workspace a lookup finds; tests have a smaller one. */
  readonly entriesMax?: number | undefined
  readonly issues: ConfigIssue[]
  /** Called for each column that the mapping names, found or not. */
  readonly onColumn?: ((column: MappedColumn) => void) | undefined
}

/** Where columns are looked for. */
interface Place {
  readonly table: string
  readonly path: string
  /** The lookup that reads the table; undefined for the section's own table. */
  readonly lookup?: Lookup | undefined
  /** The options of all fields of the section. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** The names of the cells of a field, one after the other. */
  readonly nextCell?: () => string
}

/**
 * Finds the columns that an option of the mapping names, in a table of the live schema or in those that lookups read. A
 * column that is missing or unreadable is an issue; all issues are collected, so that they are reported together.
 */
export class ColumnResolver {
  readonly #input: ResolverInput
  readonly #place: Place

  constructor(input: ResolverInput, place: Place) {
    this.#input = input
    this.#place = place
  }

  #move(place: Partial<Place>): ColumnResolver {
    return new ColumnResolver(this.#input, { ...this.#place, ...place })
  }

  /** For an option below this one. */
  at(name: string, table = this.#place.table): ColumnResolver {
    return this.#move({ table, path: `${this.#place.path}.${name}` })
  }

  /** For the option of a field. Its cells have its name, then with 2, 3, … behind it. */
  ofField(name: string): ColumnResolver {
    let count = 0
    return this.at(`fields.${name}`).#move({ nextCell: () => (++count === 1 ? name : `${name}${count}`) })
  }

  /** The option of another field; undefined where it is left out. */
  optionOf(field: string): unknown {
    return this.#place.fields?.[field]
  }

  /** What a DATETIME means; undefined for UTC. */
  get zone(): Zone | undefined {
    return this.#input.zone
  }

  nextCell(): string {
    return this.#place.nextCell?.() ?? ''
  }

  /** For the table that a lookup reads, one row of it or all that fit; the same for an option that is not a lookup. */
  follow(option: unknown, isOne = true): ColumnResolver {
    return isLookup(option) ? this.#followTo(option, isOne) : this
  }

  /** @param isAssumed whether the file does not name the column. */
  find(option: ColumnOption, { kinds, form }: AcceptedColumn, isAssumed = false): FoundColumn {
    const { table, path, lookup } = this.follow(option).#place
    const name = nameOf(option)
    this.#input.onColumn?.({ table, column: name, path, isAssumed })
    const column = this.#input.schema.get(table)?.columns.get(name.toLowerCase())
    if (column !== undefined && kinds?.includes(column.kind) !== false)
      return { column: this.#input.zeroDates === true ? { ...column, mayBeZero: true } : column, lookup }
    if (column !== undefined) this.reportColumn({ column, lookup }, form)
    else {
      const found = `${table}.${name}, which does not exist or may not be read`
      this.report(found, 'a column that the database user may read', { table, column: name })
    }
    return { column: missingColumn, lookup }
  }

  /** A test with its column; a value that the column cannot hold is an issue. */
  findTest(option: RowTestMapping): RowTest {
    const { is, isNegated } = toCondition(option)
    const found = this.#findTested(option, is === null ? tested : compared)
    const values = is?.map((value) => {
      const stored = spell(found.column, value)
      if (stored === undefined) this.reportValue(value, found)
      return stored ?? ''
    })
    return { ...found, is: values ?? null, isNegated }
  }

  /** The column of a test; without one, the key of its lookup, which a missing row lacks. */
  #findTested({ column, ...test }: RowTestMapping, kinds: AcceptedColumn): FoundColumn {
    if (column !== undefined) return this.find({ ...test, column }, kinds)
    const { lookup } = this.follow(test).#place
    if (lookup === undefined) this.report('a test without column', 'a column name')
    return { column: lookup?.key ?? missingColumn, lookup }
  }

  /** Adds an issue for a column that the option cannot be served by; a missing one has its own. */
  reportColumn({ column, lookup }: FoundColumn, allowed: string, behind = '', before = ''): void {
    const table = lookup?.table ?? this.#place.table
    if (column !== missingColumn)
      this.report(`${before}${table}.${column.name} of type ${column.type}${behind}`, allowed)
  }

  /** Adds an issue for a value that a column cannot hold. */
  reportValue(value: TestValue, found: FoundColumn): void {
    const allowed =
      'a value that the column can hold, text in quotes; NULL, which is not a value, has the test { column, is: unset }, in a status as a case of when'
    this.reportColumn(found, allowed, '', `${JSON.stringify(toText(value))} for `)
  }

  report(found: string, allowed: string, missing?: ConfigIssue['missing']): void {
    this.#input.issues.push({ path: this.#place.path, found, allowed, ...(missing && { missing }) })
  }

  /** Finds the key of a lookup and the column that refers to it. A lookup that cannot be served is an issue. */
  #followTo(option: LookupMapping, isOne: boolean): ColumnResolver {
    const { from, where, last: isLast = false } = option
    const located = this.#move({ table: from, lookup: undefined })
    const key = located.at('key').#findKey(option.key)
    const on = this.at('on').find(option.on, keys)
    if (!isComparable(key, on.column))
      this.at('on').report(
        `${on.column.name} of type ${on.column.type} for ${from}.${key.name} of type ${key.type}`,
        'two columns of text, two of integers, or two of BINARY with the same length',
      )
    const tests = (where ?? []).map((test) => located.at('where').findTest(test))
    const isChosen = where !== undefined || isLast
    const order = isOne && isChosen ? located.at('where').#findPrimaryKey() : []
    const index = located.at('key').#findIndex(key, tests, isOne && !isChosen)
    return located.#move({ lookup: { table: from, key, index, tests, order, isLast, on } })
  }

  /** The key that a lookup names, or the primary key of one column. */
  #findKey(name: string | undefined): Column {
    if (name !== undefined) return this.find(name, keys).column
    const [key, ...others] = this.#findPrimaryKey()
    if (others.length > 0) this.report('a primary key of several columns', uniqueKey)
    return key ?? missingColumn
  }

  /** The columns of the primary key of the table, which tells its rows apart. */
  #findPrimaryKey(): readonly Column[] {
    const { table } = this.#place
    const described = this.#input.schema.get(table)
    const names = described === undefined ? this.#input.primaryKeys?.get(table) : listPrimaryKey(described)
    if (names?.length === 0) this.report(`no primary key of whole columns in ${table}`, uniqueKey)
    return (names ?? [assumedKey]).map((name) => this.find(name, tested, names === undefined).column)
  }

  /** The name of the index of a key, empty for none. A key that has to be unique and is not is an issue. */
  #findIndex(key: Column, tests: readonly RowTest[], isUnique: boolean): string {
    const { table: name } = this.#place
    const table = this.#input.schema.get(name)
    const index = table && chooseKeyIndex(table, key, tests, isUnique)
    if (isUnique && index === undefined && key.name !== '')
      this.report(`${name}.${key.name}, which is not unique by itself`, uniqueKey)
    return index?.name ?? ''
  }
}

/** Whether a row can be found by a column of another one. */
function isComparable(key: Column, on: Column): boolean {
  if (key.name === '' || on.name === '') return true
  return key.kind === on.kind && (key.kind !== 'binary' || key.length === on.length)
}

const uniqueKey =
  'a column that a primary key or a UNIQUE index makes unique by itself; or, of a table with a primary key, any column with where or last'

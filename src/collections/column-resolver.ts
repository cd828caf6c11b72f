import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import type { EpochUnit } from '../values/epoch.js'
import type { Zone } from '../values/instant.js'
import {
  anyColumn,
  codes,
  comparable,
  days,
  epochs,
  identifiers,
  isComparable,
  keys,
  missingColumn,
  times,
  toIdentifierColumn,
} from './accepted-columns.js'
import type { AcceptedColumn } from './accepted-columns.js'
import { assumedKey, findKey, isGone } from './lookup-key.js'
import type { FoundKey } from './lookup-key.js'
import { nameOf, partsOf } from './column-options.js'
import { isLookup } from './options.js'
import type { ColumnOption, IdentifierMapping } from './column-options.js'
import type { LookupMapping, RowTestMapping, TestValue } from './options.js'
import type { FoundColumn, IdentifierColumn, Lookup, RowTest, TimeColumn } from './resolved-table.js'
import { fits, spell, toCondition, toStored } from './row-test.js'

/** A column that the mapping names. */
export interface MappedColumn {
  readonly table: string
  readonly column: string
  /** Path in the mapping file, such as `registrations.fields.status`. */
  readonly path: string
  /** Whether the file does not name it, and the schema was not read, which has its name. */
  readonly isAssumed?: boolean
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
  /** Issues are added here. */
  readonly issues: ConfigIssue[]
  /** Called for each column that the mapping names, found or not. */
  readonly onColumn?: ((column: MappedColumn) => void) | undefined
}

/** Where columns are looked for. */
interface Place {
  readonly table: string
  /** In the mapping file. */
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

  /** The name of the next cell of the field. */
  nextCell(): string {
    return this.#place.nextCell?.() ?? ''
  }

  /** For the table that a lookup reads; the same for an option that is no lookup. */
  follow(option: unknown): ColumnResolver {
    return isLookup(option) ? this.#followTo(option, true) : this
  }

  /** For all rows of another table whose key has the value of a column. */
  followAll(option: LookupMapping): ColumnResolver {
    return this.#followTo(option, false)
  }

  find(option: ColumnOption, { kinds, form }: AcceptedColumn): FoundColumn {
    const { table, path, lookup } = this.follow(option).#place
    const name = nameOf(option)
    this.#input.onColumn?.({ table, column: name, path })
    const column = this.#input.schema.get(table)?.columns.get(name.toLowerCase())
    if (column !== undefined && kinds.includes(column.kind))
      return { column: this.#input.zeroDates === true ? { ...column, mayBeZero: true } : column, lookup }
    if (column !== undefined) this.reportColumn({ column, lookup }, form)
    else {
      const missing = { table, column: name }
      this.report(`${table}.${name}, ${isGone}`, 'a column that the database user may read', missing)
    }
    return { column: missingColumn, lookup }
  }

  /** @param isShown whether callers see the value, a ZEROFILL integer with its zeros. */
  findIdentifier(option: IdentifierMapping, isShown = true): IdentifierColumn {
    const { as } = partsOf(option)
    const found = this.find(option, identifiers)
    const { kind, length, name } = found.column
    const isUuid = kind === 'binary' && length === 16
    const note = as === undefined ? '' : ` as ${as}`
    if (name !== '' && isUuid !== (as !== undefined || kind === 'binary'))
      this.reportColumn(found, 'BINARY(16) for a UUID; else text or an integer', note)
    return toIdentifierColumn(found, as, isShown)
  }

  /** Text or an integer. */
  findCode(option: ColumnOption): IdentifierColumn {
    return toIdentifierColumn(this.find(option, codes))
  }

  /** A DATETIME or DATE has the zone of the mapping, a TIMESTAMP is in UTC. @param isDay whether a DATE serves too */
  findTime(option: ColumnOption<{ readonly epoch?: EpochUnit }>, isDay = false): TimeColumn {
    const { epoch } = partsOf(option)
    const found = this.find(option, epoch === undefined ? (isDay ? days : times) : epochs)
    const { kind } = found.column
    return { ...found, zone: kind === 'datetime' || kind === 'date' ? this.#input.zone : undefined, epoch }
  }

  /** A test with its column; a value that the column cannot hold is an issue. */
  findTest(option: RowTestMapping): RowTest {
    const { is, isNegated } = toCondition(option)
    const accepted = typeof is === 'string' ? anyColumn : comparable
    const found =
      option.column === undefined
        ? this.follow(option).#findKey()
        : this.find(option as ColumnOption, accepted)
    if (typeof is === 'string') return { ...found, is }
    const { column } = found
    for (const value of is) if (column.name !== '' && !fits(column, value)) this.reportValue(value, found)
    return { ...found, is: is.map((value) => spell(column, value)), isNegated }
  }

  /** Adds an issue for a column that the option cannot be served by. */
  reportColumn({ column, lookup }: FoundColumn, allowed: string, more = ''): void {
    const table = lookup?.table ?? this.#place.table
    this.report(`${table}.${column.name} of type ${column.type}${more}`, allowed)
  }

  /** Adds an issue for a value that a column cannot hold. */
  reportValue(value: TestValue, { column, lookup }: FoundColumn): void {
    const text = JSON.stringify(toStored(value))
    const table = lookup?.table ?? this.#place.table
    const allowed =
      'a value that the column can hold, text in quotes; NULL, which is no value, has the test { column, is: unset }, in a status as a case of when'
    this.report(`${text} for ${table}.${column.name} of type ${column.type}`, allowed)
  }

  /** Adds an issue. */
  report(found: string, allowed: string, missing?: ConfigIssue['missing']): void {
    this.#input.issues.push({ path: this.#place.path, found, allowed, ...(missing && { missing }) })
  }

  /** The key of a lookup, which a row that it does not find lacks. */
  #findKey(): FoundColumn {
    const { lookup } = this.#place
    if (lookup === undefined) throw new Error('A test without a column is one of a lookup')
    return { column: lookup.key, lookup }
  }

  /** Finds the key of a lookup and the column that refers to it. A lookup that cannot be served is an issue. */
  #followTo(option: LookupMapping, isOne: boolean): ColumnResolver {
    const { from, where = [] } = option
    const { key, index, order = [] } = this.#chooseKey(option, isOne)
    const on = this.at('on').find(option.on, keys)
    if (key !== undefined && !isComparable(key, on.column))
      this.at('on').report(
        `${on.column.name} of type ${on.column.type} for ${from}.${key.name} of type ${key.type}`,
        'two columns of text, two of integers, or two of BINARY with the same length',
      )
    this.#noteKeys(option, isOne)
    const located = this.#move({ table: from, lookup: undefined })
    const tests = where.map((test) => located.at('where').findTest(test))
    const found = { table: from, key: key ?? on.column, index: index?.name ?? '' }
    return located.#move({ lookup: { ...found, tests, order, on } })
  }

  #chooseKey(option: LookupMapping, isOne: boolean): Partial<FoundKey> {
    const table = this.#input.schema.get(option.from)
    // The column of the option is reported as missing.
    if (table === undefined) return {}
    const chosen = findKey(table, option, isOne)
    if ('key' in chosen) return chosen
    const missing = { table: option.from, column: option.key ?? assumedKey }
    const isMissing = !table.columns.has(missing.column.toLowerCase())
    this.at('key').report(chosen.found, chosen.allowed, isMissing ? missing : undefined)
    return {}
  }

  /** The columns of its table by which a lookup finds a row and, where it has tests, chooses one. */
  #noteKeys({ from: table, key, where }: LookupMapping, isOne: boolean): void {
    const primary = this.#input.primaryKeys?.get(table) ?? []
    const note = (columns: readonly string[], name: string): void => {
      const isAssumed = columns.length === 0
      const path = `${this.#place.path}.${name}`
      for (const column of isAssumed ? [assumedKey] : columns)
        this.#input.onColumn?.({ table, column, path, isAssumed })
    }
    note(key !== undefined ? [key] : primary.length === 1 ? primary : [], 'key')
    // Where all rows count, none is chosen by the primary key.
    if (where !== undefined && isOne) note(primary, 'where')
  }
}

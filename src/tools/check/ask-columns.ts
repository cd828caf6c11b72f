import type { DescribedColumn, Description } from '../description.js'
import { quote, join, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { Row } from '../../database/statement.js'
import { listColumnsOf } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { listRecordColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { toSnake } from '../sensitive-names.js'
import { createError, createWarning } from '../../finding.js'
import { formatCount } from '../report/report.js'
import type { Finding } from '../../finding.js'
import { fromNewest } from './groups-sql.js'
import type { Question } from './questions.js'

/* What columns say that the mapping does not read: each question is one statement over the newest rows. */

interface CountedColumns {
  readonly object: string
  readonly table: ResolvedTable
  readonly columns: readonly DescribedColumn[]
  /** True for a row that counts for a column. */
  readonly test: (column: DescribedColumn) => Sql
  /** Columns that the tests read too. */
  readonly also?: readonly string[]
  readonly evaluate: (column: string, count: number, total: number) => Finding | undefined
}

/** One statement that counts rows for each column; none where there is no column. */
function countEach({
  object,
  table,
  columns,
  test,
  also = [],
  evaluate,
}: CountedColumns): readonly Question[] {
  if (columns.length === 0) return []
  const names = columns.map(({ name }) => name)
  const cells = columns.map(
    (column, at) => sql`sum(if(ifnull(${test(column)}, 0), 1, 0)) as ${quote(`n${at}`)}`,
  )
  const rows = fromNewest(table, [...names, ...also])
  const statement = toStatement(sql`select count(*) as \`total\`, ${join(cells, ', ')} from ${rows}`)
  const toFinding = (row: Row | undefined, name: string, at: number): readonly Finding[] => {
    const found = evaluate(name, Number(row?.[`n${at}`] ?? 0), Number(row?.['total'] ?? 0))
    return found === undefined ? [] : [found]
  }
  return [{ object, statement, evaluate: ([row]) => names.flatMap((name, at) => toFinding(row, name, at)) }]
}

const deletion = /(^|_)(deleted?|trashed|removed|archived?)(_(at|on|date|time|flag))?$/
const other = /(^|_)(voided?|is_test|test_mode|sandbox|demo|hidden|spam|draft|template|is_cart)(_(at|on))?$/

/** Columns by which a product marks rows that are no records any more, and that neither `where` nor `archived` tests. */
export function askUntested(
  mapping: Mapping,
  { name, table }: BoundCollection,
  description: Description,
): readonly Question[] {
  const object = `${name}.archived`
  const mapped = listColumnsOf(mapping, name).filter((one) => one.table === table.name)
  const columns = (description.get(table.name)?.columns ?? []).filter(
    (one) =>
      mapped.every(({ column }) => column.toLowerCase() !== one.name.toLowerCase()) &&
      (deletion.test(toSnake(one.name)) || other.test(toSnake(one.name))),
  )
  const test = ({ name: column, kind }: DescribedColumn): Sql => {
    const cell = quote(column)
    if (['date', 'datetime', 'timestamp'].includes(kind)) return sql`year(${cell}) > ${'0'}`
    return kind === 'bit'
      ? sql`${cell} > ${'0'}`
      : sql`cast(${cell} as char) not in (${'0'}, ${''}, ${'N'}, ${'n'})`
  }
  const evaluate = (column: string, count: number, total: number): Finding | undefined => {
    if (count === 0 || count === total) return undefined
    const create = deletion.test(toSnake(column)) ? createError : createWarning
    const problem = `${table.name}.${column} is set in ${formatCount(count)} of ${formatCount(total)} rows, and neither where nor archived tests it`
    return create(
      object,
      problem,
      `ask what such rows are; if they are no records, test ${column} in archived`,
    )
  }
  return countEach({ object, table, columns, test, evaluate })
}

/** Times of change that are later than the one of the mapping. */
export function askLaterTimes(
  { name, table }: BoundCollection,
  description: Description,
): readonly Question[] {
  const object = `${name}.fields.updatedAt`
  const { column } = table.updatedAt
  const columns = (description.get(table.name)?.columns ?? []).filter(
    (one) =>
      one.kind === column.kind &&
      one.name !== column.name &&
      /upd|modif|chang|edit|touch|last_save/i.test(one.name),
  )
  if (!['datetime', 'timestamp'].includes(column.kind)) return []
  const test = (one: DescribedColumn): Sql =>
    sql`${quote(one.name)} > ${quote(column.name)} + interval 1 second`
  const evaluate = (later: string, count: number, total: number): Finding | undefined => {
    if (count <= total / 100) return undefined
    const problem = `${table.name}.${later} is later than ${column.name} in ${formatCount(count)} of ${formatCount(total)} rows, so a sync can miss changes`
    return createWarning(object, problem, 'map the column that moves with every change')
  }
  return countEach({ object, table, columns, also: [column.name], test, evaluate })
}

/** Codes of currencies that other columns and settings have, and no invoice of the sample. */
export function askCurrencies(shown: ReadonlySet<string>, description: Description): readonly Question[] {
  const object = 'invoices.fields.currency'
  const [code = ''] = shown
  if (shown.size !== 1) return []
  return [...description.values()].flatMap((table): readonly Question[] => {
    const find = (form: RegExp): DescribedColumn | undefined =>
      table.columns.find(({ name, kind }) => kind === 'text' && form.test(name))
    const column = find(/currenc(?!.*(name|symbol|sign|lang|position|format|rate))/i)
    const isSettings = column === undefined && /set|conf|opt|pref/i.test(table.name)
    const key = isSettings ? find(/^(.*_)?(key|name|item|option)$/i) : undefined
    const found = column ?? (key && find(/^(.*_)?(value|data)$/i))
    // A list of all currencies says nothing of the invoices.
    if (found === undefined || /currenc/i.test(table.name)) return []
    const where = key === undefined ? sql`` : sql` where ${quote(key.name)} like ${'%currency%'}`
    const rows = sql`(select ${quote(found.name)} as \`value\` from ${quote(table.name)}${where} limit ${'20000'}) as \`found\``
    const evaluate = (values: readonly Row[]): readonly Finding[] => {
      const codes = values.map(({ value }) => String(value)).filter((text) => /^[A-Z]{3}$/.test(text))
      const unseen = codes.filter((one) => one !== code)
      const problem = `only ${code} is shown, and ${table.name}.${found.name} has ${unseen.join(', ')}`
      const fix = 'map the column that has the currency of each invoice, or ask which one the product means'
      return unseen.length === 0 || codes.length > 10 ? [] : [createWarning(object, problem, fix)]
    }
    return [
      { object, statement: toStatement(sql`select distinct \`value\` from ${rows} limit ${'20'}`), evaluate },
    ]
  })
}

/** Keys that are named. */
const keysMax = 10

/** The other keys of each key-value table, whose values lie behind the same column. */
export function askKeyValues(collections: readonly BoundCollection[]): readonly Question[] {
  const found = new Map<string, KeyedValues>()
  for (const one of collections.flatMap(({ table }) => listRecordColumns(table)).flatMap(listKeyed)) {
    const object = `${one.table}.${one.value}`
    found.set(object, { ...one, words: [...one.words, ...(found.get(object)?.words ?? [])] })
  }
  return [...found].map(([object, { table, key, words }]) => {
    const rows = sql`(select ${quote(key)} as \`value\` from ${quote(table)} limit ${'100000'}) as \`found\``
    const limit = String(keysMax + words.length + 1)
    const evaluate = (values: readonly Row[]): readonly Finding[] => {
      const others = values
        .map(({ value }) => String(value).slice(0, 64))
        .filter((word) => !words.includes(word))
      const more = others.length > keysMax ? ', and others' : ''
      const problem = `has the values of other keys too, all of which the database user can read: ${others.slice(0, keysMax).join(', ')}${more}`
      const fix =
        'if one is personal or a secret, map a view of the keys that are shown: docs/product-team.md'
      return others.length === 0 ? [] : [createWarning(object, problem, fix)]
    }
    const statement = sql`select \`value\` from ${rows} group by \`value\` order by count(*) desc limit ${limit}`
    return { object, statement: toStatement(statement), evaluate }
  })
}

interface KeyedValues {
  readonly table: string
  readonly value: string
  readonly key: string
  /** The keys that the mapping reads. */
  readonly words: readonly string[]
}

/** A column that a lookup reads of the rows with some keys, which are text or integers. */
function listKeyed({ column, lookup }: FoundColumn): readonly KeyedValues[] {
  if (lookup === undefined || column.name === lookup.key.name) return []
  if (column.kind !== 'text' && column.kind !== 'json') return []
  return (lookup.choice?.tests ?? []).flatMap(({ column: key, is, isNegated }) => {
    const isKey = /text|integer/.test(key.kind) && !/^tinyint|^bit|^enum/i.test(key.type)
    if (!isKey || typeof is === 'string' || isNegated === true) return []
    return [{ table: lookup.table, value: column.name, key: key.name, words: is }]
  })
}

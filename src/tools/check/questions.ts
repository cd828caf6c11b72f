import { all, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { Column } from '../../database/column.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { listLookups } from '../../collections/lookup.js'
import { listUnarchived } from '../../collections/rows.js'
import { testCell } from '../../collections/row-test.js'
import { hasUnknownStatuses, toPublicStatus } from '../../collections/status-field.js'
import { listRecordColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, Lookup } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import { attempt, toCountText } from './findings.js'
import { listFoundColumns, readAll, renderGroups } from './rows-sql.js'
import { readText } from './sample.js'
import type { Sample } from './sample.js'

/* What the values of columns say that no record shows. Each question is one statement, or a warning that it has no answer. */

type Answer = Promise<readonly Finding[]>

/** Asks every question about some collections, one after the other. */
export async function askQuestions(
  samples: readonly Sample[],
  description: Description,
  runQuery: RunQuery,
): Answer {
  const questions = samples.flatMap(({ collection, rows }): readonly (readonly [string, () => Answer])[] => {
    const { name, table } = collection
    const currencies = new Set(rows.flatMap(({ record }) => String(record?.['currency'] ?? '') || []))
    const [currency = ''] = currencies.size === 1 ? currencies : []
    return [
      [`${name}.fields.status`, () => findCodes(collection, runQuery)],
      [table.name, () => findRepeatedIds(collection, runQuery)],
      ...listLookups(listFoundColumns(table)).map((lookup) => {
        const ask = (): Answer => findChoices(lookup, runQuery)
        return [`${lookup.table}.${lookup.key.name}`, ask] as const
      }),
      ...listRecordColumns(table).map((one) => {
        const ask = (): Answer => findOtherKeys(one, listRecordColumns(table), runQuery)
        return [`${name}: ${one.column.name}`, ask] as const
      }),
      ...(currency === '' ? [] : [...description.values()]).map((one) => {
        const ask = (): Answer => findCurrencies(currency, one, runQuery)
        return [`${name}.fields.currency`, ask] as const
      }),
    ]
  })
  const findings: Finding[] = []
  for (const [object, ask] of questions) findings.push(...(await attempt(object, ask)))
  return findings
}

/** Unknown codes that are named, keys of a key-value table that are, and the rows that are read for the latter. */
const sizes = { codes: 20, keys: 10, keyed: '100000' } as const

/** The stored statuses of records that the mapping does not list, where it lists some. */
async function findCodes({ name, table, invalidRows }: BoundCollection, runQuery: RunQuery): Answer {
  const { status } = table
  if (!hasUnknownStatuses(status)) return []
  const limit = (status.values?.size ?? 0) + sizes.codes
  const where = listUnarchived(table)
  const render = (from: Sql) => renderGroups(table, status, from, { where, limit })
  const { rows, isPart } = await readAll(table, render, runQuery)
  const codes = rows.flatMap((row) => {
    const code = readText(row['value'], status)
    // NULL is no code; the sample reports it.
    if (code === undefined || toPublicStatus(code, status) !== undefined) return []
    const count = `${isPart ? 'at least ' : ''}${toCountText(Number(row['rows']), 'row')}`
    return [{ code: code.slice(0, 40), count }]
  })
  if (codes.length === 0) return []
  const listed = codes.map(({ code, count }) => `${code} (${count})`).join(', ')
  const problem = `${status.lookup?.table ?? table.name}.${status.column.name} has codes that the mapping does not list: ${listed}`
  const lines = codes.map(({ code }) => `${JSON.stringify(code)}: …`).join(', ')
  const fix = `add to values what they mean: ${lines}; or write otherwise: OTHER`
  // Under `fail`, callers cannot read the page of such a row.
  return [(invalidRows === 'fail' ? createError : createWarning)(`${name}.fields.status`, problem, fix)]
}

/** Ids of several records behind a view, equal by the collation of the column: an index makes every other id unique. */
async function findRepeatedIds({ table }: BoundCollection, runQuery: RunQuery): Answer {
  const { name, id, isView } = table
  const count = isView ? await countRepeated(name, id.column, listUnarchived(table), runQuery) : 0
  const problem = `${count} of the ids have several records: lists show each of them, and GET by the id none`
  const fix = 'change the view so that it shows each id once, or map another id'
  return count === 0 ? [] : [createError(`${name}.${id.column.name}`, problem, fix)]
}

/** A lookup with `where` that leaves several rows for a key: the one with the lowest primary key counts. */
export async function findChoices({ table, key, choice }: Lookup, runQuery: RunQuery): Answer {
  if (choice === undefined || choice.order.length === 0) return []
  const tests = choice.tests.map((test) => testCell(test, quote(test.column.name)))
  const count = await countRepeated(table, key, tests, runQuery)
  const problem = `${count} of its values have several rows that pass the where of the lookup: the one with the lowest primary key counts`
  const fix = 'add a test to the where of the lookup that leaves one row, if another row should count'
  return count === 0 ? [] : [createWarning(`${table}.${key.name}`, problem, fix)]
}

/** The number of values of a column that several rows have. */
async function countRepeated(
  table: string,
  column: Column,
  tests: readonly Sql[],
  runQuery: RunQuery,
): Promise<number> {
  const name = quoteColumn(table, column)
  const where = all([sql`${name} is not null`, ...tests])
  const groups = sql`select 1 from ${quote(table)} where ${where} group by ${name} having count(*) > 1`
  const counted = sql`select count(*) as \`count\` from (${groups}) as \`several\``
  const [row] = await runQuery(toStatement(counted))
  return Number(row?.['count'] ?? 0)
}

/** The other keys of a key-value table, whose values lie behind the same column. */
async function findOtherKeys(
  { column, lookup }: FoundColumn,
  all: readonly FoundColumn[],
  runQuery: RunQuery,
): Answer {
  const key = lookup === undefined ? undefined : findKey(lookup)
  const isValue = column.name !== lookup?.key.name && ['text', 'json'].includes(column.kind)
  if (lookup === undefined || key === undefined || !isValue) return []
  const known = all.flatMap((one) =>
    one.lookup?.table === lookup.table && one.column.name === column.name
      ? (findKey(one.lookup)?.words ?? [])
      : [],
  )
  const rows = sql`(select ${quote(key.name)} as \`value\` from ${quote(lookup.table)} limit ${sizes.keyed}) as \`found\``
  const limit = String(sizes.keys + known.length + 1)
  const groups = sql`select \`value\` from ${rows} group by \`value\` order by count(*) desc limit ${limit}`
  const others = toTexts(await runQuery(toStatement(groups))).filter((word) => !known.includes(word))
  if (others.length === 0) return []
  const more = others.length > sizes.keys ? ', and others' : ''
  const problem = `has the values of other keys too, all of which the database user can read: ${others.slice(0, sizes.keys).join(', ')}${more}`
  const fix = 'if one is personal or a secret, map a view of the keys that are shown: docs/product-team.md'
  return [createWarning(`${lookup.table}.${column.name}`, problem, fix)]
}

/** The column of the keys of a key-value table, and the keys that a lookup reads: texts or integers. */
function findKey({
  choice,
}: Lookup): { readonly name: string; readonly words: readonly string[] } | undefined {
  const test = choice?.tests.find(
    ({ column: { kind, type }, is, isNegated }) =>
      /text|integer/.test(kind) &&
      !/^tinyint|^bit|^enum/i.test(type) &&
      Array.isArray(is) &&
      isNegated !== true,
  )
  return test && { name: test.column.name, words: typeof test.is === 'string' ? [] : test.is }
}

function toTexts(rows: readonly Row[]): readonly string[] {
  return rows.map(({ value }) => String(value).slice(0, 64))
}

/** Codes of currencies that another column, or a setting, has, and no invoice of the sample. */
async function findCurrencies(shown: string, table: DescribedTable, runQuery: RunQuery): Answer {
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
  const values = await runQuery(toStatement(sql`select distinct \`value\` from ${rows} limit ${'20'}`))
  const codes = toTexts(values).filter((text) => /^[A-Z]{3}$/.test(text))
  const unseen = codes.filter((one) => one !== shown)
  if (unseen.length === 0 || codes.length > 10) return []
  const problem = `only ${shown} is shown, and ${table.name}.${found.name} has ${unseen.join(', ')}`
  const fix = 'map the column that has the currency of each invoice, or ask which one the product means'
  return [createWarning('invoices.fields.currency', problem, fix)]
}

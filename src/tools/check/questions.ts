import { all, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { Column } from '../../database/column.js'
import type { RunQuery } from '../../database/statement.js'
import { listLookups } from '../../collections/lookup.js'
import { listUnarchived } from '../../collections/rows.js'
import { testCell } from '../../collections/row-test.js'
import { hasUnknownStatuses, toPublicStatus } from '../../collections/status-field.js'
import { listRecordColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, ResolvedTable, RowTest } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import type { DescribedColumn, Description } from '../description.js'
import { attempt, toCountText } from './findings.js'
import { listFoundColumns, readText, renderGroups } from './sample.js'
import type { Sample } from './sample.js'

/* What the values of columns say that no record shows. Each question is one statement, or a warning that it has no answer. */

type Answer = Promise<readonly Finding[]>

/** Asks every question about a collection, one after the other. */
export async function askQuestions(
  sample: Sample,
  description: Description,
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const { name, table } = sample.collection
  const questions: readonly (readonly [object: string, ask: () => Answer])[] = [
    [`${name}.fields.status`, () => findCodes(sample.collection, runQuery)],
    [table.name, () => findRepeated(table, runQuery)],
    [name, () => findOtherKeys(listRecordColumns(table), runQuery)],
    [`${name}.fields.currency`, () => findCurrencies(sample, description, runQuery)],
  ]
  const findings: Finding[] = []
  for (const [object, ask] of questions) findings.push(...(await attempt(object, ask)))
  return findings
}

/** Unknown codes that are named, keys of a key-value table that are, and rows that are read for values. */
const sizes = { codes: 20, keys: 10, rows: '100000' } as const

/** The stored statuses of records that the mapping does not list, where it lists some. */
async function findCodes({ name, table, invalidRows }: BoundCollection, runQuery: RunQuery): Answer {
  const { status } = table
  if (!hasUnknownStatuses(status)) return []
  const limit = (status.values?.size ?? 0) + sizes.codes
  const rows = await runQuery(renderGroups(table, status, listUnarchived(table), limit))
  const codes = rows.flatMap((row) => {
    const code = readText(row['value'], status)
    // NULL is no code; the sample reports it.
    if (code === undefined || toPublicStatus(code, status) !== undefined) return []
    return [{ code: code.slice(0, 40), count: toCountText(Number(row['rows']), 'row') }]
  })
  if (codes.length === 0) return []
  const listed = codes.map(({ code, count }) => `${code} (${count})`).join(', ')
  const problem = `${status.lookup?.table ?? table.name}.${status.column.name} has codes that the mapping does not list: ${listed}`
  const lines = codes.map(({ code }) => `${JSON.stringify(code)}: …`).join(', ')
  const fix = `add to values what they mean: ${lines}; or write otherwise: OTHER`
  // Under `fail`, callers cannot read the page of such a row.
  return [(invalidRows === 'fail' ? createError : createWarning)(`${name}.fields.status`, problem, fix)]
}

/**
 * Ids of several records behind a view, equal by the collation of the column: an index makes every other id unique. And lookups
 * with `where` that leave several rows for a key.
 */
export async function findRepeated(table: ResolvedTable, runQuery: RunQuery): Answer {
  const findings: Finding[] = []
  const { name, id, isView } = table
  const ids = isView ? await countRepeated(name, id.column, listUnarchived(table), runQuery) : 0
  const ofId = `${ids} of the ids have several records: lists show each of them, and GET by the id none`
  const toView = 'change the view so that it shows each id once, or map another id'
  if (ids > 0) findings.push(createError(`${name}.${id.column.name}`, ofId, toView))
  for (const { table: other, key, choice } of listLookups(listFoundColumns(table))) {
    const tests = (choice?.tests ?? []).map((test) => testCell(test, quote(test.column.name)))
    const isChoice = choice !== undefined && choice.order.length > 0
    const keys = isChoice ? await countRepeated(other, key, tests, runQuery) : 0
    const problem = `${keys} of its values have several rows that pass the where of the lookup: the one with the lowest primary key counts`
    const fix = 'add a test to the where of the lookup that leaves one row, if another row should count'
    if (keys > 0) findings.push(createWarning(`${other}.${key.name}`, problem, fix))
  }
  return findings
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

/** The other keys of key-value tables, whose values lie behind the same column as those that lookups read. */
async function findOtherKeys(columns: readonly FoundColumn[], runQuery: RunQuery): Answer {
  const keyed = columns.flatMap(({ column, lookup }) => {
    const isValue = ['text', 'json'].includes(column.kind) && column.name !== lookup?.key.name
    const test = isValue ? lookup?.choice?.tests.find(isKey) : undefined
    return lookup === undefined || test === undefined
      ? []
      : [{ object: `${lookup.table}.${column.name}`, table: lookup.table, test }]
  })
  const findings: Finding[] = []
  for (const { object, table, test } of keyed) {
    const known = keyed.flatMap((one) => (one.object === object ? one.test.is : []))
    const limit = sizes.keys + known.length + 1
    const values = await listValues(table, test.column.name, sql``, limit, runQuery)
    const others = values.filter((word) => !known.includes(word))
    const more = others.length > sizes.keys ? ', and others' : ''
    const problem = `has the values of other keys too, all of which the database user can read: ${others.slice(0, sizes.keys).join(', ')}${more}`
    const fix = 'if one is personal or a secret, map a view of the keys that are shown: docs/product-team.md'
    if (others.length > 0) findings.push(createWarning(object, problem, fix))
  }
  return findings
}

/** Whether a test chooses a row by its key: texts or integers. */
function isKey({ column: { kind, type }, is, isNegated }: RowTest): boolean {
  const isWord = /text|integer/.test(kind) && !/^tinyint|^bit|^enum/i.test(type)
  return isWord && typeof is !== 'string' && isNegated !== true
}

/** The most frequent values of a column, in some rows of a table. */
async function listValues(
  table: string,
  column: string,
  where: Sql,
  limit: number,
  runQuery: RunQuery,
): Promise<readonly string[]> {
  const rows = sql`(select ${quote(column)} as \`value\` from ${quote(table)}${where} limit ${sizes.rows}) as \`found\``
  const groups = sql`select \`value\` from ${rows} group by \`value\` order by count(*) desc limit ${String(limit)}`
  return (await runQuery(toStatement(groups))).map(({ value }) => String(value).slice(0, 64))
}

/** Codes of currencies that other columns and settings have, where all records of the sample have one. */
async function findCurrencies(
  { shown: records }: Sample,
  description: Description,
  runQuery: RunQuery,
): Answer {
  const shown = new Set(records.flatMap(({ record }) => String(record['currency'] ?? '') || []))
  const findings: Finding[] = []
  for (const { name: table, columns } of shown.size === 1 ? description.values() : []) {
    const find = (form: RegExp): DescribedColumn | undefined =>
      columns.find(({ name, kind }) => kind === 'text' && form.test(name))
    const column = find(/currenc(?!.*(name|symbol|sign|lang|position|format|rate))/i)
    const isSettings = column === undefined && /set|conf|opt|pref/i.test(table)
    const key = isSettings ? find(/^(.*_)?(key|name|item|option)$/i) : undefined
    const found = column ?? (key && find(/^(.*_)?(value|data)$/i))
    // A list of all currencies says nothing of the invoices.
    if (found === undefined || /currenc/i.test(table)) continue
    const where = key === undefined ? sql`` : sql` where ${quote(key.name)} like ${'%currency%'}`
    const values = await listValues(table, found.name, where, 20, runQuery)
    const codes = values.filter((text) => /^[A-Z]{3}$/.test(text))
    const unseen = codes.filter((one) => !shown.has(one))
    const problem = `only ${[...shown].join()} is shown, and ${table}.${found.name} has ${unseen.join(', ')}`
    const fix = 'map the column that has the currency of each invoice, or ask which one the product means'
    if (unseen.length > 0 && codes.length <= 10)
      findings.push(createWarning('invoices.fields.currency', problem, fix))
  }
  return findings
}

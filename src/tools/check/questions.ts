import { all, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import { isErrorValue } from '../../database/column.js'
import type { Column } from '../../database/column.js'
import type { RunQuery } from '../../database/statement.js'
import { listLookups } from '../../collections/lookup.js'
import { testCell } from '../../collections/row-test.js'
import { hasUnknownStatuses, toPublicStatus } from '../../collections/status-field.js'
import { listRecordColumns, listUnarchived } from '../../collections/resolved-table.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { contradict, createFailure, describeFailure, toCountText } from './findings.js'
import type { Contradiction } from './findings.js'
import { listFoundColumns, readText, renderGroups } from './sample.js'
import { cut } from '../../collections/found-column.js'
import type { FoundColumn, RowTest } from '../../collections/found-column.js'

/* What the values of columns say that no record shows. Each question is one statement, or a warning that it has no answer. */

type Answer = Promise<readonly Contradiction[]>

/** Asks every question about a collection. What is denied or takes too long is a warning. */
export async function askQuestions(collection: BoundCollection, runQuery: RunQuery): Answer {
  const { name, table } = collection
  const answers = [
    findCodes(collection, runQuery),
    findRepeated(table, runQuery),
    findOtherKeys(listRecordColumns(table), runQuery),
  ].map((answer) => answer.catch((error: unknown) => [createFailure(name, describeFailure(error))]))
  return (await Promise.all(answers)).flat()
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
    // NULL is not a code; the sample reports it.
    const isListed = code === undefined || toPublicStatus(code, status) !== undefined
    if (isListed) return []
    const shown = isErrorValue(status.column, code) ? "'', the error value of an ENUM" : code.slice(0, 40)
    return [`${shown} (${toCountText(Number(row['rows']), 'row')})`]
  })
  if (codes.length === 0) return []
  const problem = `${status.lookup?.table ?? table.name}.${status.column.name} has codes that the mapping does not list: ${codes.join(', ')}`
  const fix = 'add to values what they mean, or write otherwise: OTHER'
  // Under `fail`, callers cannot read the page of such a row.
  const isError = invalidRows === 'fail'
  return [contradict(isError, [`${name}.fields.status`], problem, fix, codes.length, 'otherCodes')]
}

/**
 * Ids of several records behind a view, equal by the collation of the column: an index makes every other id unique. And lookups
 * with `where` that leave several rows for a key.
 */
export async function findRepeated(table: ResolvedTable, runQuery: RunQuery): Answer {
  const findings: Contradiction[] = []
  const { name, id, isView } = table
  const ids = isView ? await countRepeated(name, id.column, listUnarchived(table), runQuery) : 0
  const ofId = `${ids} of the ids have several records: lists show each of them, and GET by the id none`
  const toView = 'change the view so that it shows each id once, or map another id'
  if (ids > 0) findings.push(contradict(true, [`${name}.${id.column.name}`], ofId, toView))
  for (const { table: other, key, tests, order, isLast } of listLookups(listFoundColumns(table))) {
    const holding = tests.map((test) => testCell(test, quote(test.column.name)))
    const keys = order.length > 0 ? await countRepeated(other, key, holding, runQuery) : 0
    const which = isLast ? 'highest' : 'lowest'
    const problem = `${keys} of its values have several rows that pass the where of the lookup: the one with the ${which} primary key counts`
    const fix = `if another row should count: ${isLast ? 'leave out last' : 'write last: true beside where'} for the other end, or add a test to where that leaves one row`
    if (keys > 0)
      findings.push(contradict(false, [`${other}.${key.name}`], problem, fix, keys, 'severalRows'))
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
    const test = isValue ? lookup?.tests.find(isKey) : undefined
    if (lookup === undefined || test === undefined) return []
    return [{ object: `${lookup.table}.${column.name}`, table: lookup.table, test }]
  })
  const findings: Contradiction[] = []
  for (const { object, table, test } of keyed) {
    const known = keyed.flatMap((one) => (one.object === object ? (one.test.is ?? []) : []))
    const limit = sizes.keys + known.length + 1
    const rows = sql`(select ${cut(test.column, quote(test.column.name))} as \`value\` from ${quote(table)} limit ${sizes.rows}) as \`found\``
    const groups = sql`select \`value\` from ${rows} group by \`value\` order by count(*) desc limit ${String(limit)}`
    const values = (await runQuery(toStatement(groups))).map(({ value }) => String(value).slice(0, 64))
    const others = values.filter((word) => !known.includes(word))
    const more = others.length > sizes.keys ? ', and others' : ''
    const problem = `has the values of other keys too, all of which the database user can read: ${others.slice(0, sizes.keys).join(', ')}${more}`
    const fix = 'if one is personal or a secret, map a view of the keys that are shown: docs/product-team.md'
    if (others.length > 0)
      findings.push(contradict(false, [object], problem, fix, others.length, 'otherKeys'))
  }
  return findings
}

/** Whether a test chooses a row by its key: texts or integers. */
function isKey({ column: { kind, type }, is, isNegated }: RowTest): boolean {
  const isWord = /text|integer/.test(kind) && !/^tinyint|^bit|^enum/i.test(type)
  return isWord && is !== null && !isNegated
}

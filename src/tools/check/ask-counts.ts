import { isEnumerated } from '../../database/column.js'
import type { Column } from '../../database/column.js'
import { all, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { Row } from '../../database/statement.js'
import { listLookups } from '../../collections/lookup.js'
import { listUnarchived } from '../../collections/rows.js'
import { testCell } from '../../collections/row-test.js'
import { hasUnknownStatuses, toPublicStatus } from '../../collections/status-field.js'
import { listEventColumns, listRecordColumns } from '../../collections/resolved-table.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import { renderGroups } from './groups-sql.js'
import type { Question } from './questions.js'
import { readText } from './sample.js'

/** Unknown codes that are shown, and rows that count where the whole table takes too long. */
const sizes = { codes: 20, newest: 20_000, length: 40 } as const

/** The stored statuses of records that the mapping does not list, where it lists some, with the line that accepts them. */
export function askCodes({ name, table, invalidRows }: BoundCollection): readonly Question[] {
  const { status } = table
  if (!hasUnknownStatuses(status)) return []
  const limit = (status.values?.size ?? 0) + sizes.codes
  const groups = { table, found: status, isVisible: true, limit }
  const object = `${name}.fields.status`
  const evaluate = (rows: readonly Row[], isSampled: boolean) => {
    const codes = rows.flatMap((row) => {
      const code = readText(row['value'], status)
      // NULL is no code; the sample reports it.
      if (code === undefined || toPublicStatus(code, status) !== undefined) return []
      const count = `${isSampled ? 'at least ' : ''}${Number(row['rows'])} ${Number(row['rows']) === 1 ? 'row' : 'rows'}`
      return [{ code: code.slice(0, sizes.length), count }]
    })
    const listed = codes.map(({ code, count }) => `${code} (${count})`).join(', ')
    const lines = codes.map(
      ({ code }) => `${/^(\d{1,15}|[A-Za-z]\w*)$/.test(code) ? code : JSON.stringify(code)}: …`,
    )
    const problem = `${status.lookup?.table ?? table.name}.${status.column.name} has codes that the mapping does not list: ${listed}`
    const fix = `add to values what they mean: ${lines.join(', ')}; or write otherwise: OTHER`
    // Under `fail`, callers cannot read the page of such a row.
    const create = invalidRows === 'fail' ? createError : createWarning
    return codes.length === 0 ? [] : [create(object, problem, fix)]
  }
  const sampled = renderGroups({ ...groups, newest: sizes.newest })
  return [{ object, statement: renderGroups(groups), sampled, evaluate }]
}

/** Each lookup with `where` that leaves several rows for a key: the one with the lowest primary key counts. */
export function askChoices(table: ResolvedTable): readonly Question[] {
  const { workspace, eventId } = table
  const columns = [
    ...listRecordColumns(table),
    ...('constant' in workspace ? [] : [workspace]),
    ...listEventColumns(eventId),
  ]
  const questions = listLookups(columns).flatMap(({ table: name, key, choice }): readonly Question[] => {
    if (choice === undefined || choice.order.length === 0) return []
    const tests = choice.tests.map((test) => testCell(test, quote(test.column.name)))
    const labels = choice.order.filter(isEnumerated).map((column) => column.name)
    const order =
      labels.length === 0 ? '' : `, and ${labels.join(', ')} has the order in which its labels are defined`
    const problem = `of its values have several rows that pass the where of the lookup: the one with the lowest primary key counts${order}`
    const fix = 'add a test to the where of the lookup that leaves one row, if another row should count'
    return [countRepeated({ table: name, column: key, tests, problem, fix, create: createWarning })]
  })
  return [...new Map(questions.map((one) => [JSON.stringify(one.statement), one])).values()]
}

/** Ids of several records behind a view, equal by the collation of the column: an index makes every other id unique. */
export function askRepeatedIds(table: ResolvedTable): readonly Question[] {
  const { name, id } = table
  const problem = 'of the ids have several records: lists show each of them, and GET by the id none'
  const fix = 'change the view so that it shows each id once, or map another id'
  const tests = listUnarchived(table)
  return table.isView
    ? [countRepeated({ table: name, column: id.column, tests, problem, fix, create: createError })]
    : []
}

interface Repeated {
  readonly table: string
  readonly column: Column
  readonly tests: readonly Sql[]
  readonly problem: string
  readonly fix: string
  readonly create: typeof createError
}

/** A question for the number of values of a column that several rows have. */
function countRepeated({ table, column, tests, problem, fix, create }: Repeated): Question {
  const object = `${table}.${column.name}`
  const name = quoteColumn(table, column)
  const where = all([sql`${name} is not null`, ...tests])
  const groups = sql`select 1 from ${quote(table)} where ${where} group by ${name} having count(*) > 1`
  return {
    object,
    statement: toStatement(sql`select count(*) as \`count\` from (${groups}) as \`several\``),
    evaluate: ([row]) => {
      const count = Number(row?.['count'] ?? 0)
      return count === 0 ? [] : [create(object, `${count} ${problem}`, fix)]
    },
  }
}

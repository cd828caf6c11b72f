import { isEnumerated } from '../../database/column.js'
import type { Column } from '../../database/column.js'
import { isTimeLimit } from '../../database/errors.js'
import { all, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { Row, RunQuery, Statement } from '../../database/statement.js'
import { listLookups } from '../../collections/lookup.js'
import { listUnarchived } from '../../collections/rows.js'
import { testCell } from '../../collections/row-test.js'
import { hasUnknownStatuses, toPublicStatus } from '../../collections/status-field.js'
import { listRecordColumns } from '../../collections/resolved-table.js'
import type { FoundColumn } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import type { DescribedColumn, Description } from '../description.js'
import { listFoundColumns } from './catalogue.js'
import { renderGroups } from './groups-sql.js'
import type { Profiled } from './profile.js'
import { describeFailure, orNone, readText } from './sample.js'

/* What the values of columns say that no record shows: each question is one statement. */

/** What a statement finds out about the rows of all workspaces, and what its rows mean. */
interface Question {
  /** A table, a column or a place of the mapping. */
  readonly object: string
  readonly statement: Statement
  /** A cheaper one, for recent rows only, in its place where it reaches the time limit. */
  readonly sampled?: Statement
  readonly evaluate: (rows: readonly Row[], isSampled: boolean) => readonly Finding[]
}

/** Every question about some collections. */
export function listQuestions(profiled: readonly Profiled[], description: Description): readonly Question[] {
  const collections = profiled.map(({ sample }) => sample.collection)
  const currencies = profiled.flatMap(({ sample: { collection, rows } }) =>
    collection.name === 'invoices'
      ? rows.flatMap(({ record }) => String(record?.['currency'] ?? '') || [])
      : [],
  )
  return [
    ...collections.flatMap((one) => [...askCodes(one), ...askRepeatedIds(one), ...askChoices(one)]),
    ...askCurrencies(new Set(currencies), description),
    ...askKeyValues(collections),
  ]
}

/** Asks one after the other; a warning in the place of an answer where the database denies it or takes too long. */
export async function answer(
  questions: readonly Question[],
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const { object, statement, sampled, evaluate } of questions)
    try {
      findings.push(...evaluate(await runQuery(statement), false))
    } catch (error) {
      const rows = sampled && isTimeLimit(error) ? await orNone(runQuery(sampled)) : undefined
      findings.push(
        ...(rows === undefined ? [createFailure(object, describeFailure(error))] : evaluate(rows, true)),
      )
    }
  return findings
}

/** A warning that something could not be checked, and why. */
export function createFailure(object: string, reason: string): Finding {
  const fix = 'remove the reason; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS'
  return createWarning(object, `could not be checked: ${reason}`, fix)
}

/** Unknown codes that are shown, and rows that count where the whole table takes too long. */
const sizes = { codes: 20, newest: 20_000, length: 40 } as const

/** The stored statuses of records that the mapping does not list, where it lists some, with the line that accepts them. */
function askCodes({ name, table, invalidRows }: BoundCollection): readonly Question[] {
  const { status } = table
  if (!hasUnknownStatuses(status)) return []
  const groups = {
    table,
    found: status,
    isVisible: true,
    limit: (status.values?.size ?? 0) + sizes.codes,
  }
  const object = `${name}.fields.status`
  const evaluate = (rows: readonly Row[], isSampled: boolean): readonly Finding[] => {
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
export function askChoices({ table }: Pick<BoundCollection, 'table'>): readonly Question[] {
  const questions = listLookups(listFoundColumns(table)).flatMap((lookup): readonly Question[] => {
    const { table: name, key, choice } = lookup
    if (choice === undefined || choice.order.length === 0) return []
    const tests = choice.tests.map((test) => testCell(test, quote(test.column.name)))
    const labels = choice.order.filter(isEnumerated).map((column) => column.name)
    const order =
      labels.length === 0 ? '' : `, and ${labels.join(', ')} has the order in which its labels are defined`
    const problem = `of its values have several rows that pass the where of the lookup: the one with the lowest primary key counts${order}`
    const fix = 'add a test to the where of the lookup that leaves one row, if another row should count'
    return [countRepeated(name, key, tests, (count) => createWarning(name, `${count} ${problem}`, fix))]
  })
  return [...new Map(questions.map((one) => [JSON.stringify(one.statement), one])).values()]
}

/** Ids of several records behind a view, equal by the collation of the column: an index makes every other id unique. */
function askRepeatedIds({ table }: BoundCollection): readonly Question[] {
  const { name, id, isView } = table
  const problem = 'of the ids have several records: lists show each of them, and GET by the id none'
  const fix = 'change the view so that it shows each id once, or map another id'
  const toFinding = (count: number): Finding => createError(name, `${count} ${problem}`, fix)
  return isView ? [countRepeated(name, id.column, listUnarchived(table), toFinding)] : []
}

/** A question for the number of values of a column that several rows have. */
function countRepeated(
  table: string,
  column: Column,
  tests: readonly Sql[],
  toFinding: (count: number) => Finding,
): Question {
  const object = `${table}.${column.name}`
  const name = quoteColumn(table, column)
  const where = all([sql`${name} is not null`, ...tests])
  const groups = sql`select 1 from ${quote(table)} where ${where} group by ${name} having count(*) > 1`
  return {
    object,
    statement: toStatement(sql`select count(*) as \`count\` from (${groups}) as \`several\``),
    evaluate: ([row]) => {
      const count = Number(row?.['count'] ?? 0)
      return count === 0 ? [] : [{ ...toFinding(count), object }]
    },
  }
}

/** Codes of currencies that other columns and settings have, and no invoice of the sample. */
function askCurrencies(shown: ReadonlySet<string>, description: Description): readonly Question[] {
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
    const statement = sql`select distinct \`value\` from ${rows} limit ${'20'}`
    return [{ object, statement: toStatement(statement), evaluate }]
  })
}

/** Keys that are named. */
const keysMax = 10

/** The other keys of each key-value table, whose values lie behind the same column. */
function askKeyValues(collections: readonly BoundCollection[]): readonly Question[] {
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

import { isUnique } from '../description.js'
import type { Facts } from './read-facts.js'
import { sampleMax } from './sample-sql.js'
import type { ColumnFacts, TableFacts } from './table-facts.js'
import { renderCodes } from './values.js'

const legend = `table(primary key), v40 VARCHAR(40), ts TIMESTAMP, dt DATETIME, ? nullable, ?5 of them 5 NULL, U unique, → foreign key, ~ the name of a key and how many % of the
values are keys there, if not all, (n) distinct values, ×n rows with this value, -3h the age of the newest (+ ahead of now), >created n rows later than
their creation, amounts in two digits. "300 of 90000 rows": the newest and the oldest were read. No value is shown of a column that could hold one of a person.`

/** The facts as text, compactly: a line for each column that has facts, lists for the others. */
export function renderFacts({ server, tables }: Facts): string {
  const { name, version, now, zone } = server
  const all = [...tables.values()]
  const ofRows = (rows: number | undefined): readonly TableFacts[] => all.filter(({ read }) => read === rows)
  const empty = ofRows(0).map(renderEmpty)
  const unread = ofRows(undefined).map((table) => table.name)
  return [
    `${name} · ${version} · now ${now} UTC · server zone ${zone} · ${all.length} tables`,
    legend,
    '',
    ...all.filter(({ read = 0 }) => read > 0).map(renderTable),
    ...(empty.length === 0 ? [] : ['', 'Empty tables:', ...empty]),
    ...(unread.length === 0 ? [] : ['', `Not read, such as logs and caches: ${unread.join(' ')}`]),
    '',
  ].join('\n')
}

/** The same for programs. */
export function toReport({ server, tables }: Facts): object {
  const described = [...tables.values()].map((table) => ({
    name: table.name,
    rows: table.read ?? null,
    isSample: table.read === sampleMax,
    primaryKey: table.primary,
    columns: table.columns.map(({ name, type, filled, said }) => ({ name, type, filled, facts: said })),
    settings: renderSettings(table),
  }))
  const statements = 5 + described.filter(({ rows }) => rows !== null).length
  return { server, statements, tables: described }
}

function renderTable(table: TableFacts): string {
  const lines: { readonly columns: string[]; readonly facts: string }[] = []
  const listed = new Map<string, string>()
  const isPlainKey = ({ name, kind, said }: ColumnFacts): boolean =>
    kind === 'integer' && said.length === 0 && table.primary.join() === name
  for (const column of table.columns.filter((one) => !isPlainKey(one))) {
    const [list, text] = findList(table, column)
    const facts = column.said.join('; ')
    const last = lines.at(-1)
    if (list !== '') listed.set(list, `${listed.get(list) ?? ''} ${text}`)
    // Columns with the same facts stand on one line.
    else if (last?.facts === facts) last.columns.push(renderColumn(table, column))
    else lines.push({ columns: [renderColumn(table, column)], facts })
  }
  return [
    renderTitle(table),
    ...lines.map(({ columns, facts }) => `${columns.join(', ')}${facts === '' ? '' : `: ${facts}`}`),
    ...[...listed].map(([title, texts]) => `${title}:${texts}`),
    ...renderSettings(table),
  ].join('\n ')
}

/** What is behind each key, as one line. */
function renderSettings({ settings }: TableFacts): readonly string[] {
  const texts = settings.map(({ key, unit, codes }) => `${key}${unit ? '=' : ':'}${renderCodes(codes)}`)
  return texts.length === 0 ? [] : [`values by key: ${texts.join(' ')}`]
}

/** A line for a table without rows: a product can have more of them than others. */
function renderEmpty({ name, columns }: TableFacts): string {
  const list = columns.map((one) => one.name).join(' ')
  return ` ${name}(${list.length <= 100 ? list : `${list.slice(0, 80)}… ${columns.length} columns`})`
}

/** How many rows a table has; of a large one how many were read, and the estimate of the server, which a view lacks. */
export function countRows({ rows, read = 0, isView }: TableFacts): string {
  const all = isView ? 'many' : String(Math.max(rows, read))
  return `${read === sampleMax ? `${read} of ${all}` : read} rows`
}

function renderTitle(table: TableFacts): string {
  const { name, isView, primary } = table
  return `${name}(${isView ? 'view' : primary.join(' ')}) — ${countRows(table)}`
}

/** The lists in which columns stand that have no facts of their own: the first that fits. */
const lists: readonly (readonly [title: string, fits: (column: ColumnFacts, rows: number) => boolean])[] = [
  ['all null', ({ filled }) => filled === 0],
  ['one value', ({ said, codes }, rows) => said.length === 1 && codes.some((one) => one.rows === rows)],
  ['same in all rows', ({ said, distinct }) => said.length === 0 && distinct === 1],
  ['texts', ({ said, kind }) => said.length === 0 && /text|json/.test(kind)],
  ['times', ({ said, kind }) => said.length === 0 && /date|time/.test(kind)],
  ['numbers', ({ said }) => said.length === 0],
]

/** The list of a column, and its text there; no list for one that has a line of its own. */
function findList(table: TableFacts, column: ColumnFacts): readonly [title: string, text: string] {
  const { name, filled, said, codes } = column
  const [title = ''] = lists.find(([, fits]) => fits(column, table.read ?? 0)) ?? []
  if (filled > 0 && isUnique(table, name)) return ['', name]
  if (title === 'one value') return [title, `${name}=${codes.map(({ code }) => code).join()}`]
  return [title, title === 'all null' ? `${name}${said.join('')}` : `${name}${renderNulls(table, column)}`]
}

/** The type of a reference is that of its parent. */
function renderColumn(table: TableFacts, column: ColumnFacts): string {
  const { name, type, reference } = column
  const own = reference === undefined ? ` ${shorten(type)}` : ''
  return `${name}${own}${renderNulls(table, column)}${isUnique(table, name) ? ' U' : ''}`
}

const renderNulls = ({ read = 0 }: TableFacts, { nullable, filled }: ColumnFacts): string =>
  nullable ? `?${read - filled || ''}` : ''

function shorten(type: string): string {
  const [, kind, labels = ''] = /^(enum|set)\((.*)\)/i.exec(type) ?? []
  const list = labels.replaceAll("','", '|').replaceAll("'", '')
  if (kind !== undefined) return `${kind}(${list.slice(0, 80)}${list.length > 80 ? '…' : ''})`
  return type
    .toLowerCase()
    .replace(/int\(\d+\)/, 'int')
    .replace(/^varchar\((\d+)\)/, 'v$1')
    .replace(/^timestamp/, 'ts')
    .replace(/^datetime/, 'dt')
    .replace(/^decimal/, 'dec')
    .replace(' unsigned', 'u')
}

import { isUnique } from '../description.js'
import type { DescribedColumn } from '../description.js'
import { tablesMax } from './read-facts.js'
import type { ColumnFacts, Facts, TableFacts } from './read-facts.js'
import { toTarget } from './references.js'
import type { Reference } from './references.js'
import { renderCodes, toCell } from './values.js'

const legend = `Legend: v40 VARCHAR(40), ts TIMESTAMP, dt DATETIME, ? nullable, PK/U key, → foreign key, ~ the name of a key (share of
values found there), ×n rows with this value, others×n rows with values that are not shown, >created n rows later than their creation, (age of the newest time).
"1000 of 90000 rows": the newest and the oldest were read. No value is shown of a column that could hold one of a person.`

/** The facts as text, compactly: a line for each column that has one, lists for the others. */
export function renderFacts({ server, description, tables, statements }: Facts): string {
  const all = [...tables.values()]
  const [name, version, now, zone] = ['name', 'version', 'now', 'zone'].map((cell) => toCell(server[cell]))
  const empty = all.filter(({ rows }) => rows === 0)
  const unread = all.filter(({ rows }) => rows === undefined).map(({ table }) => table.name)
  const list = (title: string, texts: readonly string[]): readonly string[] =>
    texts.length === 0 ? [] : ['', `${title}: ${texts.join(' ')}`]
  return [
    `${name} · ${version} · now ${now} UTC · server zone ${zone} · ${description.size} tables · ${statements} statements`,
    legend,
    '',
    ...all.filter(({ rows = 0 }) => rows > 0).map(renderTable),
    ...list(
      'Empty tables',
      empty.map(({ table }) => `${table.name}(${table.columns.map((one) => one.name).join(' ')})`),
    ),
    ...list('Not read', [...unread, ...[...description.keys()].slice(tablesMax)]),
    '',
  ].join('\n')
}

/** The same for programs. */
export function toReport({ server, tables, statements }: Facts): object {
  const named = Object.entries(server).map(([name, cell]) => [name, toCell(cell)] as const)
  const described = [...tables.values()].map((facts) => ({
    name: facts.table.name,
    rows: facts.rows ?? null,
    isSample: facts.isSample,
    primaryKey: facts.table.primary,
    columns: facts.table.columns.map((column) => ({
      name: column.name,
      type: column.type,
      nullable: column.nullable,
      facts: listColumnFacts(facts, column),
    })),
    settings: facts.settings,
  }))
  return { server: Object.fromEntries(named), statements, tables: described }
}

function renderTable(facts: TableFacts): string {
  const { table, rows = 0, isSample, settings } = facts
  const lines: { readonly heads: string[]; readonly facts: string }[] = []
  const lists: Record<List, string[]> = { 'one value': [], 'same in all rows': [], 'all null': [] }
  for (const column of table.columns) {
    const { text, said, list } = renderColumn(facts, column)
    const last = lines.at(-1)
    // Columns with the same facts stand on one line.
    if (list !== undefined) lists[list].push(text)
    else if (last?.facts === said) last.heads.push(text)
    else lines.push({ heads: [text], facts: said })
  }
  const titled = Object.entries(lists).flatMap(([title, texts]) =>
    texts.length === 0 ? [] : [`${title}: ${texts.join(' ')}`],
  )
  const count = isSample
    ? `${rows} of ${Math.max(table.rows, rows)} rows`
    : `${rows} row${rows === 1 ? '' : 's'}`
  const key = table.primary.length > 1 ? `; PK (${table.primary.join(' ')})` : ''
  return [
    `${table.name}${table.isView ? ' (view)' : ''} — ${count}${key}`,
    ...lines.map((line) => `${line.heads.join(', ')}${line.facts === '' ? '' : `: ${line.facts}`}`),
    ...titled,
    ...settings,
  ].join('\n  ')
}

type List = 'one value' | 'same in all rows' | 'all null'

interface Rendered {
  /** The column with its type, or as it stands in a list. */
  readonly text: string
  readonly said: string
  /** The list in which it stands; a line of its own without one. */
  readonly list?: List | undefined
}

/** The facts of a column in words, without its name and type. */
export function listColumnFacts(
  { rows = 0, columns, references }: TableFacts,
  { name, kind, comment }: DescribedColumn,
): readonly string[] {
  const facts = columns.get(name)
  if (facts === undefined) return []
  const { filled, empty, emails, distinct, codes, texts } = facts
  const reference = references.find(({ column }) => column.name === name)
  const list: readonly (readonly [isSaid: boolean, text: string])[] = [
    ...(reference?.isDeclared === true ? [[true, `→${toTarget(reference)}`] as const] : []),
    ...texts.map((text) => [true, text] as const),
    [filled > 0 && filled < rows, `null ${rows - filled}`],
    [empty > 0, `${kind === 'text' ? "''" : 'zero date'} ${empty}`],
    [emails > 0, emails === filled ? 'e-mail' : `e-mail ${emails}`],
    [codes.length > 0 && !isLabelled(facts), renderOwnCodes(facts)],
    [isWide(facts), `${facts.digits?.join('–')} digits`],
    [isRepeated(facts, reference), `${distinct} distinct`],
    [comment !== '', JSON.stringify(comment.slice(0, 80))],
  ]
  return list.filter(([isSaid]) => isSaid).map(([, text]) => text)
}

const renderOwnCodes = ({ codes, hidden }: ColumnFacts): string =>
  `${renderCodes(codes)}${hidden === 0 ? '' : ` others×${hidden}`}`
const isRepeated = ({ filled, distinct, codes }: ColumnFacts, reference: Reference | undefined): boolean =>
  reference !== undefined && codes.length === 0 && distinct < filled
const isLabelled = ({ texts }: ColumnFacts): boolean => texts.some((text) => text.includes('='))
const isWide = ({ digits, texts, codes }: ColumnFacts): boolean =>
  digits !== undefined && digits[1] > 4 && texts.length + codes.length === 0

function renderColumn(facts: TableFacts, column: DescribedColumn): Rendered {
  const { table, references } = facts
  const all = listColumnFacts(facts, column)
  const list = findList(facts, column, all)
  const [first = ''] = all
  const said = all.join('; ')
  if (list === 'all null') return { text: `${column.name}${first.startsWith('→') ? first : ''}`, said, list }
  if (list === 'one value')
    return { text: `${column.name}=${first.slice(0, first.lastIndexOf('×'))}`, said, list }
  if (list !== undefined && references.every((one) => one.column !== column))
    return { text: column.name, said, list }
  const isKey = table.primary.join() === column.name
  const key = isKey ? ' PK' : isUnique(table, column.name) ? ' U' : ''
  return { text: `${column.name} ${shorten(column)}${key}`, said }
}

/** The list in which a column without facts of its own stands. */
function findList(
  { columns, rows = 0 }: TableFacts,
  { name }: DescribedColumn,
  list: readonly string[],
): List | undefined {
  const facts = columns.get(name)
  if (facts === undefined || facts.filled === 0) return 'all null'
  const isOne = [list.length, facts.codes.length, facts.hidden].join() === '1,1,0' && !isLabelled(facts)
  if (isOne && facts.filled === rows) return 'one value'
  return list.length === 0 && facts.distinct === 1 ? 'same in all rows' : undefined
}

/** A type in short, with `?` where it is nullable. */
function shorten({ type, nullable }: DescribedColumn): string {
  const labels = /^(enum|set)\((.*)\)/i.exec(type)
  if (labels !== null) {
    const list = (labels[2] ?? '').replaceAll("','", '|').replaceAll("'", '')
    return `${labels[1] ?? ''}(${list.slice(0, 80)}${list.length > 80 ? '…' : ''})${nullable ? '?' : ''}`
  }
  const short = type
    .toLowerCase()
    .replace(/int\(\d+\)/, 'int')
    .replace(/^varchar\((\d+)\)/, 'v$1')
    .replace(/^timestamp/, 'ts')
    .replace(/^datetime/, 'dt')
    .replace(/^decimal/, 'dec')
    .replace(' unsigned', 'u')
  return `${short}${nullable ? '?' : ''}`
}

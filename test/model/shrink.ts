import { listArchived } from './mapping.js'
import type { Section } from './mapping.js'
import type { Failure } from './play.js'
import { collections } from './product.js'
import type { Product, Table } from './product.js'
import type { Question } from './question.js'

/** A product and the question that is answered wrongly. */
export interface Case {
  readonly product: Product
  readonly question: Question | undefined
}

/** Plays a smaller case. @returns the failure where it has the same difference */
type Replay = (smaller: Case) => Promise<Failure | undefined>

/**
 * The smallest case that still fails in the same way: rows, options, columns, tables and names are taken away one after
 * the other for as long as that succeeds.
 *
 * @param triesMax how many smaller cases are played at most.
 */
export async function shrink(failure: Failure, replay: Replay, triesMax: number): Promise<Failure> {
  let smallest = failure
  let tries = 0
  const tryAll = async (list: (from: Case) => readonly Case[]): Promise<boolean> => {
    let isSmaller = false
    for (let at = 0; tries < triesMax;) {
      const candidate = list(smallest)[at]
      if (candidate === undefined) break
      tries += 1
      const found = await replay(candidate)
      if (found === undefined) at += 1
      else {
        smallest = found
        isSmaller = true
      }
    }
    return isSmaller
  }
  for (let isSmaller = true; isSmaller && tries < triesMax;) {
    isSmaller = false
    for (const list of reductions) isSmaller = (await tryAll(list)) || isSmaller
  }
  return smallest
}

const reductions: readonly ((from: Case) => readonly Case[])[] = [
  dropSections,
  dropRows,
  dropOptions,
  simplifyFields,
  dropTables,
  dropColumns,
  simplifyQuestion,
  simplifyNames,
]

function withProduct({ question }: Case, product: Product): Case {
  return { question, product }
}

function dropSections(from: Case): readonly Case[] {
  const { product, question } = from
  const other = collections.find(
    (name) => name !== question?.collection && product.mapping[name] !== undefined,
  )
  if (other === undefined || collections.some((name) => product.mapping[name] === undefined)) return []
  const { [other]: _, ...mapping } = product.mapping
  return [withProduct(from, { ...product, mapping })]
}

/** Halves first, then single rows; keys stay. */
function dropRows(from: Case): readonly Case[] {
  return [8, 4, 2, 1].flatMap((size) =>
    listTables(from).flatMap(({ rows }, at) =>
      Array.from({ length: size === 1 ? rows.length : Math.floor(rows.length / size) }, (_, chunk) =>
        rows.filter((_row, place) => Math.floor(place / size) !== chunk),
      ).map((rest) => changeTable(from, at, (table) => ({ ...table, rows: rest }))),
    ),
  )
}

/** The tables, those of the keys and the views without rows. */
function listTables({ product }: Case): readonly Table[] {
  return product.tables.map((table) =>
    table.name === product.mapping.apiKeys['table'] || table.viewOf !== undefined
      ? { ...table, rows: [] }
      : table,
  )
}

function changeTable(from: Case, at: number, change: (table: Table) => Table): Case {
  const tables = from.product.tables.map((table, place) => (place === at ? change(table) : table))
  return withProduct(from, { ...from.product, tables })
}

function changeSection(from: Case, change: (section: Section) => readonly Section[]): readonly Case[] {
  const { product } = from
  return collections.flatMap((name) => {
    const section = product.mapping[name]
    if (section === undefined) return []
    return change(section).map((smaller) =>
      withProduct(from, { ...product, mapping: { ...product.mapping, [name]: smaller } }),
    )
  })
}

function isConstant(workspace: Section['workspace']): boolean {
  return typeof workspace === 'object' && 'constant' in workspace
}

function dropOptions(from: Case): readonly Case[] {
  const key = from.product.keys[from.question?.key ?? 0]
  const workspace = key && from.product.workspaces[key.workspace]
  const sections = changeSection(from, (section) => {
    const { where = [], invalidRows, ...rest } = section
    const archived = listArchived(section)
    return [
      ...where.map((test) => ({ ...section, where: where.filter((one) => one !== test) })),
      ...archived.map((test): Section => ({
        ...section,
        archived: archived.filter((one) => one !== test),
      })),
      ...(invalidRows === undefined ? [] : [{ ...rest, where }]),
      ...(section.eventId === undefined || section.eventId === null ? [] : [{ ...section, eventId: null }]),
      ...from.product.tables
        .filter(({ name, viewOf }) => name === section.table && viewOf !== undefined)
        .map(({ viewOf }) => ({ ...section, table: viewOf! })),
      ...(isConstant(section.workspace) || workspace === undefined
        ? []
        : [{ ...section, workspace: { constant: workspace } }]),
    ]
  })
  const { timezone, ...mapping } = from.product.mapping
  return timezone === undefined ? sections : [...sections, withProduct(from, { ...from.product, mapping })]
}

/** Options that need no column, or that of another field. */
function simplifyFields(from: Case): readonly Case[] {
  return changeSection(from, (section) => {
    const { fields } = section
    const change = (field: string, option: unknown): readonly Section[] =>
      JSON.stringify(fields[field]) === JSON.stringify(option) || !(field in fields)
        ? []
        : [{ ...section, fields: { ...fields, [field]: option } }]
    const { checkedInAt, ...withoutTime } = fields
    return [
      ...(checkedInAt === undefined
        ? []
        : [{ ...section, fields: { ...withoutTime, checkedIn: { constant: false } } }]),
      ...change('checkedIn', { constant: false }),
      ...change('dueDate', null),
      ...change('currency', { constant: 'SAR' }),
      ...change('createdAt', fields['updatedAt']),
      ...change('issueDate', fields['updatedAt']),
      ...['name', 'email', 'number', 'eventId', 'status'].flatMap((field) => change(field, 'x')),
      ...change('total', 'n'),
    ]
  }).map(addSimpleColumns)
}

/** Gives the tables of the sections the columns that the simplest options name. */
function addSimpleColumns(from: Case): Case {
  const { product } = from
  const mapped = collections.map((name) => product.mapping[name]?.table)
  const tables = product.tables.map((table) => {
    if (!mapped.includes(table.name) || table.columns.some(({ name }) => name === 'x')) return table
    const x = {
      name: 'x',
      kind: 'text',
      type: 'varchar(9)',
      collation: 'ascii_bin',
      nullable: false,
    } as const
    const n = { name: 'n', kind: 'integer', type: 'int', nullable: false } as const
    return { ...table, columns: [...table.columns, x, n], rows: table.rows.map((row) => [...row, 'x', '1']) }
  })
  return withProduct(from, { ...product, tables })
}

function isNamed({ product }: Case, name: string): boolean {
  return JSON.stringify(product.mapping).includes(JSON.stringify(name))
}

function dropTables(from: Case): readonly Case[] {
  const { tables } = from.product
  return tables
    .filter(({ name }) => !isNamed(from, name) && !tables.some(({ viewOf }) => viewOf === name))
    .map((unused) =>
      withProduct(from, { ...from.product, tables: tables.filter((table) => table !== unused) }),
    )
}

/** Columns that nothing names, and indexes. */
function dropColumns(from: Case): readonly Case[] {
  return from.product.tables.flatMap((table, at) => [
    ...table.indexes.map((index) =>
      changeTable(from, at, (one) => ({ ...one, indexes: one.indexes.filter((other) => other !== index) })),
    ),
    ...table.columns.flatMap(({ name }, place) => {
      const isKey = [...table.primary, ...table.unique, ...table.indexes.flat()].includes(name)
      if (isNamed(from, name) || isKey || table.viewOf !== undefined) return []
      if (from.product.tables.some(({ viewOf }) => viewOf === table.name)) return []
      const remove = <Item>(items: readonly Item[]): readonly Item[] =>
        items.filter((_, index) => index !== place)
      return [
        changeTable(from, at, (one) => ({
          ...one,
          columns: remove(one.columns),
          rows: one.rows.map(remove),
        })),
      ]
    }),
  ])
}

function simplifyQuestion({ product, question }: Case): readonly Case[] {
  if (question?.kind !== 'crawl') return []
  const { filters, limits } = question
  const names = Object.keys(filters) as (keyof typeof filters)[]
  const changes = [
    ...names.map((name) => ({
      filters: Object.fromEntries(names.filter((one) => one !== name).map((one) => [one, filters[one]!])),
    })),
    ...(limits.length === 1 && limits[0] === 100 ? [] : [{ limits: [100] }]),
    ...(limits.length > 1 ? [{ limits: [1] }, { limits: [2] }] : []),
  ]
  return changes.map((change) => ({ product, question: { ...question, ...change } }))
}

/** One name at a time, in the tables and in the mapping; names are unlike everything else in it. */
function simplifyNames(from: Case): readonly Case[] {
  const { tables } = from.product
  const names = tables.flatMap((table) => [table.name, ...table.columns.map(({ name }) => name)])
  return [...new Set(names)].flatMap((name) => {
    const simple = name.replace(/[^a-z0-9]/g, '')
    if (simple === name || names.includes(simple)) return []
    return [withProduct(from, renameAll(from.product, name, simple) as Product)]
  })
}

function renameAll(value: unknown, name: string, simple: string): unknown {
  if (value === name) return simple
  if (Array.isArray(value)) return value.map((one: unknown) => renameAll(one, name, simple))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renameAll(one, name, simple)]))
}

import { isPrimaryKey } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { findColumns } from '../facts/columns.js'
import type { ColumnFacts, Facts } from '../facts/read-facts.js'
import type { Reference } from '../facts/references.js'

/** What a mapping file can say at a place. */
export type MappingValue = string | number | boolean | null | readonly MappingValue[] | Section
/** A part of the mapping with names of its own. */
export type Section = { readonly [name: string]: MappingValue }

/** One possible answer at a place. */
export interface Candidate {
  readonly value: MappingValue
  readonly label: string
  readonly points: number
  readonly why: string
  /** What only a person knows; such a candidate is never taken. */
  readonly ask: string | undefined
}

/** How a row reaches the row of a table: itself, a parent, a parent of a parent. */
export interface Way {
  readonly steps: readonly Reference[]
  readonly table: DescribedTable
}

/** The table of a place, its facts and those of all tables. */
export interface Input {
  readonly facts: Facts
  readonly table: DescribedTable
}

/** How a column is written, what that is worth, and what only a person knows; undefined where it cannot be. */
export type Write = (column: DescribedColumn, facts: ColumnFacts | undefined) => Written | undefined
export type Written = readonly [reading: MappingValue, points?: number, ask?: string]

/** What a way to another table is worth; undefined for one that cannot be taken. */
export type WeighWay = (way: Way) => number | undefined

/** Makes a candidate. */
export function candidate(
  value: MappingValue,
  label: string,
  points: number,
  why: string,
  ask?: string,
): Candidate {
  return { value, label, points, why, ask }
}

/** Whether a value has names of its own. */
export function isSection(value: MappingValue | undefined): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The column of a value that has one, with or without options. */
export function columnOf(value: MappingValue | undefined): string {
  const name = isSection(value) ? value['column'] : value
  return typeof name === 'string' ? name : ''
}

/** The best one first; those with equal points keep their order, and each label stands once. */
export function rank(all: readonly Candidate[]): readonly Candidate[] {
  const ranked = [...all].sort((one, other) => other.points - one.points)
  return ranked.filter((one, at) => ranked.findIndex(({ label }) => label === one.label) === at)
}

/** The ways from the rows of a table, to itself first. */
export function listWays({ facts: { references }, table }: Input): readonly Way[] {
  const listSteps = (from: DescribedTable): readonly Reference[] =>
    (references.get(from) ?? []).filter(({ parent }) => parent !== table && parent !== from)
  const first = listSteps(table).map((one): Way => ({ steps: [one], table: one.parent }))
  const second = first.flatMap(({ steps, table: parent }) =>
    listSteps(parent).map((two): Way => ({ steps: [...steps, two], table: two.parent })),
  )
  return [{ steps: [], table }, ...first, ...second]
}

/** The candidates of a rule, in the columns of the table and of the ways that have points. */
export function findByRule(
  input: Input,
  rule: string,
  write: Write,
  weighWay?: WeighWay,
): readonly Candidate[] {
  return listWays(input).flatMap((way) => {
    const onWay = way.steps.length === 0 ? 0 : weighWay?.(way)
    if (onWay === undefined) return []
    return findColumns(way.table, rule).flatMap(({ column, points: named }) => {
      const own = input.facts.tables.get(way.table)?.columns.get(column.name)
      const [reading, points = 0, ask] = write(column, own) ?? []
      if (reading === undefined) return []
      const isUnused = own?.filled === 0 && !/time|date/.test(column.kind)
      const why = isUnused ? 'no row has a value in it' : column.type
      return [atEnd(way, column.name, reading, named + onWay + points - (isUnused ? 5 : 0), why, ask)]
    })
  })
}

/** A candidate at the end of a way: by itself, by a lookup, or by one that is looked up itself. */
export function atEnd(
  { steps, table }: Way,
  columns: string,
  reading: MappingValue,
  points: number,
  why: string,
  ask?: string,
): Candidate {
  const options = isSection(reading) ? reading : { column: reading }
  const [first, second] = steps
  const by = [...steps].reverse().map(({ column }) => ` by ${column.name}`)
  const own =
    first && lookUp(first, first.column.name, second === undefined ? options : { column: second.column.name })
  const value = own && second !== undefined ? lookUp(second, own, options) : (own ?? reading)
  return candidate(value, `${table.name}.${columns}${by.join('')}`, points, why, ask)
}

function lookUp({ parent, key }: Reference, on: MappingValue, reading: Section): Section {
  return { from: parent.name, on, ...(isPrimaryKey(parent, key) ? {} : { key }), ...reading }
}

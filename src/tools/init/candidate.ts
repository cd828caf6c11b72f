import { isPrimaryKey } from '../description.js'
import { listByRole } from '../facts/columns.js'
import type { Facts } from '../facts/read-facts.js'
import type { Reference } from '../facts/references.js'
import type { ColumnFacts, TableFacts } from '../facts/table-facts.js'

/** What a mapping file can say at a place. */
export type MappingValue = string | number | boolean | null | readonly MappingValue[] | Section
/** A part of the mapping with names of its own. */
export type Section = { readonly [name: string]: MappingValue }

/** One possible answer at a place. */
export interface Candidate {
  readonly value: MappingValue
  readonly points: number
  readonly why: string
  /** What only a person knows; such a candidate is never taken. */
  readonly ask?: string | undefined
  /** Whether many rows have no value there. */
  readonly isPart?: boolean
}

/** How a row reaches the row of a table: itself, a parent, a parent of a parent. */
export interface Way {
  readonly steps: readonly Reference[]
  readonly table: TableFacts
}

/** The table of a place, and the facts of all tables. */
export interface Input {
  readonly facts: Facts
  readonly table: TableFacts
}

/** What can stand at a place of the mapping, in no order. */
export type List = (input: Input) => readonly Candidate[]

/** How a column is written, what that is worth, and what only a person knows; undefined where it cannot be. */
export type Write = (column: ColumnFacts, table: TableFacts) => Written | undefined
type Written = readonly [reading: MappingValue, points?: number, ask?: string | undefined]

/** What a way to another table is worth; undefined for one that cannot be taken. */
export type WeighWay = (way: Way) => number | undefined

/** The ways from the rows of a table, to itself first. */
export function listWays({ facts: { tables }, table }: Input): readonly Way[] {
  const listSteps = ({ steps, table: from }: Way): readonly Way[] =>
    from.columns.flatMap(({ reference }): readonly Way[] => {
      const parent = reference && tables.get(reference.parent.name)
      if (reference === undefined || parent === undefined || parent === table || parent === from) return []
      return [{ steps: [...steps, reference], table: parent }]
    })
  const first = listSteps({ steps: [], table })
  return [{ steps: [], table }, ...first, ...first.flatMap(listSteps)]
}

/** A reading at the end of a way: by itself, by a lookup, or by one that is looked up itself. */
export function atEnd({ steps }: Way, reading: MappingValue): MappingValue {
  const [first, second] = steps
  if (first === undefined) return reading
  const options = isSection(reading) ? reading : { column: reading }
  if (second === undefined) return lookUp(first, first.column.name, options)
  return lookUp(second, lookUp(first, first.column.name, { column: second.column.name }), options)
}

function lookUp({ parent, key }: Reference, on: MappingValue, reading: Section): Section {
  return { from: parent.name, on, ...(isPrimaryKey(parent, key) ? {} : { key }), ...reading }
}

/** Whether a value has names of its own. */
export function isSection(value: MappingValue | undefined): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Any way; the shorter one is worth more. */
export const anywhere: WeighWay = ({ steps }) => -3 * steps.length

/** What the facts say of a column. */
export function toReason({ type, said }: ColumnFacts): string {
  return [type, ...said].join('; ')
}

/** A column that is NULL in a greater share of the rows is not sure: they would not be shown, or have no event. */
const hiddenMax = 0.05
const emptyMax: Readonly<Record<string, number>> = { event: 0.5, checkedInAt: 1, dueDate: 1 }

/** The share of rows in which a column is NULL; of a table without rows all. */
const toEmptyShare = ({ filled }: ColumnFacts, { read = 0 }: TableFacts): number =>
  read === 0 ? 1 : 1 - filled / read

/** The candidates of a role, in the columns of the table and of the ways that have points. */
export const byRole =
  (role: string, write: Write, weighWay: WeighWay = () => undefined): List =>
  (input) =>
    listWays(input).flatMap((way) => {
      if (isBehind(input.table, way)) return []
      const onWay = way.steps.length === 0 ? 0 : weighWay(way)
      return listByRole(onWay === undefined ? [] : way.table.columns, role).flatMap((column) => {
        const [reading, points = 0, asked] = write(column, way.table) ?? []
        if (reading === undefined) return []
        const empty = toEmptyShare(column, way.table)
        const all = [column.roles.get(role), onWay, points, /time|date/.test(column.kind) ? 0 : -5 * empty]
        const sum = all.reduce<number>((total, one = 0) => total + one, 0)
        const without = `what of the ${Math.round(100 * empty)} % of rows without ${column.name}?`
        const isPart = Boolean(way.table.read) && empty > (emptyMax[role] ?? hiddenMax)
        const ask = asked ?? (isPart ? without : undefined)
        return [{ value: atEnd(way, reading), points: sum, why: toReason(column), ask, isPart }]
      })
    })

/** Whether a column can be the key of a view, which names none: no two of the rows that were read have the same value. */
export function isKeyOfView({ isView, read }: TableFacts, { distinct, filled }: ColumnFacts): boolean {
  return isView && distinct > 0 && distinct === filled && filled === read
}

/** Whether a way leads from a view to the row behind it, whose columns the view has itself. */
function isBehind(table: TableFacts, { steps: [first] }: Way): boolean {
  return table.columns.some((column) => column.name === first?.column.name && isKeyOfView(table, column))
}

/** The best one first; those with equal points keep their order, and each value stands once. */
export function rank(all: readonly Candidate[]): readonly Candidate[] {
  const ranked = all.toSorted((one, other) => other.points - one.points)
  const texts = ranked.map(({ value }) => JSON.stringify(value))
  return ranked.filter((_, at) => texts.indexOf(texts[at] ?? '') === at)
}

/** What some lists give, and before a column that some rows do not have, this one with the next for these rows. */
export const orElse =
  (...lists: readonly List[]): List =>
  (input) => {
    const all = rank(lists.flatMap((list) => list(input)))
    const one = all.find(({ value, isPart }) => isPart === true && !(isSection(value) && 'from' in value))
    if (one === undefined) return all
    const others = all.filter((next) => next !== one).slice(0, 2)
    const points = (all[0]?.points ?? 0) + 0.5
    return [...others.map(({ value }) => ({ ...one, value: { first: [one.value, value] }, points })), ...all]
  }

/** Whether a table has a column for a role. */
export function hasRole({ columns }: TableFacts, role: string): boolean {
  return columns.some(({ roles }) => roles.has(role))
}

/** The codes that settings of the product name. */
export function listSettings({ tables }: Input['facts'], wanted: 'zone' | 'currency') {
  return [...tables.values()].flatMap(({ name, settings }) =>
    settings.flatMap(({ key, unit, codes }) =>
      unit === wanted ? codes.map(({ code }) => ({ code, why: `the setting ${key} of ${name}` })) : [],
    ),
  )
}

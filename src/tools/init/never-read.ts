import { matches } from '../facts/names.js'
import type { Facts } from '../facts/read-facts.js'
import { isPersonal } from '../facts/shown.js'
import type { ColumnFacts, TableFacts } from '../facts/table-facts.js'
import { toSnake } from '../facts/words.js'
import { isSection, listWays } from './candidate.js'
import type { MappingValue } from './candidate.js'

/** A value of the mapping, and the table that its columns are of. */
export type Used = readonly [table: string, value: MappingValue]

/** The tables in a value, and every text with its table, names of columns among them. */
function listUsed([table, value]: Used): readonly string[] {
  if (typeof value === 'string') return [`${table}.${value}`]
  if (!isSection(value))
    return Array.isArray(value) ? value.flatMap((one: MappingValue) => listUsed([table, one])) : []
  const { from, table: link, on = null, ...rest } = value
  const other = from ?? link
  const inner = typeof other === 'string' ? other : table
  return [inner, ...listUsed([table, on]), ...Object.values(rest).flatMap((one) => listUsed([inner, one]))]
}

/**
 * What must never be read, turned round: not what looks like a secret, but everything that the mapping has no use for. Tables
 * that no mapped row leads to, and no candidate names, are forbidden whole; of the others each text, document and DATE that no field could read.
 *
 * @param values what stands at the places of the mapped tables, and their candidates.
 */
export function listForbidden(
  facts: Facts,
  mapped: readonly TableFacts[],
  values: readonly Used[],
): readonly string[] {
  const used = new Set(values.flatMap(listUsed))
  // What a mapped view shows is a column of a table behind it.
  const seen = new Set(
    mapped.flatMap(({ isView, columns }) => (isView ? columns.map(({ name }) => name) : [])),
  )
  const reached = new Set(mapped.flatMap((table) => listWays({ facts, table }).map((way) => way.table)))
  return [...facts.tables.values()].flatMap((table) => {
    const isUsed = mapped.includes(table) || used.has(table.name)
    const name = table.name.replaceAll('.', '*')
    if (!reached.has(table) && !isUsed) return [`${name}.*`]
    return table.columns
      .filter(
        (column) =>
          isForbidden(table, column) && !used.has(`${table.name}.${column.name}`) && !seen.has(column.name),
      )
      .map((column) => `${name}.${column.name.replaceAll('.', '*')}`)
  })
}

function isForbidden(table: TableFacts, column: ColumnFacts): boolean {
  if (table.primary.includes(column.name) || column.reference !== undefined) return false
  const snake = toSnake(column.name)
  const isFree = ['text', 'json', 'binary', 'unreadable', 'date'].includes(column.kind)
  return (isFree && !matches('harmless', snake)) || matches('forbidden', snake) || isPersonal(table, column)
}

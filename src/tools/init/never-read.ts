import { isNeverRead } from '../../mapping/mapped-columns.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { matches } from '../facts/names.js'
import type { Facts } from '../facts/read-facts.js'
import { isPersonal } from '../facts/shown.js'
import { toSnake } from '../facts/words.js'
import { isSection, listWays } from './candidate.js'
import type { MappingValue } from './candidate.js'

/** A column that a mapping reads. */
interface Used {
  readonly table: string
  readonly column: string
}

/** Every column that a value reads, those of lookups and of their tests included. */
export function listUsed(value: MappingValue | undefined, table: string): readonly Used[] {
  if (typeof value === 'string') return [{ table, column: value }]
  if (Array.isArray(value))
    return value.flatMap((one: MappingValue) => listUsed(isSection(one) ? one : undefined, table))
  if (!isSection(value)) return []
  const read = typeof value['from'] === 'string' ? value['from'] : table
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'on') return listUsed(part, table)
    if (!['column', 'columns', 'key', 'sum', 'first'].includes(name))
      return isSection(part) ? listUsed(part, read) : []
    return [part].flat().flatMap((one) => listUsed(one, read))
  })
}

/**
 * What must never be read, turned round: not what looks like a secret, but everything that the mapping has no use for. Tables
 * that no mapped row leads to are forbidden whole; of the others each text, document and DATE that no place could read.
 */
export function listForbidden(
  facts: Facts,
  mapped: readonly DescribedTable[],
  used: readonly Used[],
): readonly string[] {
  const reached = new Set(mapped.flatMap((table) => listWays({ facts, table }).map((way) => way.table)))
  const patterns = [...facts.description.values()].flatMap((table) => {
    const name = table.name.replaceAll('.', '*')
    if (!reached.has(table)) return [`${name}.*`]
    const columns = table.columns.filter((column) => isForbidden(facts, table, column))
    return columns.map((column) => `${name}.${column.name.replaceAll('.', '*')}`)
  })
  return patterns.filter(
    (pattern) => !used.some(({ table, column }) => isNeverRead([pattern], table, column)),
  )
}

function isForbidden({ references }: Facts, table: DescribedTable, column: DescribedColumn): boolean {
  const snake = toSnake(column.name)
  const isKey = references.get(table)?.some((one) => one.column === column) === true
  if (table.primary.includes(column.name) || isKey) return false
  const isFree = ['text', 'json', 'binary', 'unreadable', 'date'].includes(column.kind)
  return (isFree && !matches('harmless', snake)) || matches('forbidden', snake) || isPersonal(table, column)
}

import { todo } from './candidate.js'
import type { MappingValue } from './candidate.js'
import type { UsedColumn } from './forbidden.js'
import { isSection } from './section.js'
import type { Section } from './section.js'

/** Every column that a proposed mapping reads, in its own tables and in those of lookups; once each. */
export function listUsedColumns(mapping: Section): readonly UsedColumn[] {
  const used = Object.values(mapping).flatMap((section) => {
    if (!isSection(section) || typeof section['table'] !== 'string') return []
    return listColumns(section, section['table'])
  })
  return [...new Map(used.map((one) => [JSON.stringify(one), one])).values()]
}

/** Names beside which a text is a column. */
const plainNames = new Set(['algorithm', 'encoding', 'format', 'as', 'epoch', 'unit', 'then', 'otherwise', 'separator', 'equals', 'is', 'constant', 'table', 'prefix', 'values', 'from', 'grant', 'scale', 'float', 'invalidRows', 'in', 'nullIsZero', 'neverChanges']) // prettier-ignore

function listColumns(section: Section, table: string): readonly UsedColumn[] {
  const own = typeof section['from'] === 'string' && 'on' in section ? section['from'] : table
  // Those of a table that links invoices and events.
  const link = typeof section['table'] === 'string' ? section['table'] : own
  return Object.entries(section).flatMap(([name, value]): readonly UsedColumn[] => {
    if (plainNames.has(name)) return []
    return listValue(value, name === 'on' ? table : link)
  })
}

function listValue(value: MappingValue, table: string): readonly UsedColumn[] {
  if (typeof value === 'string') return value === todo ? [] : [{ table, column: value }]
  if (Array.isArray(value)) return value.flatMap((one: MappingValue) => listValue(one, table))
  return isSection(value) ? listColumns(value, table) : []
}

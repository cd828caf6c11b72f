import { isSection } from './candidate.js'
import type { MappingValue } from './candidate.js'

/** A column that a mapping reads, with its table. */
export interface UsedColumn {
  readonly table: string
  readonly column: string
}

/** The names of options that hold a column of the lookup's own row. */
const ofRow = new Set(['on'])
/** The names of options that hold columns of the table that is read. */
const ofTable = new Set(['column', 'columns', 'key', 'invoice', 'event', 'sum', 'first'])

/** Every column that a value at a place of the mapping reads, those of lookups and of their tests included. */
export function listUsedColumns(value: MappingValue | undefined, table: string): readonly UsedColumn[] {
  if (typeof value === 'string') return [{ table, column: value }]
  if (Array.isArray(value))
    return value.flatMap((one: MappingValue) => (isSection(one) ? listUsedColumns(one, table) : []))
  if (!isSection(value)) return []
  const other = value['from'] ?? value['table']
  const read = typeof other === 'string' ? other : table
  return Object.entries(value).flatMap(([name, part]) => {
    if (ofRow.has(name)) return listUsedColumns(part, table)
    if (!ofTable.has(name)) return isSection(part) || Array.isArray(part) ? listUsedColumns(part, read) : []
    return [part].flat().flatMap((one) => listUsedColumns(one, read))
  })
}

/** Every column that a section of a collection or of keys reads. */
export function listSectionColumns(section: MappingValue | undefined): readonly UsedColumn[] {
  if (!isSection(section) || typeof section['table'] !== 'string') return []
  const { table, fields, ...places } = section
  const all = [...Object.values(places), ...(isSection(fields) ? Object.values(fields) : [])]
  return all.flatMap((value) => listUsedColumns(value, table))
}

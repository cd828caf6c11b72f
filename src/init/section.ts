import { todo } from './candidate.js'
import type { MappingValue } from './candidate.js'

/** A part of the proposed mapping with names of its own. */
export type Section = Readonly<Record<string, MappingValue>>

/** Whether a value has names of its own. */
export function isSection(value: MappingValue | undefined): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The column of a value that is a name alone or an object with a column; undefined for any other. */
export function toColumnName(value: MappingValue | undefined): string | undefined {
  if (typeof value === 'string') return value === todo ? undefined : value
  return isSection(value) && typeof value['column'] === 'string' ? value['column'] : undefined
}

import { todo } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import type { ReadCodes } from './codes.js'
import type { DescribedTable, Description } from './description.js'
import type { Recorder } from './recorder.js'
import type { FindReferences } from './references.js'

/** A part of the proposed mapping with names of its own. */
export type Section = Readonly<Record<string, MappingValue>>

/** What a section is proposed from. */
export interface SectionInput {
  readonly table: DescribedTable
  readonly description: Description
  readonly findReferences: FindReferences
  readonly readCodes: ReadCodes
  readonly recorder: Recorder
  /** Candidates for the tenant. */
  readonly workspaces: readonly Candidate[]
}

/** Whether a value has names of its own. */
export function isSection(value: MappingValue | undefined): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The column of a value that is a name alone or an object with a column; undefined for any other. */
export function toColumnName(value: MappingValue | undefined): string | undefined {
  if (typeof value === 'string') return value === todo ? undefined : value
  return isSection(value) && typeof value['column'] === 'string' ? value['column'] : undefined
}

/** Without the names that have no value. */
export function toSection(values: Readonly<Record<string, MappingValue | undefined>>): Section {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

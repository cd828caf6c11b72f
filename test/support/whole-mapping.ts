import { expect } from 'vitest'
import type { Mapping, SectionName } from '../../src/mapping/mapping-schema.js'
import type { ResolvedMapping } from '../../src/mapping/resolve-mapping.js'

/** A mapping file that has both collections. */
export type WholeMapping = Mapping & Required<Pick<Mapping, 'registrations' | 'invoices'>>

/** A resolved mapping that has both collections. */
export type WholeResolved = {
  readonly [Name in SectionName]: NonNullable<ResolvedMapping[Name]>
}

/** The mapping, of which the caller knows that it has both collections. */
export function requireWhole(mapping: Mapping): WholeMapping {
  const { registrations, invoices } = mapping
  if (registrations === undefined || invoices === undefined) throw new Error('The mapping lacks a collection')
  return { ...mapping, registrations, invoices }
}

/** The same for a resolved mapping, which has no issue. */
export function requireWholeResolved(resolved: ResolvedMapping): WholeResolved {
  expect(resolved).toMatchObject({ registrations: {}, invoices: {}, issues: [] })
  return resolved as WholeResolved
}

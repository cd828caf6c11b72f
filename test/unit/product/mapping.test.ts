import { expectTypeOf, test } from 'vitest'
import type { Static } from '@sinclair/typebox'
import type { MappingSchema } from '../../../src/mapping/mapping-schema.js'
import type { Mapping as TestedMapping } from '../../product/mapping.js'

type Mapping = Static<typeof MappingSchema>
type Collections = { readonly [Name in 'registrations' | 'invoices']?: { readonly fields: object } }
type Fields<All extends Collections, Name extends keyof Collections> = NonNullable<All[Name]>['fields']

test('a mapping for tests has the shape of the mapping file, and a place for each of its names', () => {
  // Held by the compiler: this does not compile where they differ.
  const accept = (mapping: TestedMapping): Mapping => mapping
  expectTypeOf(accept).toBeFunction()
  expectTypeOf<keyof TestedMapping>().toEqualTypeOf<keyof Mapping>()
  expectTypeOf<keyof Fields<TestedMapping, 'registrations'>>().toEqualTypeOf<
    keyof Fields<Mapping, 'registrations'>
  >()
  expectTypeOf<keyof Fields<TestedMapping, 'invoices'>>().toEqualTypeOf<keyof Fields<Mapping, 'invoices'>>()
})

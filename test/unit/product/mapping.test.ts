import { expectTypeOf, test } from 'vitest'
import type { Mapping } from '../../../src/mapping/mapping-schema.js'
import type { Mapping as TestedMapping } from '../../product/mapping.js'

/** The members of intersections as those of one object, all the way down. */
type Flat<Value> = Value extends object ? { [Name in keyof Value]: Flat<Value[Name]> } : Value

test('the type of a mapping for tests is the shape of the mapping file', () => {
  // Held by the compiler: this does not compile where the two differ.
  expectTypeOf<Flat<TestedMapping>>().toEqualTypeOf<Flat<Mapping>>()
})

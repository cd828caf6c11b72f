import { describe, expect, expectTypeOf, test } from 'vitest'
import type { ApiCode } from '../../../src/client/errors.js'
import { recordFields } from '../../../src/client/records.js'
import { invoices } from '../../../src/collections/invoices.js'
import { registrations } from '../../../src/collections/registrations.js'
import type { ProblemCode } from '../../../src/errors.js'

// Checked by `tsc`: the client imports nothing from the service, so it has types of its own.
describe('the types of the client equal those of the service', () => {
  test.each([registrations, invoices])('the fields of $name, in their order', ({ name, schema }) => {
    const fields = Object.entries(schema.properties).map(([field, { type }]) => {
      const types = [type].flat() as readonly string[]
      return [field, { type: types[0], isNullable: types.includes('null') }]
    })
    expect(Object.entries(recordFields[name])).toEqual(fields)
  })

  test('codes', () => {
    expectTypeOf<ApiCode>().toEqualTypeOf<ProblemCode>()
  })
})

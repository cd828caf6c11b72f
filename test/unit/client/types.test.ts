import { describe, expect, expectTypeOf, test } from 'vitest'
import type { ApiCode } from '../../../src/client/errors.js'
import { booleanFields, fieldNames } from '../../../src/client/records.js'
import { invoices } from '../../../src/collections/invoices.js'
import { registrations } from '../../../src/collections/registrations.js'
import type { ProblemCode } from '../../../src/problems.js'

// Checked by `tsc`: the client imports nothing from the service, so it has types of its own.
describe('the types of the client equal those of the service', () => {
  test.each([registrations, invoices])('the fields of $name, in their order', ({ name, schema }) => {
    const fields = Object.entries(schema.properties)
    const booleans = fields
      .filter(([, { type }]) => [type].flat().includes('boolean'))
      .map(([field]) => field)
    expect(fieldNames[name]).toEqual(fields.map(([field]) => field))
    expect(booleanFields.filter((field) => fieldNames[name].includes(field))).toEqual(booleans)
  })

  test('codes', () => {
    expectTypeOf<ApiCode>().toEqualTypeOf<ProblemCode>()
  })
})

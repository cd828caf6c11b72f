import type { Static } from '@sinclair/typebox'
import { describe, expectTypeOf, test } from 'vitest'
import type { ApiCode } from '../../../src/client/errors.js'
import type { Invoice, Registration } from '../../../src/client/index.js'
import type { invoices } from '../../../src/collections/invoices.js'
import type { registrations } from '../../../src/collections/registrations.js'
import type { ProblemCode } from '../../../src/errors.js'

// Checked by `tsc`: the client imports nothing from the service, so it has types of its own.
describe('the types of the client equal those of the service', () => {
  test('records', () => {
    expectTypeOf<Registration>().toEqualTypeOf<Readonly<Static<typeof registrations.schema>>>()
    expectTypeOf<Invoice>().toEqualTypeOf<Readonly<Static<typeof invoices.schema>>>()
  })

  test('codes', () => {
    expectTypeOf<ApiCode>().toEqualTypeOf<ProblemCode>()
  })
})

import { expect, test } from 'vitest'
import { digestStatements } from '../../support/golden.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { resolvePlain } from '../../support/plain-mapping.js'
import { resolveLookups } from '../../support/ticket-mapping.js'

const mappings = { plain: resolvePlain(), awkward: resolveAwkward(), ticketing: resolveLookups() }

// A commit that changes a statement says so, and changes its digest here (`vitest -u`).
test.each(Object.entries(mappings))('the statements of the %s product stay as they are', (name, mapping) => {
  const digests = Object.fromEntries(
    (['registrations', 'invoices'] as const).map((collection) => [
      collection,
      digestStatements(mapping[collection].table),
    ]),
  )
  expect(digests).toMatchSnapshot(name)
})

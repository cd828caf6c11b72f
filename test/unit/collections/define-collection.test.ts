import { describe, expect, test } from 'vitest'
import { invoices } from '../../../src/collections/invoices.js'
import { registrations } from '../../../src/collections/registrations.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'

describe.each([
  ['registrations', registrations, resolveAwkward().registrations],
  ['invoices', invoices, resolveAwkward().invoices],
] as const)('the declaration of %s', (_, declared, resolved) => {
  const names = Object.keys(declared.schema.properties)

  test('gives the section of the mapping file an option for every field, and no other', () => {
    expect(Object.keys(declared.section.properties.fields.properties)).toEqual(names)
    expect(declared.section['additionalProperties']).toBe(false)
  })

  test('gives every field a reader and a transformation', () => {
    expect(Object.entries(resolved.fields).map(([name, { transform }]) => [name, transform !== ''])).toEqual(
      names.map((name) => [name, true]),
    )
  })

  test('gives statements the columns of the fields, each under a name that begins with the field', () => {
    const selected = resolved.table.projection.map(({ as }) => as.replace(/\d+$/, ''))
    expect([...new Set(selected)]).toEqual(names)
  })
})

import { expect, test } from 'vitest'
import { parseScopes } from '../../../src/commands/key.js'

test.each([
  'registration.read,invoices.read',
  'registration.read, invoices.read',
  'registration.read invoices.read ',
])('scopes are separated by commas or spaces: %j', (text) => {
  expect(parseScopes(text)).toEqual(['registration.read', 'invoices.read'])
})

test('a scope that does not exist is named, with the nearest one', () => {
  expect(() => parseScopes('invoices.read,registrations.read')).toThrow(
    'there is no scope "registrations.read"; did you mean registration.read?',
  )
})

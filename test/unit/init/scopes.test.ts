import { expect, test } from 'vitest'
import { findScopes } from '../../../src/init/key-tables.js'

test.each([
  [[], { format: undefined, hasOwn: undefined }],
  [['["*"]'], { format: 'json', hasOwn: false }],
  [['["*"]', '["registration.read", "invoices.read"]'], { format: 'json', hasOwn: true }],
  [['registration.read, invoices.read'], { format: 'comma', hasOwn: true }],
  [['registration.read invoices.read', 'a,b'], { format: 'space', hasOwn: true }],
  [['invoices.read'], { format: undefined, hasOwn: true }],
])('the scopes %j show %j', (texts, found) => {
  expect(findScopes(texts)).toEqual(found)
})

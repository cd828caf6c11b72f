import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { readIdentifier, toStoredIdentifier } from '../../../src/values/identifiers.js'
import type { IdentifierKind } from '../../../src/values/identifiers.js'

/* Names, texts, flags, JSON and other spellings of integers are of the model. */

test.each<[unknown, string, readonly IdentifierKind[]]>([
  [null, 'is not an identifier', ['text', 'ascii', 'signed', 'unsigned']],
  [Buffer.from('a'), 'is not an identifier', ['text', 'ascii', 'signed']],
  [Buffer.alloc(15), 'is not 16 bytes', ['uuid', 'uuid-swapped']],
  ['01020304-0506-1708-890a-0b0c0d0e0f10', 'is not 16 bytes', ['uuid']],
])('a cell of %o %s, as %s', (cell, fault, of) => {
  for (const kind of of) expect(() => readIdentifier(cell, kind)).toThrow(new RowFault(fault))
})

test('a UUID is stored as the bytes that it was read from, in either order, and no other way of writing it is', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(bytes, fc.constantFrom('uuid' as const, 'uuid-swapped' as const), (cell, kind) => {
      const stored = Buffer.from(cell)
      const shown = readIdentifier(stored, kind)
      expect(toStoredIdentifier(shown, kind)).toEqual(stored)
      const others = [shown.replaceAll('-', ''), `{${shown}}`, `${shown} `, `${shown}\n`, shown.slice(1)]
      for (const other of [...others, shown.replace(/^./, 'g'), `A${shown.slice(1)}`])
        expect(toStoredIdentifier(other, kind)).toBeUndefined()
    }),
  )
})

test('an integer can be stored where it fits into 64 bits', () => {
  const list = (kind: IdentifierKind, ...texts: readonly string[]) =>
    texts.map((text) => toStoredIdentifier(text, kind))
  const [least, most, mostUnsigned] = [`-${2n ** 63n}`, `${2n ** 63n - 1n}`, `${2n ** 64n - 1n}`]
  expect(list('signed', least, most, '0')).toEqual([least, most, '0'])
  expect(list('unsigned', mostUnsigned, '0')).toEqual([mostUnsigned, '0'])
  const beyond = [
    ...list('signed', `-${2n ** 63n + 1n}`, `${2n ** 63n}`, '-0', ''),
    ...list('unsigned', `${2n ** 64n}`, '-1', '00'),
  ]
  expect(beyond).toEqual(beyond.map(() => undefined))
})

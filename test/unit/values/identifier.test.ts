import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { readIdentifier, toStoredIdentifier } from '../../../src/values/identifier.js'
import type { IdentifierKind } from '../../../src/values/identifier.js'

const kinds: readonly IdentifierKind[] = ['text', 'ascii', 'signed', 'unsigned', 'uuid', 'uuid-swapped']
const shown = '01020304-0506-1708-890a-0b0c0d0e0f10'

describe('a stored identifier', () => {
  test.each(kinds)('of kind %s is a RowFault when it is NULL', (kind) => {
    expect(() => readIdentifier(null, kind)).toThrow(new RowFault('is NULL'))
    expect(() => readIdentifier(undefined, kind)).toThrow(new RowFault('is NULL'))
  })

  test.each<[unknown, IdentifierKind]>([
    [42, 'text'],
    [42, 'ascii'],
    [Buffer.from('a'), 'text'],
    [true, 'signed'],
    [42n, 'signed'],
  ])('of %o is a RowFault as %s', (cell, kind) => {
    expect(() => readIdentifier(cell, kind)).toThrow(new RowFault('is not an identifier'))
  })

  test.each<[unknown, IdentifierKind]>([
    [Buffer.alloc(15), 'uuid'],
    [Buffer.alloc(17), 'uuid-swapped'],
    [shown, 'uuid'],
  ])('of %o is a RowFault as %s: it is not 16 bytes', (cell, kind) => {
    expect(() => readIdentifier(cell, kind)).toThrow(new RowFault('is not 16 bytes'))
  })
})

describe('the stored form of a public identifier', () => {
  test('is the bytes that a UUID was read from, in either order', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.constantFrom('uuid' as const, 'uuid-swapped' as const),
        (bytes, kind) => {
          const cell = Buffer.from(bytes)
          expect(toStoredIdentifier(readIdentifier(cell, kind), kind)).toEqual(cell)
        },
      ),
    )
  })

  test.each<[string, IdentifierKind, boolean]>([
    ['9223372036854775807', 'signed', true],
    ['9223372036854775808', 'signed', false],
    ['-9223372036854775808', 'signed', true],
    ['-9223372036854775809', 'signed', false],
    ['18446744073709551615', 'unsigned', true],
    ['18446744073709551616', 'unsigned', false],
    ['-1', 'unsigned', false],
    ['0', 'unsigned', true],
  ])('at the limit %s as %s exists: %s', (text, kind, exists) => {
    expect(toStoredIdentifier(text, kind)).toBe(exists ? text : undefined)
  })

  test.each(['', '12abc', ' 12', '12 ', '012', '+12', '-0', '1.0', '1e3', '0x1f', '٣', '9'.repeat(400)])(
    'is undefined for text that is not the text of an integer: %s',
    (text) => {
      expect(toStoredIdentifier(text, 'signed')).toBeUndefined()
      expect(toStoredIdentifier(text, 'unsigned')).toBeUndefined()
    },
  )

  test.each([
    shown.toUpperCase(),
    shown.replaceAll('-', ''),
    `{${shown}}`,
    `${shown} `,
    `${shown}\n`,
    shown.slice(1),
    shown.replace('0a', '0g'),
    '',
  ])('is undefined for text that is not the text of a UUID: %s', (text) => {
    expect(toStoredIdentifier(text, 'uuid')).toBeUndefined()
    expect(toStoredIdentifier(text, 'uuid-swapped')).toBeUndefined()
  })

  test('is the text itself for a text column', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toStoredIdentifier(text, 'text')).toBe(text)
      }),
    )
  })

  test('is undefined for text that an ASCII column cannot store', () => {
    expect(toStoredIdentifier('a\u007f', 'ascii')).toBe('a\u007f')
    expect(toStoredIdentifier('a\u0080', 'ascii')).toBeUndefined()
    expect(toStoredIdentifier('İ', 'ascii')).toBeUndefined()
  })
})

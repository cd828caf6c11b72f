import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orUndefined, RowFault } from '../../../src/errors.js'
import {
  joinTexts,
  readBoolean,
  readIdentifier,
  readJsonText,
  toStoredIdentifier,
} from '../../../src/values/cells.js'
import type { IdentifierKind } from '../../../src/values/cells.js'

const kinds: readonly IdentifierKind[] = ['text', 'ascii', 'signed', 'unsigned', 'uuid', 'uuid-swapped']
const shown = '01020304-0506-1708-890a-0b0c0d0e0f10'

test.each<[unknown, string, readonly IdentifierKind[]]>([
  [null, 'is NULL', kinds],
  [undefined, 'is NULL', kinds],
  [42, 'is not an identifier', ['text', 'ascii']],
  [Buffer.from('a'), 'is not an identifier', ['text']],
  [true, 'is not an identifier', ['signed']],
  [42n, 'is not an identifier', ['signed']],
  [Buffer.alloc(15), 'is not 16 bytes', ['uuid']],
  [Buffer.alloc(17), 'is not 16 bytes', ['uuid-swapped']],
  [shown, 'is not 16 bytes', ['uuid']],
])('a cell of %o %s, as %s', (cell, fault, of) => {
  for (const kind of of) expect(() => readIdentifier(cell, kind)).toThrow(new RowFault(fault))
})

test('a UUID is stored as the bytes that it was read from, in either order; text as itself', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(bytes, fc.constantFrom('uuid' as const, 'uuid-swapped' as const), (cell, kind) => {
      const stored = Buffer.from(cell)
      expect(toStoredIdentifier(readIdentifier(stored, kind), kind)).toEqual(stored)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(toStoredIdentifier(text, 'text')).toBe(text)
    }),
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
  ['a\u007f', 'ascii', true],
  ['a\u0080', 'ascii', false],
  ['İ', 'ascii', false],
])('%o as %s can be stored: %s', (text, kind, exists) => {
  expect(toStoredIdentifier(text, kind)).toBe(exists ? text : undefined)
})

const noIntegers = ['', '12abc', ' 12', '12 ', '012', '+12', '-0', '1.0', '1e3', '0x1f', '٣', '9'.repeat(400)]
const bare = shown.replaceAll('-', '')
const noUuids = [shown.toUpperCase(), bare, `{${shown}}`, `${shown} `, `${shown}\n`, shown.slice(1), '']
test.each<[text: string, IdentifierKind, IdentifierKind]>([
  ...noIntegers.map((text): [string, 'signed', 'unsigned'] => [text, 'signed', 'unsigned']),
  ...[...noUuids, shown.replace('0a', '0g')].map((text): [string, 'uuid', 'uuid-swapped'] => [
    text,
    'uuid',
    'uuid-swapped',
  ]),
])('the text %o is not how %s or %s is written', (text, ...of) => {
  for (const kind of of) expect(toStoredIdentifier(text, kind)).toBeUndefined()
})

test.each([1, true, Buffer.from('a'), {}])('a part of a name that is no text is a RowFault: %o', (cell) => {
  expect(() => joinTexts(['a', cell], ' ')).toThrow(new RowFault('is not text'))
})

const zeros = [0, -0, '0', '-0', '00', Buffer.from([0]), Buffer.from([0, 0]), Buffer.alloc(0)]
const others = [1, 2, -1, '1', '10', '-1', '18446744073709551615', Buffer.from([1]), Buffer.from([1, 0])]
test.each([...zeros.map((cell) => [cell, false] as const), ...others.map((cell) => [cell, true] as const)])(
  'a boolean cell of %o is %s',
  (cell, shown) => {
    expect(readBoolean(cell)).toBe(shown)
  },
)

test.each([null, undefined, '', 'true', 'yes', '1.0', ' 1', true, {}])('%o is no boolean', (cell) => {
  const fault = cell === null || cell === undefined ? 'is NULL' : 'is not a boolean'
  expect(() => readBoolean(cell)).toThrow(new RowFault(fault))
})

// MariaDB takes some of these for JSON.
const almostJson = ['"\\q"', '1.', '-', '1e', '"\\u12"', '"', '{', '', 'nul', '[1', '"a\tb"']
test('what a server takes for the JSON of a value is its text, none, or a fault of the row', () => {
  const value = fc.oneof(
    fc.json(),
    fc.string().map((text) => JSON.stringify(text)),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.oneof(value, fc.constantFrom(...almostJson)), (cell) => {
      const read = orUndefined(() => readJsonText(Buffer.from(cell)))
      const parsed = orNone(cell)
      const isText = !['object', 'undefined'].includes(typeof parsed)
      const text = typeof parsed === 'string' ? parsed : cell
      expect(read).toBe(parsed === null ? null : isText ? text : undefined)
    }),
  )
})

function orNone(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { readBoolean } from '../../../src/values/cells.js'
import { readIdentifier, toStoredIdentifier } from '../../../src/values/identifiers.js'
import type { IdentifierKind } from '../../../src/values/identifiers.js'

/* Names, texts and JSON are of the model. */

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

/** Whether a text is how an integer of 64 bits is shown, by JavaScript's own integers. */
function isShown(text: string, fit: (value: bigint) => bigint): boolean {
  try {
    return String(fit(BigInt(text))) === text
  } catch {
    return false
  }
}

test('an integer can be stored exactly where it fits and is written as the API shows it', () => {
  const edges = [0n, 2n ** 63n, -(2n ** 63n), 2n ** 64n].flatMap((edge) => [edge - 1n, edge, edge + 1n])
  const numbers = fc.oneof(fc.constantFrom(...edges), fc.bigInt()).map(String)
  const ends = fc.constantFrom('', '', '0', ' ', '+', '-', '.0', 'e3', 'abc')
  const written = fc.tuple(ends, numbers, ends).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(written, fc.constantFrom('', '-0', '0x1f', '٣', '9'.repeat(400))), (text) => {
      for (const [kind, fit] of [
        ['signed', (value: bigint) => BigInt.asIntN(64, value)],
        ['unsigned', (value: bigint) => BigInt.asUintN(64, value)],
      ] as const)
        expect([kind, toStoredIdentifier(text, kind)]).toEqual([kind, isShown(text, fit) ? text : undefined])
    }),
    { numRuns: 300 },
  )
})

test('an integer or the bytes of a BIT are true where they are not zero', () => {
  const zeros = [0, '0', '00', Buffer.from([0, 0])].map((cell) => readBoolean(cell))
  const others = [2, -1, '10', '18446744073709551615', Buffer.from([1, 0])].map((cell) => readBoolean(cell))
  expect([zeros, others]).toEqual([Array(4).fill(false), Array(5).fill(true)])
})

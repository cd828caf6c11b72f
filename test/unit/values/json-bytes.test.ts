import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonBytes } from '../../../src/values/json-bytes.js'

test('bytes of text, and text, become the JSON string of JSON.stringify', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 400 })),
      fc.nat({ max: 64 }),
      (texts, size) => {
        const out = new JsonBytes(size)
        for (const text of texts) {
          const bytes = Buffer.from(`<${text}>`)
          out.text(bytes, 1, bytes.length - 1)
          out.ascii(',')
          out.string(text)
        }
        const expected = texts.map((text) => `${JSON.stringify(text)},${JSON.stringify(text)}`)
        expect(out.end().toString()).toBe(expected.join(''))
      },
    ),
  )
})

test('bytes that are no UTF-8 are replaced, so that the JSON stays readable', () => {
  const out = new JsonBytes(8)
  out.text(Buffer.from([0x61, 0xff, 0xc3, 0x62]), 0, 4)
  expect(JSON.parse(out.end().toString())).toBe('a\u{fffd}\u{fffd}b')
})

test('numbers have leading zeros', () => {
  const out = new JsonBytes(1)
  for (const [value, width] of [
    [7, 2],
    [0, 4],
    [2026, 4],
    [999, 3],
  ] as const)
    out.digits(value, width)
  expect(out.end().toString()).toBe('0700002026999')
})

test('a second tail does not change what the first one ended', () => {
  const out = new JsonBytes(100)
  out.string('é')
  const first = out.end(',"first"]')
  const second = out.end(',"second"]')
  expect([out.end(), first, second].map(String)).toEqual(['"é"', '"é","first"]', '"é","second"]'])
  expect(first.buffer).toBe(out.bytes.buffer)
})

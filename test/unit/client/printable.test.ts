import { expect, test } from 'vitest'
import { VitrineError } from '../../../src/client/errors.js'
import { toPrintable } from '../../../src/client/printable.js'

test.each([
  ['an escape sequence', 'a\u001b[2Jb', 'a\uFFFD[2Jb'],
  ['a C1 control', 'a\u009b2Jb\u0085', 'a\uFFFD2Jb\uFFFD'],
  ['line ends', 'a\r\nb\u2028c\u2029', 'a\uFFFD\uFFFDb\uFFFDc\uFFFD'],
  ['NUL, backspace, delete', '\u0000\b\u007f', '\uFFFD\uFFFD\uFFFD'],
  ['bidirectional controls', '\u202e\u2066\u2069\u200f\u061c', '\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD'],
  ['invisible characters', '\u200b\ufeff\u{e0041}', '\uFFFD\uFFFD\uFFFD'],
  ['an unpaired surrogate', '\ud83d', '\uFFFD'],
  ['plain text of any script', 'Änne "فاتورة" 請求書 😀', 'Änne "فاتورة" 請求書 😀'],
])('%s', (_, text, printable) => {
  expect(toPrintable(text)).toBe(printable)
})

test('a long text is truncated', () => {
  expect(toPrintable('é'.repeat(1000))).toBe('é'.repeat(1000))
  expect(toPrintable('é'.repeat(1001))).toBe(`${'é'.repeat(1000)}…`)
  expect(toPrintable('a'.repeat(999) + '😀😀')).toBe(`${'a'.repeat(999)}\uFFFD…`)
})

test('no text of an error has a control character', () => {
  const hostile = 'x\u001b]0;y\u0007\u202e'
  const options = { status: 400, requestId: hostile, parameter: hostile }
  const error = new VitrineError(hostile, hostile, options)
  const { message, code, detail, requestId, parameter } = error
  for (const text of [message, code, detail, requestId, parameter, error.stack])
    expect(text?.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(message).toContain('x\uFFFD]0;y')
})

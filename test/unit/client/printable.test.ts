import { expect, test } from 'vitest'
import { toPrintable } from '../../../src/client/text.js'

test.each([
  ['an escape sequence', 'a\u001b[2Jb', 'a\uFFFD[2Jb'],
  ['a C1 control', 'a\u009b2Jb\u0085', 'a\uFFFD2Jb\uFFFD'],
  ['line ends', 'a\r\nb\u2028c\u2029', 'a\uFFFD\uFFFDb\uFFFDc\uFFFD'],
  ['NUL, backspace, delete', '\u0000\b\u007f', '\uFFFD\uFFFD\uFFFD'],
  ['bidirectional controls', '\u202e\u2066\u2069\u200f\u061c', '\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD'],
  ['invisible characters', '\u200b\ufeff\u{e0041}', '\uFFFD\uFFFD\uFFFD'],
  ['an unpaired surrogate', '\ud83d', '\uFFFD'],
  ['a long text', 'a'.repeat(999) + '😀😀', `${'a'.repeat(999)}\uFFFD…`],
  ['plain text of any script', 'Änne "فاتورة" 請求書 😀', 'Änne "فاتورة" 請求書 😀'],
])('%s', (_, text, printable) => {
  expect(toPrintable(text)).toBe(printable)
})

import { expect, test } from 'vitest'
import { toPrintableTexts } from '../../../src/values/printable.js'

test.each([
  ['a\u001b[31mb\u0007', 'a\\u001b[31mb\\u0007'],
  ['\u009b1m\u007f', '\\u009b1m\\u007f'],
  ['in\u202evoice\u2066', 'in\\u202evoice\\u2066'],
  ['one\ntwo\r\u2028', 'one\\u000atwo\\u000d\\u2028'],
  ['\ud800x', '\\ud800x'],
  ['\u{e0001}', '\\udb40\\udc01'],
  ['Zoë 日本 مرحبا 😀', 'Zoë 日本 مرحبا 😀'],
])('what a terminal obeys is escaped: %j', (text, expected) => {
  expect(toPrintableTexts({ rows: [{ code: text, count: 1, none: null }] })).toEqual({
    rows: [{ code: expected, count: 1, none: null }],
  })
})

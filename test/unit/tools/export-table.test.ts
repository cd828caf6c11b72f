import { expect, test } from 'vitest'
import { readTable } from '../../../src/tools/export/table.js'
import { readAmounts, readTimes } from '../../../src/tools/export/values.js'

const bom = '\ufeff'
const page = 'Nr.;Name;Betrag\r\n="007";"Anna\nMaria; von";1.234,50 €\r\n8;Bo;2,00 €\r\n9;Cy;3,00 €\r\n'
const lines = [
  ['007', 'Anna\nMaria; von', '1.234,50 €'],
  ['8', 'Bo', '2,00 €'],
  ['9', 'Cy', '3,00 €'],
]

test.each([
  ['UTF-8', Buffer.from(page)],
  ['UTF-8 with a mark', Buffer.from(bom + page)],
  ['UTF-16', Buffer.from(bom + page, 'utf16le')],
  ['windows-1252', Buffer.from(page.replaceAll('€', '\u0080'), 'latin1')],
  ['a title above', Buffer.from(`Export of today\r\n\r\n${page}`)],
  ['the delimiter said', Buffer.from(`sep=;\r\n${page}`)],
  ['tabs', Buffer.from(page.replace(' von', '').replaceAll(';', '\t'))],
])('a table as Excel saves it is read: %s', (_, bytes) => {
  const table = readTable('a.csv', bytes)
  expect(table.titles).toEqual(['Nr.', 'Name', 'Betrag'])
  expect(table.lines).toHaveLength(3)
  expect(table.lines.map(([number, , amount]) => [number, amount])).toEqual(
    lines.map(([number, , amount]) => [number, amount]),
  )
})

test.each([
  ['PK\u0003\u0004\0\0', 'is not CSV; save the table as CSV'],
  ['<html><table>', 'is not CSV; save the table as CSV'],
  ['', 'has no line of titles with a line of cells for each record'],
  ['a,b\n1,2\n3,"4\n5,6\n', 'Quote Not Closed: the parsing is finished with an opening quote at line '],
  ['a,b\n1,2\n1,2\n1,2,3\n', 'line 4 has 3 cells, and there are 2 titles'],
])('a file that is not a table is one sentence, with its line: %j', (text, said) => {
  expect(() => readTable('a.csv', Buffer.from(text))).toThrow(`--export a.csv: ${said}`)
})

test.each([
  ['1.234,50 €', [1234.5]],
  ['SAR 7', [7]],
  ['(12.00)', [-12]],
  ['1.234', [1.234, 1234]],
  ['12 apples', []],
])('%s is an amount', (text, amounts) => {
  expect(readAmounts(text)).toEqual(amounts)
})

test.each([
  ['01/02/2026', ['2026-02-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']],
  ['2026-03-01 09:30', ['2026-03-01T09:30:00.000Z']],
  ['3 March 2026 9:05', ['2026-03-03T09:05:00.000Z']],
  ['1/13/26 1:05 PM', ['2026-01-13T13:05:00.000Z']],
  ['2026-02-30', []],
])('%s is a time', (text, times) => {
  expect(readTimes(text).map(({ ms }) => new Date(ms).toISOString())).toEqual(times)
})

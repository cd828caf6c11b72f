import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { joinTexts, readText } from '../../../src/values/text.js'

describe('a text cell', () => {
  test('is shown as it stands, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readText(text)).toBe(text)
      }),
    )
  })

  test.each([null, undefined])('is refused when it is %s', (cell) => {
    expect(() => readText(cell)).toThrow(new RowFault('is NULL'))
  })

  test.each([1, true, Buffer.from('a'), {}])('is refused when it is not text: %o', (cell) => {
    expect(() => readText(cell)).toThrow(new RowFault('is not text'))
  })
})

describe('a name in parts', () => {
  test.each<[readonly unknown[], string]>([
    [['Noura', 'Al Qahtani'], 'Noura Al Qahtani'],
    [[null, 'Al Qahtani'], 'Al Qahtani'],
    [['Noura', undefined], 'Noura'],
    [['Noura', '', '  ', 'Al Qahtani'], 'Noura Al Qahtani'],
    [[' Noura', 'Al Qahtani '], ' Noura Al Qahtani '],
    [['', null], ''],
  ])('of %o is joined without its empty parts', (cells, shown) => {
    expect(joinTexts(cells, ' ')).toBe(shown)
  })

  test('takes the separator of the mapping', () => {
    expect(joinTexts(['b', 'a'], ', ')).toBe('b, a')
  })

  test('is refused when every part is NULL', () => {
    expect(() => joinTexts([null, undefined], ' ')).toThrow(new RowFault('is NULL in every part'))
  })

  test('is refused when a part is not text', () => {
    expect(() => joinTexts(['Noura', 7], ' ')).toThrow(new RowFault('is not text'))
  })
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLines, toLine, toPrintableLine } from '../../src/pull/text-file.js'
import { makeFolder } from '../support/folder.js'

const folder = makeFolder()

async function linesOf(text: string): Promise<readonly (readonly [string, number])[]> {
  const file = join(folder, 'lines')
  await writeFile(file, text)
  const lines: (readonly [string, number])[] = []
  for await (const line of readLines(file)) lines.push([line.text, line.end])
  return lines
}

test('only a line feed ends a line, and text after the last one is skipped', async () => {
  expect(await linesOf('a\n\nü\u2028b\rc\ntorn')).toEqual([
    ['a', 2],
    ['', 3],
    ['ü\u2028b\rc', 12],
  ])
  expect(await linesOf('')).toEqual([])
})

test('a line can be longer than a chunk, and a character can be split between chunks', async () => {
  const long = '€'.repeat(100_000)
  expect(await linesOf(`x${long}\ny\n`)).toEqual([
    [`x${long}`, 300_002],
    ['y', 300_004],
  ])
})

test('a value is one line by every definition, and is parsed to the same value', () => {
  const value = { name: 'a\nb\r\u0085\u2028\u2029\u0000"\\ 😀' }
  const line = toLine(value)
  expect(line).toMatch(/^[^\n\r\u0085\u2028\u2029]+\n$/)
  expect(JSON.parse(line)).toEqual(value)
})

test('a printable line has no control character, and is parsed to the same value', () => {
  const value = { name: 'a\u001b[2J\u007f\u009b\u202e\u2028\u{e0041}\n é😀' }
  const line = toPrintableLine(value)
  expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\n$/u)
  expect(JSON.parse(line)).toEqual(value)
})

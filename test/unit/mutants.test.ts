import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from '../model/mutant-list.js'

test('each mutant of the list has the text of its file that it replaces', () => {
  const stale = mutants.filter(({ file, search }) => !readFileSync(file, 'utf8').includes(search))
  expect(stale.map(({ what }) => what)).toEqual([])
})

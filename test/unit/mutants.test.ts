import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const mutants = parse(readFileSync('test/model/mutants.yaml', 'utf8')) as Readonly<
  Record<string, readonly { readonly what: string; readonly search: string; readonly by?: string }[]>
>

test('each mutant of the list has the text of its file that it replaces, and a file of tests', () => {
  const stale = Object.entries(mutants).flatMap(([file, list]) =>
    list.filter(({ search, by = file }) => !readFileSync(file, 'utf8').includes(search) || !existsSync(by)),
  )
  expect(stale.map(({ what }) => what)).toEqual([])
})

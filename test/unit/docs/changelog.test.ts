import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const lines = readFileSync('CHANGELOG.md', 'utf8').split('\n')
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** The texts of the headings of a level, in order. */
const listHeadings = (level: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${level} `)).map((line) => line.slice(level.length + 1))

test('the changelog has Unreleased first, then the version of the package with its day', () => {
  const [unreleased, latest] = listHeadings('##')
  expect(unreleased).toBe('[Unreleased]')
  expect(latest).toMatch(new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`))
})

test('the changelog has no section that Keep a Changelog does not know but the way from the last release, and no entry twice', () => {
  const known = ['From 2.x', 'What leaves', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
  expect(listHeadings('###').filter((heading) => !known.includes(heading))).toEqual([])
  const entries = lines.filter((line) => line.startsWith('- '))
  expect(entries.filter((entry, at) => entries.indexOf(entry) !== at)).toEqual([])
})

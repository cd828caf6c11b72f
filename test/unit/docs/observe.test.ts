import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../../support/readme.js'

/* What docs/observe.md lists is what the code has, and nothing else. */

const page = pages.get('docs/observe.md') ?? ''
const readSources = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

const listMatches = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort()
const readSection = (heading: string): string => page.split(`\n${heading}\n`)[1]?.split(/\n## /)[0] ?? ''

test('the metrics are those of the code, beside those of Node', () => {
  const known = listMatches(readSources('src/api'), /'(vitrine_[a-z]+_[a-z_]+|vitrine_ready|vitrine_epoch)'/g)
  const listed = listMatches(readSection('## Metrics'), /`(vitrine_[a-z_0-9]+)`/g)
  expect(known.length).toBeGreaterThan(20)
  expect(listed.filter((name) => !/^vitrine_(?:nodejs|process)_/.test(name))).toEqual(known)
})

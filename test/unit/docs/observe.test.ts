import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unreadyKinds } from '../../../src/service/readiness.js'
import { pages } from '../../support/readme.js'

/* What docs/observe.md lists is what the code has, and nothing else. */

const page = pages.get('docs/observe.md') ?? ''
const sources = ['src/api', 'src/service', 'src/tools/commands']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
  .join('\n')

const listMatches = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort()
const readSection = (heading: string): string => page.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0] ?? ''

test('the metrics are those of the code, beside those of Node', () => {
  const known = listMatches(sources, /'(vitrine_[a-z]+_[a-z_]+|vitrine_ready|vitrine_epoch)'/g)
  const listed = listMatches(readSection('## Metrics and alerts'), /`(vitrine_[a-z_0-9]+)`/g)
  expect(known.length).toBeGreaterThan(20)
  expect(listed.filter((name) => !/^vitrine_(?:nodejs|process)_/.test(name))).toEqual(known)
})

test('the reasons of /readyz are those of the code', () => {
  const [readiness, ops] = ['src/service/readiness.ts', 'src/api/ops-app.ts'].map((file) =>
    readFileSync(file, 'utf8'),
  )
  const texts = [
    ...listMatches(readiness ?? '', /text: ['`]([^'`]+)['`]/g),
    ...listMatches(ops ?? '', /isAnnounced\(\)\s*\? \['([^']+)'\]/g),
  ].map((text) => text.replace(/\$\{\w+\}/g, '…').replace(/;.*/, ''))
  expect(texts).toHaveLength(unreadyKinds.length - 1)
  // A reason of the kind `schema` is an issue of the mapping, which begins with its section.
  const rows = [...readSection('### VitrineDown').matchAll(/^\| (.*?) +\|/gm)].map(([, cell]) => cell)
  const expected = [
    'an issue that begins with `registrations`, `invoices` or `apiKeys`',
    ...texts.map((text) => `\`${text}\``),
  ]
  expect(
    rows
      .slice(2)
      .filter((cell) => cell !== 'connection refused' && cell !== '200')
      .sort(),
  ).toEqual(expected.sort())
  const [, kinds = ''] = /^\| `vitrine_unready_reasons` +\| by `reason`: (.*?)\./m.exec(page) ?? []
  expect(listMatches(kinds, /`(\w+)`/g)).toEqual([...unreadyKinds].sort())
})

test('the errors of the database that the runbook names are those of the driver', () => {
  const driver = readFileSync('node_modules/mysql2/lib/constants/errors.js', 'utf8')
  const named = listMatches(page, /`(ER_[A-Z_]+)`/g)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((code) => !driver.includes(`'${code}'`))).toEqual([])
})

test('the log events are those of the code', () => {
  const levels = { info: 30, warn: 40, error: 50, fatal: 60 } as const
  const calls =
    /\b(?:log|createLog\([^)]*\))\.(info|warn|error|fatal)\(\s*(?:(?:\{(?:[^{}]|\{[^{}]*\})*\}|\w+(?:\(\w*\))?),\s*)?'([^']+)'/g
  const tables = /\[\s*'(info|warn|error)',\s*'([^']+)',?\s*\]/g
  const events = [...sources.matchAll(calls), ...sources.matchAll(tables)].map(
    ([, level = 'info', message = '']) => `${levels[level as keyof typeof levels]} ${message}`,
  )
  const rows = [...readSection('### Log events').matchAll(/^\| (\d+) +\| `(.*?)` +\|/gm)]
  expect(rows.map(([, level = '', message = '']) => `${level} ${message}`).sort()).toEqual(
    [...new Set(events)].sort(),
  )
})

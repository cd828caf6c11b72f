import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { invoices } from '../../../src/collections/invoices.js'
import { registrations } from '../../../src/collections/registrations.js'
import { parseConfig } from '../../../src/config.js'
import { problemTexts } from '../../../src/api/problem-texts.js'
import { problems } from '../../../src/problems.js'
import { readMapping } from '../../../src/mapping/load-configuration.js'
import { guarantees } from '../../../src/tools/verify/verify.js'
import { listIssues } from '../../support/issues.js'
import { listBlocks, pages } from '../../support/readme.js'

const read = (file: string): string => pages.get(file) ?? ''

/** The text below a heading, up to the next one of the same level. */
function readSection(file: string, heading: string): string {
  const [, rest = ''] = read(file).split(`\n${heading}\n`)
  const [level = ''] = heading.split(' ')
  return rest.split(`\n${level} `)[0] ?? ''
}

/** The first cells of the rows of every table in a text. */
const listFirstCells = (text: string): readonly string[] =>
  [...text.matchAll(/^\| (`[^|]*?) +\|/gm)].map(([, cell = '']) => cell)

/** The names in backticks, in order. */
const listNames = (cells: readonly string[]): readonly string[] =>
  cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))

/** The anchors that GitHub gives to the headings of a page. */
const listAnchors = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('README has at most 150 lines', () => {
  expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(150)
})

test('the pictures of README show this version; `npm run screenshots` takes them again', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
  expect(readFileSync('docs/images/version.txt', 'utf8')).toBe(`${version}\n`)
})

test.each([...pages])('%s links to files and headings that exist', (file, page) => {
  const links = [...page.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
  const broken = links.filter(([, path = '', anchor]) => {
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && !listAnchors(readFileSync(target, 'utf8')).includes(anchor)
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

test('every file in backticks of docs/contributing.md exists, there or in src', () => {
  const names = listNames([read('docs/contributing.md')]).filter((name) =>
    /^[\w./-]+\.(?:ts|json|cjs)$/.test(name),
  )
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const missing = names.filter(
    (name) => !existsSync(name) && !files.some((file) => file === name || file.endsWith(`/${name}`)),
  )
  expect(names.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

describe('the settings of docs/configure.md', () => {
  const rows = [
    ...readSection('docs/configure.md', '## Settings').matchAll(
      /^\| `([A-Z_]+)` +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm,
    ),
  ].map(([, name = '', value = '', allowed = '']) => ({ name, value: value.replaceAll('`', ''), allowed }))
  const environment = { DATABASE_URL: 'mysql://user:password@host/database' }
  const pemFiles = ['DATABASE_TLS_CA', 'DATABASE_TLS_CERT', 'DATABASE_TLS_KEY']

  test('are all that there are', () => {
    const known = [...readFileSync('src/environment.ts', 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)]
    expect(rows.map(({ name }) => name).sort()).toEqual(known.map(([, name]) => name).sort())
  })

  test.each(rows)('$name shows what is allowed', ({ name, allowed }) => {
    const issues = listIssues(() => parseConfig({ ...environment, [name]: 'no such value' }))
    // The part of an address that is wrong has a text of its own.
    const isOwnText = name.startsWith('DATABASE_URL') || pemFiles.includes(name)
    for (const issue of isOwnText ? [] : issues) {
      const range = issue.allowed.replace(/^a (?:whole number|port), /, '')
      expect(`${allowed} `.startsWith(`${range} `), `${allowed} for ${range}`).toBe(true)
    }
    const isAnyText = ['HOST', 'MAPPING_FILE', 'OPS_HOST'].includes(name)
    expect(issues.map(({ path }) => path).includes(name)).toBe(!isAnyText)
  })

  test.each(rows.filter(({ name }) => !['DATABASE_URL', 'DATABASE_URL_FILE', ...pemFiles].includes(name)))(
    '$name shows its default',
    ({ name, value }) => {
      const byDefault = parseConfig(environment)
      expect(parseConfig({ ...environment, [name]: value })).toEqual(byDefault)
    },
  )
})

test('docs/qa.md lists every guarantee of verify, each once, whose names are in kebab-case', () => {
  const section = readSection('docs/qa.md', '### What it proves')
  expect(listNames(section.match(/^- [^:]*/gm) ?? []).toSorted()).toEqual(
    guarantees.map(([name]) => name).toSorted(),
  )
  for (const [name] of guarantees) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
})

test('each problem has the texts of its meaning and of what to do, and no other has', () => {
  expect(Object.keys(problemTexts)).toEqual(Object.keys(problems))
  for (const { meaning, remedy } of Object.values(problemTexts))
    expect([meaning, remedy]).not.toContain(undefined)
})

test('docs/contract.md lists every problem code with its status', () => {
  const rows = [...readSection('docs/contract.md', '## Errors').matchAll(/^\| `(\w+)` +\| +(\d{3}) \|/gm)]
  expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).toEqual(
    Object.fromEntries(Object.entries(problems).map(([code, { status }]) => [code, status])),
  )
})

test('docs/contract.md lists the fields of both records, in their order', () => {
  const fields = [registrations, invoices].flatMap(({ schema }) => Object.keys(schema.properties))
  expect(listNames(listFirstCells(readSection('docs/contract.md', '## Records')))).toEqual(fields)
})

test('the mapping file of docs/contract.md is valid, and names every kind of option', () => {
  const [example = ''] = listBlocks('yaml').filter((block) => block.includes('apiKeys:'))
  expect(readMapping(example).registrations?.table).toBe('attendees')
  const options = ['where', 'constant', 'otherwise', 'when', 'sum', 'scale', 'float', 'epoch', 'neverChanges']
  for (const option of [...options, 'dueDate: null', 'unit: minor'])
    expect([option, example.includes(option)]).toEqual([option, true])
})

test('docs/observe.md lists the metrics of the code, beside those of Node, and no other', () => {
  const sources = readdirSync('src/api', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join('src/api', name), 'utf8'))
  const listMetrics = (text: string, pattern: RegExp): readonly string[] =>
    [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort()
  const known = listMetrics(sources.join('\n'), /'(vitrine_[a-z]+_[a-z_]+|vitrine_ready|vitrine_epoch)'/g)
  const listed = listMetrics(readSection('docs/observe.md', '## Metrics'), /`(vitrine_[a-z_0-9]+)`/g)
  expect(known.length).toBeGreaterThan(20)
  expect(listed.filter((name) => !/^vitrine_(?:nodejs|process)_/.test(name))).toEqual(known)
})

test.each(readdirSync('test/connect/recipes'))('docs/connect.md has the recipe that is run: %s', (file) => {
  const recipe = readFileSync(`test/connect/recipes/${file}`, 'utf8')
  expect(read('docs/connect.md')).toContain(`\n${recipe}\`\`\``)
})

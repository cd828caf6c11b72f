import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { invoices } from '../../../src/resources/invoices.js'
import { registrations } from '../../../src/resources/registrations.js'
import { problems } from '../../../src/errors.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { guarantees } from '../../../src/verify/guarantees.js'
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

/** Every TypeScript file of a folder, as one text. */
const readSources = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

test('README has at most 150 lines', () => {
  expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(150)
})

test('the pictures of README show this version; `npm run screenshots` takes them again', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
  expect(readFileSync('docs/images/version.txt', 'utf8')).toBe(`${version}\n`)
})

describe.each([...pages])('%s', (file, page) => {
  test('links to files and headings that exist', () => {
    const links = [...page.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    const broken = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? file : join(dirname(file), path)
      if (!existsSync(target)) return true
      return anchor !== undefined && !listAnchors(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
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

test('docs/operations.md lists every variable of the environment', () => {
  const known = [...readFileSync('src/config.ts', 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)].map(
    ([, name]) => name,
  )
  const listed = listNames(listFirstCells(readSection('docs/operations.md', '## Settings')))
  expect([...listed].sort()).toEqual([...known].sort())
})

test('docs/operations.md lists every metric', () => {
  const sources = ['src/http', 'src/service'].map(readSources).join('\n')
  const known = new Set(
    [...sources.matchAll(/'(vitrine_[a-z]+_[a-z_]+|vitrine_ready)'/g)].map(([, name]) => name),
  )
  expect(known.size).toBeGreaterThan(10)
  const section = readSection('docs/operations.md', '## Metrics and alerts')
  const missing = [...known].filter((name) => !section.includes(`\`${String(name)}\``))
  expect(missing).toEqual([])
})

test('docs/qa.md lists every guarantee of verify, in the order of the report', () => {
  const section = readSection('docs/qa.md', '### What it proves')
  expect(listNames(listFirstCells(section))).toEqual(guarantees.map(({ name }) => name))
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

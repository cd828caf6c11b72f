import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderOpenApi } from '../../src/tools/commands/openapi.js'
import type { Edition } from '../../src/tools/commands/openapi.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import { installTools } from '../support/foreign-tools.js'
import type { ForeignTools } from '../support/foreign-tools.js'

const plain = await loadMapping('config/mapping.yaml')
const { registrations: _, ...invoicesOnly } = plain
const mappings = {
  plain,
  awkward: await loadMapping('test/product/awkward.yaml'),
  'invoices-only': invoicesOnly,
}
type MappingName = keyof typeof mappings
const names = Object.keys(mappings) as readonly MappingName[]
const editions = ['3.1', '3.0'] as const

const toFile = (name: MappingName, edition: Edition): string => `${name}-${edition}.json`

let tools: ForeignTools
beforeAll(async () => {
  tools = await installTools(import.meta.dirname)
  for (const name of names)
    for (const edition of editions)
      await tools.write(toFile(name, edition), renderOpenApi(mappings[name], '', edition))
  await tools.write('lint.mjs', lintProgram)
})
afterAll(() => tools.remove())

interface Generator {
  readonly name: string
  /** The editions that it reads. */
  readonly editions: readonly Edition[]
  /** Generates from a file into a folder. */
  readonly generate: (input: string, output: string) => Promise<unknown>
  /** How a program imports the types of a page and of a problem from the folder, and something that sends requests. */
  readonly imports: (output: string) => string
}

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    editions,
    // The version of our own development dependencies, which other tests use too.
    generate: (input, output) =>
      Promise.resolve(
        execFileSync(process.execPath, [
          'node_modules/openapi-typescript/bin/cli.js',
          `${tools.folder}/${input}`,
          '--output',
          `${tools.folder}/${output}.ts`,
        ]),
      ),
    imports: (output) => `
import type { components, operations } from './${output}'
type InvoicePage = components['schemas']['InvoicePage']
type Problem = components['schemas']['Problem']
export type List = operations['listInvoices']`,
  },
  {
    name: '@hey-api/openapi-ts',
    editions,
    generate: (input, output) =>
      tools.runScript('node_modules/@hey-api/openapi-ts/bin/run.js', '-i', input, '-o', output),
    imports: (output) => `
import { listInvoices } from './${output}'
import type { InvoicePage, Problem } from './${output}'
export const list = () => listInvoices({ query: { limit: 3 }, headers: { 'If-None-Match': 'W/"a"' } })`,
  },
  {
    name: 'orval',
    editions,
    generate: (input, output) =>
      tools.runScript(
        'node_modules/orval/dist/bin/orval.mjs',
        ...['--input', input, '--output', `${output}.ts`, '--client', 'fetch'],
      ),
    imports: (output) => `
import { listInvoices } from './${output}'
import type { InvoicePage, Problem } from './${output}'
export const list = () => listInvoices({ limit: 3 })`,
  },
  {
    // 4.3.1 is the newest release whose program a package of npm contains; it reads OpenAPI 3.0 only.
    name: 'openapi-generator',
    editions: ['3.0'],
    generate: (input, output) =>
      tools.runJar(
        'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar',
        ...['generate', '-g', 'typescript-fetch', '-i', input, '-o', output],
        '--additional-properties=supportsES6=true,typescriptThreePlus=true',
      ),
    imports: (output) => `
import { Configuration, InvoicesApi } from './${output}'
import type { InvoicePage, Problem } from './${output}'
export const list = () => new InvoicesApi(new Configuration()).listInvoices({ limit: 3 })`,
  },
]

/** What an integrator writes; each error that is expected proves that the types are not `any`. */
const program = `
declare const page: InvoicePage
export const due: string | null | undefined = page.data[0]?.dueDate
export const cursor: string | null = page.meta.cursor
// @ts-expect-error A due date may be empty.
export const wrong: string | undefined = page.data[0]?.dueDate
// @ts-expect-error There is no such field.
export const balance = page.data[0]?.balance
declare const problem: Problem
export const known: string = problem.code
export const later: Problem['code'] = 'a_code_of_a_later_release'
`

/** In CI everything is there: what is missing then is a failure. */
const isCi = (process.env['CI'] ?? '') !== ''
const lacksJava = !isCi && spawnSync('java', ['-version']).status !== 0
if (lacksJava) process.stderr.write('Skipped: openapi-generator needs java (default-jre-headless)\n')

describe('clients that other tools generate from the document compile under --strict', () => {
  for (const { name, editions: read, generate, imports } of generators)
    test.skipIf(name === 'openapi-generator' && lacksJava)(name, async () => {
      const programs: string[] = []
      for (const mapping of ['awkward', 'invoices-only'] as const)
        for (const edition of read) {
          const output = `${name.replaceAll(/\W/g, '')}-${mapping}-${edition.replace('.', '')}`
          await generate(toFile(mapping, edition), output)
          await tools.write(`use-${output}.ts`, `${imports(output)}\n${program}`)
          programs.push(`use-${output}.ts`)
        }
      expect(await tools.compile(...programs)).toBe('')
    })
})

/** Spectral in its own folder, where its packages are. Prints the findings of each file as JSON. */
const lintProgram = `
import { readFileSync, readdirSync } from 'node:fs'
import core from '@stoplight/spectral-core'
import owasp from '@stoplight/spectral-owasp-ruleset'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'

const [name, ...files] = process.argv.slice(2)
const spectral = new core.Spectral()
const ruleset = name === 'oas' ? rulesets.oas : (owasp.default ?? owasp)
spectral.setRuleset({ extends: [[ruleset, 'recommended']] })
const findings = []
for (const file of files) {
  const document = new core.Document(readFileSync(file, 'utf8'), parsers.Json, file)
  for (const { code, path, message } of await spectral.run(document))
    findings.push({ file, rule: code, path: path.join('/'), message })
}
console.log(JSON.stringify({ rules: Object.keys(spectral.ruleset.rules), findings }))
`

interface Finding {
  readonly file: string
  readonly rule: string
  readonly path: string
  readonly message: string
}

interface Linted {
  /** Every rule that was applied. */
  readonly rules: readonly string[]
  readonly findings: readonly Finding[]
}

async function lint(ruleset: 'oas' | 'owasp', ...files: readonly string[]): Promise<Linted> {
  return JSON.parse(await tools.runScript('lint.mjs', ruleset, ...files)) as Linted
}

/** As docs/openapi.md names it: without its group, and with one name for both editions. */
const shorten = (rule: string): string => rule.replace(/^owasp:api\d+:\d+-/, '').replace(/-legacy$/, '')

describe('Spectral', () => {
  test('finds nothing by its own OpenAPI rules, in either edition of any mapping', async () => {
    const files = names.flatMap((name) => editions.map((edition) => toFile(name, edition)))
    expect((await lint('oas', ...files)).findings).toEqual([])
  })

  test('finds by the rules of OWASP what docs/openapi.md lists, and nothing else', async () => {
    const listed = [
      ...readFileSync('docs/openapi.md', 'utf8').matchAll(/^\| `([\w-]+)` +\| +(\d+) \|/gm),
    ].map(([, rule = '', count]) => [rule, Number(count)] as const)
    for (const edition of editions) {
      const { findings } = await lint('owasp', toFile('plain', edition))
      const found = new Map<string, number>()
      for (const { rule } of findings) found.set(shorten(rule), (found.get(shorten(rule)) ?? 0) + 1)
      expect(Object.fromEntries(found), edition).toEqual(Object.fromEntries(listed))
    }
  })
})

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'
import { describe, expect, test } from 'vitest'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import { renderOpenApi } from '../../src/tools/commands/openapi.js'
import { problems } from '../../src/problems.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { makeFolder } from '../support/folder.js'
import { readExamples } from '../support/openapi-document.js'
import type { Document } from '../support/openapi-document.js'

const mappings = {
  plain: await loadMapping('config/mapping.yaml'),
  awkward: await loadMapping('test/product/awkward.yaml'),
}
const publicUrl = 'https://api.vitrine.test/events'
const read = (mapping: Mapping, url = '', edition?: '3.1' | '3.0'): Document =>
  JSON.parse(renderOpenApi(mapping, url, edition)) as Document
const plain = read(mappings.plain)
const awkward = read(mappings.awkward)

const { invoices: _, ...registrationsOnly } = mappings.plain
const { registrations: __, ...invoicesOnly } = mappings.plain

describe.each([
  ['plain', mappings.plain, ''],
  ['awkward', mappings.awkward, ''],
  ['plain, behind a public address,', mappings.plain, publicUrl],
  ['plain without invoices', registrationsOnly, ''],
  ['plain without registrations', invoicesOnly, ''],
] as const)('the document of the %s mapping', (_, mapping, url) => {
  test.each(['3.1', '3.0'] as const)('is valid OpenAPI %s by the strictest rules', async (edition) => {
    const source = renderOpenApi(mapping, url, edition)
    expect((JSON.parse(source) as Document).openapi.startsWith(edition)).toBe(true)
    const faults = await lintFromString({
      source,
      absoluteRef: '/openapi.json',
      config: await createConfig({ extends: ['recommended-strict'] }),
    })
    expect(faults.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })
})

test.each([
  ['registrations', registrationsOnly, /invoice|total|money/i],
  ['invoices', invoicesOnly, /registration|attendee|check-?in/i],
] as const)('a document of %s alone does not mention what is left out', (name, mapping, other) => {
  for (const edition of ['3.1', '3.0'] as const) {
    expect(renderOpenApi(mapping, '', edition)).not.toMatch(other)
    const document = read(mapping, '', edition)
    expect(Object.keys(document.paths)).toEqual([`/${name}`, `/${name}/{id}`, '/openapi.json'])
  }
})

describe('the operations', () => {
  const operations = Object.entries(plain.paths).map(([path, { get }]) => [path, get] as const)

  test.each(operations)('%s shows an example of every problem that it can answer', (path, { responses }) => {
    const statuses = Object.keys(responses).filter((status) => !/^[23]/.test(status))
    const keyed = ['400', '401', '403', ...(path.includes('{id}') ? ['404'] : []), '429', '500', '503']
    expect(statuses).toEqual([...(path === '/openapi.json' ? ['400', '500'] : keyed), 'default'])
    for (const status of statuses)
      expect(Object.values(readExamples(plain, responses[status]!)).length).toBeGreaterThan(0)
  })

  test('every problem code has an example with its status and the address of its entry', () => {
    for (const [document, url] of [
      [plain, ''],
      [read(mappings.plain, publicUrl), publicUrl],
    ] as const) {
      const shown = Object.values(document.components.responses)
        .flatMap((response) => Object.values(readExamples(document, response)))
        .map(({ code, status, type }) => `${code} ${status} ${type}`)
      const codes = Object.entries(problems).map(
        ([code, { status }]) => `${code} ${status} ${url}/docs/errors#${code}`,
      )
      expect([...new Set(shown)].toSorted()).toEqual(codes.toSorted())
    }
  })
})

describe('the records', () => {
  test('may get more fields in a later release, and just dueDate and checkedInAt may be null', () => {
    expect(JSON.stringify([plain, awkward])).not.toContain('additionalProperties')
    const nullable = ['Registration', 'Invoice'].flatMap((name) =>
      Object.entries(plain.components.schemas[name]!.properties)
        .filter(([, { type }]) => type.includes('null'))
        .map(([field]) => field),
    )
    expect(nullable).toEqual(['checkedInAt', 'dueDate'])
  })

  test('statuses that the mapping lists are listed, each once, in the record and in the parameter', () => {
    const statuses = ['CONFIRMED', 'PENDING', 'CANCELLED', 'WAITLISTED']
    expect(listStatuses(awkward, 'Registration', '/registrations')).toEqual([statuses, statuses])
    expect(listStatuses(awkward, 'Invoice', '/invoices')).toEqual([undefined, undefined])
    expect(listStatuses(plain, 'Registration', '/registrations')).toEqual([undefined, undefined])
  })
})

function listStatuses(document: Document, type: string, path: string): readonly unknown[] {
  const parameter = document.paths[path]!.get.parameters.find(({ name }) => name === 'status')
  return [document.components.schemas[type]!.properties['status']!.enum, parameter!.schema.enum]
}

/** What an integrator writes; each error that is expected proves that the types are not `any`. */
const program = `
import type { components } from './types.js'
declare const page: components['schemas']['InvoicePage']
export const due: string | null | undefined = page.data[0]?.dueDate
export const cursor: string | null = page.meta.cursor
// @ts-expect-error A due date may be empty.
export const wrong: string | undefined = page.data[0]?.dueDate
// @ts-expect-error There is no such field.
export const balance = page.data[0]?.balance
declare const problem: components['schemas']['Problem']
export const later: typeof problem.code = 'a_code_of_a_later_release'
`

test.each(['3.1', '3.0'] as const)('a client with the types of %s compiles strictly', async (edition) => {
  const folder = makeFolder()
  const types = await openapiTS(renderOpenApi(mappings.awkward, '', edition))
  writeFileSync(join(folder, 'types.ts'), astToString(types))
  writeFileSync(join(folder, 'use.ts'), program)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
  const compiler = ['node_modules/typescript/bin/tsc', ...options, '--ignoreConfig', join(folder, 'use.ts')]
  expect(spawnSync(process.execPath, compiler, { encoding: 'utf8' }).stdout).toBe('')
})

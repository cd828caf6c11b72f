import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { loadMapping } from '../../src/service/load-configuration.js'
import { renderOpenApi } from '../../src/commands/openapi.js'
import { problems } from '../../src/errors.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { listParameters } from '../../src/query/list-query.js'

interface Field {
  readonly type: string | readonly string[]
  readonly description: string
  readonly examples: readonly unknown[]
  readonly enum?: readonly string[]
}
interface Parameter {
  readonly name: string
  readonly description: string
  readonly schema: { readonly enum?: readonly string[]; readonly pattern?: string }
}
interface ProblemExample {
  readonly value: { readonly type: string; readonly status: number; readonly code: string }
}
interface Response {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, ProblemExample>> }>
  >
}
interface Operation {
  readonly description: string
  readonly security?: readonly unknown[]
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, Response>>
}
interface Document {
  readonly openapi: string
  readonly info: { readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly unknown[]
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly responses: Readonly<Record<string, Response>>
    readonly schemas: Readonly<
      Record<string, { required: readonly string[]; properties: Readonly<Record<string, Field>> }>
    >
  }
}

const mappings = {
  plain: await loadMapping('config/mapping.yaml'),
  awkward: await loadMapping('test/product/awkward.yaml'),
}
const publicUrl = 'https://api.vitrine.test/events'
const read = (mapping: Mapping, url = ''): Document => JSON.parse(renderOpenApi(mapping, url)) as Document
const plain = read(mappings.plain)
const awkward = read(mappings.awkward)

/** A response where it is written out. */
function resolve(document: Document, response: Response): Response {
  if (response.$ref === undefined) return response
  const found = document.components.responses[response.$ref.replace('#/components/responses/', '')]
  if (found === undefined) throw new Error(`${response.$ref} leads nowhere`)
  return found
}

/** The examples of every problem that a response shows. */
function listExamples(document: Document, response: Response): readonly ProblemExample['value'][] {
  const { content } = resolve(document, response)
  return Object.values(content?.['application/problem+json']?.examples ?? {}).map(({ value }) => value)
}

describe.each([
  ['plain', mappings.plain, ''],
  ['awkward', mappings.awkward, ''],
  ['plain, behind a public address,', mappings.plain, publicUrl],
] as const)('the document of the %s mapping', (_, mapping, url) => {
  test.each(['recommended', 'recommended-strict'] as const)(
    'is valid OpenAPI 3.1, without an error or a warning by the %s rules',
    async (rules) => {
      const source = renderOpenApi(mapping, url)
      expect((JSON.parse(source) as Document).openapi).toMatch(/^3\.1\./)
      const faults = await lintFromString({
        source,
        absoluteRef: '/openapi.json',
        config: await createConfig({ extends: [rules] }),
      })
      expect(faults.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
        [],
      )
    },
  )
})

describe('the operations', () => {
  const operations = Object.entries(plain.paths).map(([path, { get }]) => [path, get] as const)

  test('are those of the contract, and each only reads', () => {
    expect(Object.keys(plain.paths)).toEqual([
      '/registrations',
      '/registrations/{id}',
      '/invoices',
      '/invoices/{id}',
      '/openapi.json',
    ])
    expect(Object.values(plain.paths).map((path) => Object.keys(path))).toEqual(operations.map(() => ['get']))
  })

  test.each(operations)('%s shows an example of every problem that it can answer', (path, { responses }) => {
    const statuses = Object.keys(responses).filter((status) => !/^[23]/.test(status))
    const keyed = ['400', '401', '403', ...(path.includes('{id}') ? ['404'] : []), '429', '500', '503']
    expect(statuses).toEqual([...(path === '/openapi.json' ? ['4XX'] : keyed), 'default'])
    for (const status of statuses) {
      const examples = listExamples(plain, responses[status]!)
      expect(examples.length).toBeGreaterThan(0)
      if (/^\d+$/.test(status))
        expect(examples.map((one) => String(one.status))).toEqual(examples.map(() => status))
    }
  })

  test('every problem code has an example with its status and the address of its entry', () => {
    for (const [document, url] of [
      [plain, ''],
      [read(mappings.plain, publicUrl), publicUrl],
    ] as const) {
      const shown = Object.values(document.components.responses)
        .flatMap((response) => listExamples(document, response))
        .map(({ code, status, type }) => [code, status, type])
      const codes = Object.entries(problems).map(([code, { status }]) => [
        code,
        status,
        `${url}/docs/errors#${code}`,
      ])
      expect(shown.toSorted()).toEqual(codes.toSorted())
      expect(document.components.schemas['Problem']!.properties['code']!.enum).toEqual(Object.keys(problems))
    }
  })

  test('answers that ask for something of the caller document the header that says it', () => {
    const { responses } = plain.paths['/invoices']!.get
    const headers = Object.entries(responses).map(([status, response]) => [
      status,
      Object.keys(resolve(plain, response).headers ?? {}),
    ])
    expect(Object.fromEntries(headers)).toMatchObject({
      200: expect.arrayContaining(['ETag', 'Link', 'X-Request-Id']) as unknown,
      304: expect.arrayContaining(['ETag']) as unknown,
      401: ['X-Request-Id', 'WWW-Authenticate'],
      403: ['X-Request-Id', 'WWW-Authenticate'],
      429: expect.arrayContaining(['Retry-After']) as unknown,
      503: ['X-Request-Id', 'Retry-After'],
    })
  })

  test('need a bearer key, all but the document itself', () => {
    expect(plain.security).toEqual([{ apiKey: [] }])
    expect(plain.components.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } })
    const own = operations.filter(([, { security }]) => security !== undefined)
    expect(own.map(([path, { security }]) => [path, security])).toEqual([['/openapi.json', []]])
  })

  test('name the scope that they need', () => {
    for (const [path, { description }] of operations.slice(0, 4))
      expect(description).toContain(path.startsWith('/invoices') ? '`invoices.read`' : '`registration.read`')
  })

  test.each(['/registrations', '/invoices'])(
    '%s documents the parameters that it takes, and no other',
    (path) => {
      const { parameters } = plain.paths[path]!.get
      expect(parameters.map(({ name }) => name)).toEqual(listParameters)
      for (const { description } of parameters) expect(description).toMatch(/\w{3}.*\.$/)
    },
  )

  test.each([
    ['2026-03-01', true],
    ['2026-03-01T09:30:00Z', true],
    ['2026-03-01t09:30:00.123456789+03:00', true],
    ['2026-03-01T09:30:00', false],
    ['2026-03-01T09:30:00.1234567890Z', false],
    ['yesterday', false],
  ])('updatedSince may be %s, as documented: %s', (text, allowed) => {
    const { pattern } = plain.paths['/invoices']!.get.parameters.find(
      ({ name }) => name === 'updatedSince',
    )!.schema
    expect(new RegExp(pattern!).test(text)).toBe(allowed)
  })
})

describe('the description', () => {
  test('leads with how to keep a copy up to date', () => {
    const { description } = plain.info
    expect(description).toMatch(/^## Keeping a copy up to date\n/)
    expect(description.indexOf('nextUpdatedSince')).toBeLessThan(description.indexOf('\n## '))
  })

  test('links to the problem types, and the server is the base path, at the public address where it is known', () => {
    expect(plain.info.description).toContain('](/docs/errors)')
    expect(plain.servers.map(({ url }) => url)).toEqual(['/api/public/v1'])
    const document = read(mappings.plain, publicUrl)
    expect(document.info.description).toContain(`](${publicUrl}/docs/errors)`)
    expect(document.servers.map(({ url }) => url)).toEqual([`${publicUrl}/api/public/v1`])
  })
})

describe('the records', () => {
  test.each([
    ['Registration', 'id eventId status name email checkedIn checkedInAt createdAt updatedAt'],
    ['Invoice', 'id number status total currency issueDate dueDate createdAt updatedAt'],
  ])('%s has the fields of the contract in its order, each described with an example', (name, fields) => {
    for (const document of [plain, awkward]) {
      const { required, properties } = document.components.schemas[name]!
      expect(Object.keys(properties)).toEqual(fields.split(' '))
      expect(required).toEqual(fields.split(' '))
      for (const { description, examples } of Object.values(properties)) {
        expect(description).toMatch(/\w{3}/)
        expect(examples.length).toBeGreaterThan(0)
      }
    }
  })

  test('may get more fields in a later release: the document does not forbid them', () => {
    expect(JSON.stringify(plain)).not.toContain('additionalProperties')
    expect(JSON.stringify(awkward)).not.toContain('additionalProperties')
  })

  test('just dueDate and checkedInAt may be null', () => {
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

/** Members of a mapping whose text is no name of a table or column. */
const plainWords = new Set(
  'timezone algorithm encoding format prefix invalidRows values as unit is from separator'.split(' '),
)

/** The same mapping of tables and columns that all have other names. */
function renameAll(value: unknown, renamed: string[]): unknown {
  if (typeof value === 'string') {
    renamed.push(value)
    return `renamed_${renamed.length}`
  }
  if (Array.isArray(value)) return value.map((one) => renameAll(one, renamed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, plainWords.has(name) ? one : renameAll(one, renamed)]),
  )
}

describe('what no one outside may know', () => {
  test.each(['plain', 'awkward'] as const)(
    'the tables and columns of the %s mapping leave no trace',
    (name) => {
      const renamed: string[] = []
      const other = renameAll(mappings[name], renamed) as Mapping
      expect(renamed.length).toBeGreaterThan(25)
      expect(renderOpenApi(other, '')).toBe(renderOpenApi(mappings[name], ''))
      // Names that are words of the contract, or of English, are no trace.
      const telling = renamed.filter((text) => /[^a-z]/.test(text))
      expect(telling.length).toBeGreaterThan(5)
      for (const text of telling) expect(renderOpenApi(mappings[name], '')).not.toContain(text)
    },
  )

  test.each([
    /phone|company|job.?title|country|\bcity\b|badge|token|\bqr\b/i,
    /sub.?total|\bvat\b|discount|amount.?paid|balance/i,
    /einv|e-invoic|submission|xml|hash|cleared|clearance/i,
  ])('nothing of %s is in the document', (forbidden) => {
    for (const mapping of Object.values(mappings)) expect(renderOpenApi(mapping, '')).not.toMatch(forbidden)
  })
})

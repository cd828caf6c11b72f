import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadMapping } from '../../src/service/load-configuration.js'
import { renderOpenApi } from '../../src/commands/openapi.js'
import type { ProductDatabase } from '../product/index.js'
import { createClient } from '../support/client.js'
import type { Answer, Client } from '../support/client.js'
import { collections } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()

interface Header {
  readonly $ref?: string
  readonly required?: boolean
}
interface Response {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, unknown>>
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: Record<string, Response> } }>>
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>
    readonly headers: Readonly<Record<string, Header>>
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, unknown>> }>>
  }
}

/** What an answer does that the document does not say; empty where they agree. */
type FindFaults = (path: string, answer: Answer) => readonly unknown[]

/** Compares answers with the document's own schemas. */
function createFindFaults(document: Document): FindFaults {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
  formats.default(ajv)
  ajv.addKeyword({ keyword: 'openapi' })
  for (const word of ['info', 'servers', 'security', 'tags', 'paths', 'components']) ajv.addKeyword(word)
  ajv.addSchema(document, 'openapi')
  return (path, { status, headers, body }) => {
    const pointer = ['paths', path, 'get', 'responses']
    const { responses } = document.paths[path]!.get
    const key = String(status) in responses ? String(status) : 'default'
    const { $ref } = responses[key]!
    const response = $ref === undefined ? responses[key]! : document.components.responses[toName($ref)]!
    const at = $ref === undefined ? [...pointer, key] : ['components', 'responses', toName($ref)]
    const type = String(headers['content-type']).replace(/;.*/, '')
    if (response.content?.[type] === undefined) return [`${type} is not documented for ${status}`]
    const missing = Object.entries(response.headers ?? {})
      .map(([name, header]) => [name, resolveHeader(document, header)] as const)
      .filter(([name, { required }]) => required === true && headers[name.toLowerCase()] === undefined)
      .map(([name]) => name)
    if (missing.length > 0) return [`${missing.join()} is documented for ${status} and not there`]
    const validate = ajv.compile({
      $ref: `openapi#/${[...at, 'content', type, 'schema'].map(escape).join('/')}`,
    })
    return validate(body) ? [] : (validate.errors ?? [])
  }
}

function resolveHeader(document: Document, header: Header): Header {
  return header.$ref === undefined ? header : document.components.headers[toName(header.$ref)]!
}

function toName($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

/** A step of a JSON pointer in a URI. */
function escape(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
}

// The invoices of one always have a due date, those of the other never.
describe.each(['plain', 'ticketing'] as const)('the %s product', (name) => {
  let database: ProductDatabase
  let service: TestService
  let client: Client
  let document: Document
  let findFaults: FindFaults
  beforeAll(async () => {
    database = await throwaway.createProduct(name)
    service = await startService(database)
    client = createClient(service)
    document = (await client.get('openapi.json')).body as never
    findFaults = createFindFaults(document)
  })

  test('the service answers the very document that the command prints', async () => {
    const printed = JSON.parse(renderOpenApi(await loadMapping(database.mappingFile), '')) as unknown
    expect(document).toEqual(printed)
    const lists = Object.keys(document.paths).filter((path) => !/[{.]/.test(path))
    expect(lists).toEqual(collections.map((collection) => `/${collection}`))
  })

  test('the document needs no key', async () => {
    const { statusCode } = await service.app.inject('/api/public/v1/openapi.json')
    expect(statusCode).toBe(200)
  })

  describe.each(collections)('%s', (collection) => {
    const [list, item] = [`/${collection}`, `/${collection}/{id}`]

    test('every page and every record is as documented', async () => {
      const first = await client.get(collection, { limit: 100 })
      const { cursor } = first.body.meta
      const pages = [
        first,
        ...(cursor === null ? [] : [await client.get(collection, { cursor, limit: 100 })]),
      ]
      for (const page of pages) {
        expect(page.status).toBe(200)
        expect(findFaults(list, page)).toEqual([])
      }
      const records = pages.flatMap(({ body }) => body.data)
      expect(records.length).toBeGreaterThan(50)
      for (const { id } of records.slice(0, 20)) {
        const answer = await client.get(`${collection}/${String(id)}`)
        expect(answer.status).toBe(200)
        expect(findFaults(item, answer)).toEqual([])
      }
      if (collection === 'invoices' && name !== 'plain')
        expect(records.some((record) => record['dueDate'] === null)).toBe(true)
    })

    test('an answer with a field less, or of another type, is not as documented; one with a new field is', async () => {
      const { body, ...rest } = await client.get(collection)
      const [record] = body.data
      const { id: _, ...less } = record!
      const validate = (shown: unknown): readonly unknown[] =>
        findFaults(list, { ...rest, body: { ...body, data: [shown] } } as Answer)
      for (const wrong of [less, { ...record, updatedAt: '2026-03-01' }])
        expect(validate(wrong)).not.toEqual([])
      expect(validate({ ...record, novel: '' })).toEqual([])
    })

    test('an answer that nothing changed is documented, and has no body', async () => {
      const { headers } = await client.get(collection)
      const answer = await client.get(collection, {}, { 'if-none-match': String(headers['etag']) })
      expect([answer.status, answer.text]).toEqual([304, ''])
      expect(document.paths[list]!.get.responses).toHaveProperty('304')
    })

    test('a problem is as documented', async () => {
      expect(findFaults(list, await client.get(collection, { limit: 0 }))).toEqual([])
      expect(findFaults(item, await client.get(`${collection}/none`))).toEqual([])
    })
  })
})

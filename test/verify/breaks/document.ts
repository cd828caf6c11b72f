import { base } from '../../support/client.js'
import type { Change } from '../breaking-proxy.js'
import { readJson, readWanted, withHtml, withJson } from '../change.js'
import type { Break } from './break.js'

/** A document that is missing, or that contradicts the answers. */
export const documentBreaks: readonly Break[] = [
  {
    name: 'the document lacks a property that records have',
    guarantee: 'openapi-answers',
    change: () =>
      changeDocument(({ components }) => {
        delete components.schemas['Registration']!.properties['email']
      }),
  },
  {
    name: 'the document has another type for a property',
    guarantee: 'openapi-answers',
    change: () =>
      changeDocument(({ components }) => {
        components.schemas['Invoice']!.properties['total'] = { type: 'number' }
      }),
  },
  {
    name: 'the document wants a property that records do not have',
    guarantee: 'openapi-answers',
    change: () =>
      changeDocument(({ components }) => {
        components.schemas['Registration']!.required.push('phone')
      }),
  },
  {
    name: 'the document lacks a status that is answered',
    guarantee: 'openapi-answers',
    change: () =>
      changeDocument(({ paths }) => {
        for (const { get } of Object.values(paths))
          for (const status of ['404', 'default']) Reflect.deleteProperty(get?.responses ?? {}, status)
      }),
  },
  {
    name: 'the document lacks a parameter',
    guarantee: 'openapi',
    change: () =>
      changeDocument(({ paths }) => {
        for (const { get } of Object.values(paths))
          if (get?.parameters !== undefined)
            get.parameters = get.parameters.filter((one) => !JSON.stringify(one).includes('updatedSince'))
      }),
  },
  {
    name: 'the document lacks a collection that is answered',
    guarantee: 'openapi',
    change: () =>
      changeDocument(({ paths }) => {
        for (const path of Object.keys(paths))
          if (path.includes('/invoices')) Reflect.deleteProperty(paths, path)
      }),
  },
  {
    name: 'the document is no OpenAPI document',
    guarantee: 'openapi',
    change: () =>
      changeDocument((document) => {
        Reflect.deleteProperty(document, 'info')
      }),
  },
  {
    name: 'the document needs a key',
    guarantee: 'openapi',
    change:
      () =>
      ({ asked, forward }) =>
        forward(
          readWanted(asked).kind === 'document' && asked.headers.authorization === undefined
            ? { target: `${base}/invoices` }
            : {},
        ),
  },
  {
    name: 'the document is 404',
    guarantee: 'openapi',
    change:
      () =>
      ({ asked, forward }) =>
        forward(readWanted(asked).kind === 'document' ? { target: `${base}/nowhere` } : {}),
  },
  {
    name: 'the document is a page of HTML',
    guarantee: 'openapi',
    change:
      () =>
      async ({ asked, forward }) => {
        const answer = await forward()
        return readWanted(asked).kind === 'document' ? withHtml(answer) : answer
      },
  },
]

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, DocumentSchema>> }
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
}

interface DocumentSchema {
  readonly properties: Record<string, unknown>
  readonly required: string[]
}

interface Operation {
  readonly responses: Record<string, unknown>
  parameters?: readonly unknown[]
}

function changeDocument(change: (document: Document) => void): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    if (readWanted(asked).kind !== 'document' || answer.status !== 200) return answer
    const document = readJson(answer) as unknown as Document
    change(document)
    return withJson(answer, document)
  }
}

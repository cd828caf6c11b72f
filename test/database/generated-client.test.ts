import openapiTS, { astToString } from 'openapi-typescript'
import { beforeAll, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'
import { createConsumer } from '../support/consumer.js'
import type { Consumer } from '../support/consumer.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let consumer: Consumer
beforeAll(async () => {
  consumer = await createConsumer(['openapi-fetch', 'openapi-typescript-helpers'])
})

/** What an integrator writes against the generated types; each error that is expected proves that they are not `any`. */
const program = `
import createClient from 'openapi-fetch'
import type { components, paths } from './generated.js'

declare const process: { env: Record<string, string> }
const { URL_OF_API: baseUrl = '', KEY: key = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } })
const { data: page } = await client.GET('/invoices', { params: { query: { limit: 3, updatedSince: '2020-01-01' } } })
if (page === undefined) throw new Error('no page')
const [first] = page.data
const invoice: components['schemas']['Invoice'] | undefined = first
const due: string | null | undefined = first?.dueDate
const cursor: string | null = page.meta.cursor
// @ts-expect-error A due date may be empty.
const wrong: string | undefined = first?.dueDate
// @ts-expect-error There is no such field.
void first?.balance
// @ts-expect-error There is no such parameter.
void client.GET('/invoices', { params: { query: { page: 1 } } }).catch(() => undefined)
const { error, response } = await client.GET('/registrations/{id}', { params: { path: { id: 'none' } } })
const code: 'not_found' | undefined = error?.code === 'not_found' ? error.code : undefined
console.log(JSON.stringify({ invoice, due, wrong: wrong === due, more: cursor !== null, code, status: response.status }))
`

test('the client that is generated from the document of each product is typed, and works', async () => {
  const names = ['plain', 'awkward'] as const
  const products = await Promise.all(
    names.map(async (name) => {
      const database = await throwaway.createProduct(name)
      const url = await (await startService(database)).app.listen({ port: 0, host: '127.0.0.1' })
      await consumer.write(
        `${name}.d.ts`,
        astToString(await openapiTS(new URL(`${url}${base}/openapi.json`))),
      )
      await consumer.write(`use-${name}.ts`, program.replace('generated', name))
      return { name, database, url }
    }),
  )
  const files = names.map((name) => `use-${name}.ts`)
  expect(await consumer.compile(files, ['--lib', 'es2022,dom,dom.iterable'])).toBe('')
  for (const { name, database, url } of products) {
    const printed = await consumer.run(`use-${name}.js`, { URL_OF_API: `${url}${base}`, KEY: keys.both })
    const [first] = listExpected(database, 'invoices').map(({ view }) => view)
    expect(JSON.parse(printed), name).toEqual({
      invoice: first,
      due: first!['dueDate'],
      wrong: true,
      more: true,
      code: 'not_found',
      status: 404,
    })
  }
})

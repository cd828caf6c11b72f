import { resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { createConsumer } from '../support/consumer.js'
import type { Consumer } from '../support/consumer.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let consumer: Consumer
let url: string
beforeAll(async () => {
  consumer = await createConsumer()
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  url = await (await startService(database)).app.listen({ port: 0, host: '127.0.0.1' })
})

const program = `
import { createClient, VitrineError } from 'vitrine-client'
import type { Invoice } from 'vitrine-client'

declare const process: { env: Record<string, string | undefined> }
const { URL_OF_API: url = '', KEY: key = '' } = process.env
const client = createClient({ url, key })
const totals: Invoice['total'][] = []
for await (const { total, dueDate } of client.invoices.list({ updatedSince: new Date(0), status: undefined })) {
  const due: string | null = dueDate
  if (due !== '') totals.push(total)
}
const { since: next }: { since: string } = await client.sync('registrations', { since: null, onPage: ({ data }) => data[0]?.eventId })
// @ts-expect-error There is no such field.
await client.sync('registrations', { onPage: ({ data }) => data[0]?.phone })
// @ts-expect-error There is no such filter.
export const wrong = () => client.registrations.list({ eventID: 'x' })
try {
  await client.registrations.get('none')
} catch (error) {
  if (error instanceof VitrineError) console.log(JSON.stringify([totals.length > 5, next.length, error.code, error.status]))
}
`

/** What a program of today is compiled with, in the ways to resolve a package that has `exports`. */
const browser = ['--lib', 'es2023,dom']
const node = ['--lib', 'es2023', '--types', 'node', '--typeRoots', resolve('node_modules/@types')]

test.each([
  ['for a bundler', ['--module', 'preserve', '--moduleResolution', 'bundler', ...browser]],
  ['by node16', ['--module', 'node16', ...browser]],
  // The declarations of Node itself are not ours to answer for.
  ['by nodenext, with the types of Node', ['--module', 'nodenext', '--skipLibCheck', ...node]],
])('the client is typed for a program that is compiled %s, which then runs', async (_, options) => {
  const source = options.includes('node') ? program.replace(/^declare const process.*$/m, '') : program
  await consumer.write('program.ts', source)
  expect(await consumer.compile(['program.ts'], options)).toBe('')
  const printed = await consumer.run('program.js', { URL_OF_API: url, KEY: keys.both })
  expect(JSON.parse(printed)).toEqual([true, 24, 'not_found', 404])
})

test('the client is typed for a program in CommonJS that is compiled by node16, which then runs', async () => {
  const inFunction = program
    .replace('export const wrong', 'const wrong')
    .replace(/^(const \{ URL[^]*)/m, 'const main = async () => {\n$1}\nmain()\n')
  await consumer.write('program.cts', inFunction)
  expect(await consumer.compile(['program.cts'], ['--module', 'node16', ...browser])).toBe('')
  const printed = await consumer.run('program.cjs', { URL_OF_API: url, KEY: keys.both })
  expect(JSON.parse(printed)).toEqual([true, 24, 'not_found', 404])
})

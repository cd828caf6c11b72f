import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * How many statements a request costs, as mysql2 reports them. Health checks and new sessions send statements that read no table;
 * these are not counted.
 */

const throwaway = useThrowaway()

const channels = ['tracing:mysql2:execute:start', 'tracing:mysql2:query:start']

/** The statements that the service sends while a task runs. */
async function listStatements(task: () => Promise<unknown>): Promise<readonly string[]> {
  const sent: string[] = []
  const note = (message: unknown): void => {
    const { query } = message as { readonly query: string }
    if (query.includes(' from ')) sent.push(query)
  }
  for (const channel of channels) subscribe(channel, note)
  try {
    await task()
  } finally {
    for (const channel of channels) unsubscribe(channel, note)
  }
  return sent
}

test.each([
  ['plain', 'missing-1'],
  ['awkward', '999999999'],
] as const)('an answer of the %s product is one statement', async (name, missing) => {
  const product = await throwaway.createProduct(name, { registrations: 200 })
  const service = await startService(product, { env: { SCHEMA_CHECK_SECONDS: '3600' } })
  const client = createClient(service, keys.both)
  const { body } = await client.get('registrations', { limit: 2 })
  const { id, updatedAt, status } = body.data[0]!
  const requests: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['registrations', {}, 200],
    ['registrations', { limit: '2', updatedSince: String(updatedAt) }, 200],
    ['registrations', { limit: '2', status: String(status) }, 200],
    ['registrations', { cursor: body.meta.cursor! }, 200],
    [`registrations/${String(id)}`, {}, 200],
    ['registrations', { updatedSince: '2200-01-01' }, 200],
    [`registrations/${missing}`, {}, 404],
    // No row can have it.
    ['registrations/ä', {}, 404],
  ]
  for (const [path, query, expected] of requests) {
    let answered = 0
    const statements = await listStatements(async () => {
      answered = (await client.get(path, query)).status
    })
    expect({ path, query, answered, statements: statements.length }).toEqual({
      path,
      query,
      answered: expected,
      statements: 1,
    })
  }
})

import Fastify from 'fastify'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { ResolvedResource, LiveResource } from '../../../src/resources/collection.js'
import { createInvoices } from '../../../src/resources/invoices.js'
import type { Row } from '../../../src/database/statement.js'
import { Problem, problems } from '../../../src/errors.js'
import type { RouteDeps } from '../../../src/http/deps.js'
import { createItemRoute } from '../../../src/http/item-route.js'
import { createListRoute } from '../../../src/http/list-route.js'
import { createRequestContext } from '../../../src/http/request-context.js'
import { bindPlain } from '../../support/plain-mapping.js'

/** The invoice of a number, as the driver gives it to the first page of a crawl. */
const buildRow = (index: number, startedAt = '2026-03-01 09:30:00.000000'): Row => ({
  id: `I${index}`,
  number: `INV-${index}`,
  status: 'PAID',
  total: '115.5000',
  currency: 'SAR',
  issueDate: '2026-03-01',
  dueDate: null,
  createdAt: '2026-03-01 08:00:00.000',
  updatedAt: `2026-03-01 09:00:0${index}.000`,
  startedAt,
})

interface Service {
  readonly rows?: readonly Row[]
  readonly scopes?: readonly string[]
  /** Whether the schema is still the one that the statements were made for. */
  readonly isSame?: boolean
}

/** Asks the routes of the invoices, over a database that gives these rows to each statement. */
async function ask(
  options: InjectOptions,
  { rows = [], scopes = ['invoices.read'], isSame = true }: Service = {},
): Promise<LightMyRequestResponse & { readonly statements: number }> {
  let statements = 0
  const collection: ResolvedResource = createInvoices(bindPlain().invoices)
  const live: LiveResource = {
    ...collection,
    require: () => collection,
    confirm: () =>
      isSame ? Promise.resolve() : Promise.reject(new Problem('database_unavailable', 'changed')),
  }
  const deps = {
    authenticate: () => Promise.resolve({ keyId: 'k', workspaceId: 'W1', scopes }),
    limitRate: () => Promise.resolve(),
    runQuery: ({ sql }: { readonly sql: string }) => {
      statements += 1
      return Promise.resolve(sql.startsWith('select cast(utc_timestamp') ? [buildRow(0)] : rows)
    },
    findDataTime: () => undefined,
    onInvalidRow: () => undefined,
    queueLimit: 10,
    syncOverlapSeconds: 120,
    publicUrl: '',
  } as unknown as RouteDeps
  const app = Fastify()
  app.addHook('onRequest', (request, _reply, done) => {
    request.facts = createRequestContext()
    done()
  })
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Problem ? problems[error.code].status : 500).send(),
  )
  app.get('/invoices', createListRoute(live, deps))
  app.get('/invoices/:id', createItemRoute(live, deps))
  const answer = await app.inject(options)
  await app.close()
  return Object.assign(answer, { statements })
}

const readTag = async (url: string, rows: readonly Row[]): Promise<string> =>
  String((await ask({ url }, { rows })).headers['etag'])
const two = [buildRow(0), buildRow(1)]
const one = two.slice(0, 1)

describe('the entity tag of a list', () => {
  test('differs where the same records are followed by more', async () => {
    expect(await readTag('/invoices?limit=1', two)).not.toBe(await readTag('/invoices?limit=1', one))
  })

  test('differs where a record differs', async () => {
    const changed = [{ ...buildRow(0), status: 'VOID' }]
    expect(await readTag('/invoices', changed)).not.toBe(await readTag('/invoices', one))
  })

  test('is the same whenever the crawl began, whether more records follow or not', async () => {
    for (const rows of [one, two]) {
      const later = rows.map((row) => ({ ...row, startedAt: '2026-03-01 10:00:00.000000' }))
      expect(await readTag('/invoices?limit=1', later)).toBe(await readTag('/invoices?limit=1', rows))
    }
  })
})

test('the entity tag of a record covers all of it', async () => {
  const tags = await Promise.all(
    [{}, { updatedAt: '2026-03-01 09:00:00.001' }, { id: 'I0', number: 'INV-1' }].map((changed) =>
      readTag('/invoices/I0', [{ ...buildRow(0), ...changed }]),
    ),
  )
  expect(new Set(tags).size).toBe(3)
})

describe.each(['/invoices', '/invoices/I0'])('%s', (url) => {
  test('is 304 to the tag of its records alone', async () => {
    const known = await readTag(url, one)
    const headers = { 'if-none-match': known }
    expect((await ask({ url, headers }, { rows: one })).statusCode).toBe(304)
    const changed = [{ ...buildRow(0), status: 'VOID' }]
    expect((await ask({ url, headers }, { rows: changed })).statusCode).toBe(200)
  })

  test('is 403 without the scope, and asks the database nothing', async () => {
    const { statusCode, statements } = await ask({ url }, { rows: one, scopes: ['registration.read'] })
    expect([statusCode, statements]).toEqual([403, 0])
  })

  test('is 503, never empty, where the schema has changed and no record is found', async () => {
    expect((await ask({ url }, { isSame: false })).statusCode).toBe(503)
    expect((await ask({ url }, { isSame: true })).statusCode).toBe(url === '/invoices' ? 200 : 404)
  })

  test('is 503, never a record less, where the schema has changed and a row cannot be shown', async () => {
    const rows = [{ ...buildRow(0), total: null }]
    expect((await ask({ url }, { rows, isSame: false })).statusCode).toBe(503)
  })
})

import Fastify from 'fastify'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { ResolvedResource, LiveResource } from '../../../src/resources/resource.js'
import type { Row } from '../../../src/database/statement.js'
import { Problem, problems } from '../../../src/errors.js'
import { createItemRoute } from '../../../src/http/item-route.js'
import { createListRoute } from '../../../src/http/list-route.js'
import { createRequestContext } from '../../../src/http/request-context.js'
import { resolvePlain } from '../../support/plain-mapping.js'
import { buildInvoiceRow } from '../../support/rows.js'

const buildRow = buildInvoiceRow

interface Service {
  readonly rows?: readonly Row[]
  readonly scopes?: readonly string[]
  /** Whether the schema is still the one that the statements were made for. */
  readonly isSame?: boolean
  /** The clock of the database. */
  readonly startedAt?: string
}

const settings = { publicUrl: '', syncOverlapSeconds: 120 }

/** Sends a request to the routes of the invoices, over a database that returns these rows for each statement. */
async function send(
  options: InjectOptions,
  {
    rows = [],
    scopes = ['invoices.read'],
    isSame = true,
    startedAt = '2026-03-01 09:30:00.000000',
  }: Service = {},
): Promise<LightMyRequestResponse & { readonly statements: number }> {
  let statements = 0
  const resource: ResolvedResource = resolvePlain().invoices
  const live: LiveResource = {
    ...resource,
    requireResolved: () => resource,
    confirm: () =>
      isSame ? Promise.resolve() : Promise.reject(new Problem('database_unavailable', 'changed')),
  }
  const route = {
    authenticate: () => Promise.resolve({ keyId: 'k', workspaceId: 'W1', scopes }),
    limitRate: () => Promise.resolve(),
    onInvalidRow: () => undefined,
  }
  const database = {
    runQuery: ({ sql }: { readonly sql: string }) => {
      statements += 1
      return Promise.resolve(sql.includes('utc_timestamp') ? [{ startedAt }, ...rows] : rows)
    },
    findDataTime: () => undefined,
    bindQuery: undefined,
    queueLimit: 10,
  }
  const app = Fastify()
  app.addHook('onRequest', (request, _reply, done) => {
    request.context = createRequestContext()
    done()
  })
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Problem ? problems[error.code].status : 500).send(),
  )
  app.get('/invoices', createListRoute(live, { ...route, database, settings }))
  app.get('/invoices/:id', createItemRoute(live, { ...route, database }))
  const answer = await app.inject(options)
  await app.close()
  return Object.assign(answer, { statements })
}

const readTag = async (
  url: string,
  rows: readonly Row[],
  clock: Pick<Service, 'startedAt'> = {},
): Promise<string> => String((await send({ url }, { rows, ...clock })).headers['etag'])
const two = [buildRow(0), buildRow(1)]
const one = two.slice(0, 1)

describe('the entity tag of a list', () => {
  test('differs when the same records are followed by more', async () => {
    expect(await readTag('/invoices?limit=1', two)).not.toBe(await readTag('/invoices?limit=1', one))
  })

  test('differs when a record differs', async () => {
    const changed = [{ ...buildRow(0), status: 'VOID' }]
    expect(await readTag('/invoices', changed)).not.toBe(await readTag('/invoices', one))
  })

  test('is the same whenever the crawl began, whether more records follow or not', async () => {
    for (const rows of [one, two]) {
      const later = await readTag('/invoices?limit=1', rows, { startedAt: '2026-03-01 10:00:00.000000' })
      expect(later).toBe(await readTag('/invoices?limit=1', rows))
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
  test('is 304 for the tag of its records only', async () => {
    const known = await readTag(url, one)
    const headers = { 'if-none-match': known }
    expect((await send({ url, headers }, { rows: one })).statusCode).toBe(304)
    const changed = [{ ...buildRow(0), status: 'VOID' }]
    expect((await send({ url, headers }, { rows: changed })).statusCode).toBe(200)
  })

  test('is 403 without the scope, and runs no statement', async () => {
    const { statusCode, statements } = await send({ url }, { rows: one, scopes: ['registration.read'] })
    expect([statusCode, statements]).toEqual([403, 0])
  })

  test('is 503, not empty, when the schema has changed and no record is found', async () => {
    expect((await send({ url }, { isSame: false })).statusCode).toBe(503)
    expect((await send({ url }, { isSame: true })).statusCode).toBe(url === '/invoices' ? 200 : 404)
  })

  test('is 503, not a page with a record less, when the schema has changed and a row is invalid', async () => {
    const rows = [{ ...buildRow(0), total: null }]
    expect((await send({ url }, { rows, isSame: false })).statusCode).toBe(503)
  })
})

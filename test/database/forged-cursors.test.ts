import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { runStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { changeMapping } from '../support/checking.js'
import { createClient } from '../support/client.js'
import { collections } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

/** What someone who knows the format and the workspace can make: it holds no secret, so it must do no harm. */
function forge(collection: string, workspaceId: string, content: readonly unknown[]): string {
  const bytes = Buffer.from(JSON.stringify(content))
  const hash = createHash('sha256')
    .update(JSON.stringify([collection, workspaceId]))
    .update(bytes)
  return Buffer.concat([hash.digest().subarray(0, 12), bytes]).toString('base64url')
}

type Times = 'DATETIME' | 'seconds'

/** The plain product, also with the time of a change as a number of seconds, and with the statuses listed. */
async function createProduct(times: Times): Promise<ProductDatabase> {
  const database = await throwaway.createProduct('plain', { registrations: 200 })
  if (times === 'DATETIME') return database
  await runStatements(
    database.adminUrl,
    ['event_registrations', 'invoices'].flatMap((table) => [
      `ALTER TABLE ${table} ADD changed BIGINT`,
      `UPDATE ${table} SET changed = UNIX_TIMESTAMP(updated_at)`,
    ]),
  )
  let changed: ProductDatabase = { ...database, readUrl: database.adminUrl }
  for (const [part, by] of [
    ['updatedAt: updated_at', 'updatedAt: { column: changed, epoch: s }'],
    ['status: reg_status', 'status: { column: reg_status, values: [PAID] }'],
    ['status: invoice_status', 'status: { column: invoice_status, values: [PAID] }'],
  ] as const)
    changed = await changeMapping(changed, part, by)
  return changed
}

test.each(['DATETIME', 'seconds'] as const)('a forged cursor is a page or a 400, with %s', async (times) => {
  const database = await createProduct(times)
  const service = await startService(database)
  const client = createClient(service)
  const places = [
    ...[null, '0000-00-00 00:00:00', '2026-00-10 00:00:00', '2026-02-31 00:00:00', '1000-01-01 00:00:00'],
    ...['9999-12-31 23:59:59.999999', '2026-01-10 00:00:00.5', '2026-13-01 00:00:00', "' or 1=1"],
    ...['1767225600', '-1', '0', '99999999999999999999'],
  ]
  const ids = ['', '18446744073709551615', "' or ''='", '\u0000', '😀', 'é ', 'z'.repeat(5000)]
  const start = '2026-01-01T00:00:00.000000Z'
  for (const collection of collections) {
    for (const time of places) {
      const answers = await Promise.all(
        ids.map(async (id) => {
          const content = [1, time, id, start, null, null, null]
          const cursor = forge(collection, database.product.workspaceId(0), content)
          const { status, body } = await client.get(collection, { cursor })
          const isRight = status === 200 || body.code === 'invalid_cursor' || body.code === 'uri_too_long'
          return isRight ? undefined : [status, id.slice(0, 40)]
        }),
      )
      expect([time, answers.filter((answer) => answer !== undefined)]).toEqual([time, []])
    }
    const time = times === 'seconds' ? '1767225600' : '2026-01-01 00:00:00'
    const filtered = [1, time, ids[1], start, start, "x' or 1=1", '\u0000']
    const { status } = await client.get(collection, {
      cursor: forge(collection, database.product.workspaceId(0), filtered),
    })
    // Where the mapping lists the statuses, a cursor can have no other.
    expect(status).toBe(times === 'seconds' ? 400 : 200)
  }
})

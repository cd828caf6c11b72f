import { describe, expect, test } from 'vitest'
import { changeMapping } from '../support/checking.js'
import { createClient } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

const [name, collection] = ['awkward', 'registrations'] as const
const reasons = [
  'status is not in the mapping',
  'email is NULL',
  'updatedAt is not a real date and time',
  'updatedAt is NULL',
]

describe('rows that cannot be shown truthfully', () => {
  test('with skip, they are absent from lists, 404 alone, logged with id and reason, and counted', async () => {
    const database = await throwaway.createProduct(name, { registrations: 2000 })
    const service = await startService(database)
    const client = createClient(service)
    const broken = database.truth[collection].filter(
      (one) => one.broken && one.workspace === 0 && one.archived === 'no',
    )
    expect(broken.length).toBeGreaterThan(2)
    expect(await client.crawl(collection, { limit: 50 })).toHaveLength(
      listExpected(database, collection).length,
    )
    const faults = service.logLines().filter((line) => line['msg'] === 'a stored row cannot be shown')
    expect(new Set(faults.map((line) => line['reason']))).toEqual(new Set(reasons))
    expect(new Set(faults.map((line) => line['id'])).size).toBe(broken.length)
    for (const { id } of faults.slice(0, 4) as unknown as { id: string }[]) {
      expect((await client.get(`${collection}/${id}`)).body.code).toBe('not_found')
    }
    const { body: metrics } = await service.ops.inject('/metrics')
    const counted = new RegExp(`vitrine_invalid_rows_total\\{collection="${collection}"\\} (\\d+)`).exec(
      metrics,
    )?.[1]
    expect(Number(counted)).toBe(broken.length + Math.min(4, faults.length))
    const unknown = faults.filter((line) => line['reason'] === 'status is not in the mapping')
    const labels = metrics.matchAll(/vitrine_unknown_codes_total\{collection="(.*)",code="(.*)"\} \d/g)
    expect(new Set([...labels].map(([, of, code]) => `${of} ${code}`))).toEqual(
      new Set(unknown.map((line) => `${collection} ${String(line['code'])}`)),
    )
    expect(unknown.every(({ code }) => typeof code === 'string')).toBe(true)
  })

  test('with fail, the request that meets one is a 500 that tells nothing of it', async () => {
    const database = await throwaway.createProduct(name, { registrations: 1000 })
    const changed = await changeMapping(
      database,
      `\n${collection}:\n`,
      `\n${collection}:\n  invalidRows: fail\n`,
    )
    const service = await startService(changed)
    const client = createClient(service)
    await expect(client.crawl(collection, { limit: 100 })).rejects.toThrow('internal_error')
    const { id } = service
      .logLines()
      .find((line) => line['msg'] === 'a stored row cannot be shown') as unknown as { id: string }
    const { status, text } = await client.get(`${collection}/${id}`)
    expect([status, text.includes(id), text.includes('NULL')]).toEqual([500, false, false])
  })
})

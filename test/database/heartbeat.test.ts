import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const { createProduct } = useThrowaway()

const [path, overlapSeconds] = ['/api/public/v1/registrations', 60]

/** How long before now the next sync begins, in seconds. */
async function readAge({ app }: TestService, search = ''): Promise<number> {
  const headers = { authorization: `Bearer ${keys.both}` }
  const answer = await app.inject({ url: `${path}${search}`, headers })
  expect(answer.statusCode, answer.body).toBe(200)
  const { meta } = answer.json<{ readonly meta: { readonly nextUpdatedSince: string } }>()
  return (Date.now() - Date.parse(meta.nextUpdatedSince)) / 1000
}

test('each page proves by the heartbeat in its own snapshot up to when it is complete, also an empty one', async () => {
  const database = await createProduct('plain', { registrations: 20 })
  await runStatements(database.adminUrl, [
    'CREATE TABLE heartbeat (ts VARCHAR(26) NULL, server_id INT UNSIGNED PRIMARY KEY)',
  ])
  const beat = (writer: number, time: string): Promise<void> =>
    runStatements(database.adminUrl, [
      `REPLACE INTO heartbeat VALUES (DATE_FORMAT(${time}, '%Y-%m-%dT%H:%i:%s.%f'), ${writer})`,
    ])
  const service = await startService(
    { ...database, readUrl: database.adminUrl },
    {
      env: { SYNC_OVERLAP_SECONDS: String(overlapSeconds) },
      change: (mapping) => ({ ...mapping, heartbeat: { table: 'heartbeat', column: 'ts' } }),
    },
  )
  const near = (seconds: number) => expect.closeTo(seconds, -1) as number
  for (const search of ['', '?eventId=none']) {
    await runStatements(database.adminUrl, ['DELETE FROM heartbeat'])
    expect(await readAge(service, search)).toBeGreaterThan(1_000_000_000)
    await beat(1, 'UTC_TIMESTAMP(6)')
    expect(await readAge(service, search)).toEqual(near(overlapSeconds))
    await beat(2, 'UTC_TIMESTAMP(6) - INTERVAL 300 SECOND')
    expect(await readAge(service, search)).toEqual(near(overlapSeconds + 300))
    await beat(2, 'NULL')
    expect(await readAge(service, search)).toBeGreaterThan(1_000_000_000)
  }
  await runStatements(database.adminUrl, ['DROP TABLE heartbeat'])
  for (const search of ['', '?eventId=none'])
    await expect.poll(() => readAge(service, search).catch(() => 0)).toBeGreaterThan(1_000_000_000)
})

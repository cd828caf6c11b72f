import { expect, test } from 'vitest'
import { runStatements } from '../product/server.js'
import { useAuditedProduct } from '../support/audited.js'
import { runCheck } from '../support/checking.js'
import { plainYaml } from '../support/plain-mapping.js'
import { startService } from '../support/service.js'

/*
 * The table of pt-heartbeat, which holds a row for each server that was written: the newest one counts. The user has the
 * grants that `vitrine grants` prints, and no privilege to read replication.
 */

const { listErrors, run, createProduct } = useAuditedProduct()
const schema = {
  text: 'CREATE TABLE heartbeat (ts VARCHAR(26) NOT NULL, server_id INT UNSIGNED PRIMARY KEY)',
}
const now = 'UTC_TIMESTAMP(6)'

test('the age of the newest heartbeat is the lag of a host, and without a heartbeat nothing is proved', async () => {
  const database = await createProduct({
    schema: [new URL('../product/plain.sql', import.meta.url), schema],
    mapping: { text: `heartbeat: { table: heartbeat, column: ts }\n${plainYaml}` },
  })
  const write = (...statements: readonly string[]): Promise<void> =>
    runStatements(database.adminUrl, statements)
  const beat = (time: string): string =>
    `REPLACE INTO heartbeat VALUES (DATE_FORMAT(${time}, '%Y-%m-%dT%H:%i:%s.%f'), 2)`
  await write(`INSERT INTO heartbeat VALUES ('2026-01-01T00:00:00.000000', 1)`, beat(now))
  const service = await startService(database, { env: { AUDIT: 'enforce' } })
  const read = async (name: string): Promise<number> => {
    const { body } = await service.ops.inject('/metrics')
    return Number(new RegExp(`^vitrine_database_host_${name}\\{.*\\} (\\S+)$`, 'm').exec(body)?.[1])
  }
  expect(await read('freshness_known')).toBe(1)

  await write(beat(`${now} - INTERVAL 300 SECOND`))
  await expect.poll(() => read('lag_seconds')).toBeGreaterThanOrEqual(300)
  expect(await read('freshness_known')).toBe(1)

  await write(beat(`${now} + INTERVAL 1 HOUR`))
  await expect.poll(() => read('freshness_known')).toBe(0)
  expect(service.logs()).toMatch(/"reason":"The heartbeat is 3\d{3} s in the future; it must be in UTC"/)
  const report = await runCheck(database)
  expect(JSON.stringify(report.sections[0]!.findings)).toContain('does not prove that its data are fresh')

  await write(beat(now))
  await expect.poll(() => read('freshness_known')).toBe(1)
  expect(await read('lag_seconds')).toBeLessThan(60)
})

test('a heartbeat that does not exist, or is no time, does not let the service start', async () => {
  await run('CREATE TABLE heartbeat (id INT PRIMARY KEY, ts INT)', 'GRANT SELECT (ts) ON $db.heartbeat TO $u')
  const find = async (column: string) =>
    (await listErrors((mapping) => ({ ...mapping, heartbeat: { table: 'heartbeat', column } }))).map(
      ({ object, problem }) => `${object} ${problem}`,
    )
  expect(await find('ts')).toEqual([expect.stringContaining('heartbeat.ts of type int')])
  await run('ALTER TABLE heartbeat DROP COLUMN ts')
  expect(await find('ts')).toEqual([expect.stringContaining('heartbeat the table does not exist')])
})

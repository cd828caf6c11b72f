import { beforeAll, expect, test } from 'vitest'
import { AuditError } from '../../src/errors.js'
import { startNetwork } from '../support/network.js'
import type { Network } from '../support/network.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/* An engine that speaks MySQL can lack any statement that a start sends. */

const throwaway = useThrowaway()
let network: Network
let version: string
let start: (audit?: 'warn') => Promise<TestService>
beforeAll(async () => {
  const database = await throwaway.createProduct('plain', { registrations: 10 })
  version = String((await database.query('select version() as version'))[0]?.['version'])
  network = await startNetwork(database.readUrl)
  start = (audit) =>
    startService({ ...database, readUrl: network.url }, audit === undefined ? {} : { env: { AUDIT: audit } })
  await (await start()).close()
})

/** Reads nothing of a table of the mapping; the finding names the table. */
const tableProbe = /^select `.* from `\w+` where 1 = 0$/

test('a start names the statement that the server rejects, and the server', async () => {
  const without: string[] = []
  for (const sql of [...network.statements]) {
    network.set({ do: 'reject', sql, error: { number: 1064, sqlState: '42000' } })
    const failure = await start().catch((error: unknown) => error)
    network.set({ do: 'pass' })
    if (!(failure instanceof Error)) {
      without.push(sql)
      await (failure as TestService).close()
    } else if (!tableProbe.test(sql)) {
      expect(toMessage(failure)).toContain(sql)
      expect(toMessage(failure)).toMatch(/^the server \(.*\): .*; to fix it: .*docs\/deploy.md/s)
    }
  }
  // It is of the health check: the database then counts as not answering.
  expect(without).toEqual(['select 1'])
})

test('a start names an engine that is not supported, whatever AUDIT is', async () => {
  const other = `${version.slice(0, -7)}-Vitess`
  const rename = (packet: Buffer): Buffer =>
    Buffer.from(packet.toString('latin1').replaceAll(version, other), 'latin1')
  network.set({ do: 'edit', edit: (packets) => packets.map(rename) })
  const failure = await start('warn').catch((error: unknown) => error)
  network.set({ do: 'pass' })
  expect(toMessage(failure as Error)).toMatch(
    /^the server \(.*-Vitess\): Vitess is not supported, .*; to fix it: /,
  )
})

function toMessage(failure: Error): string {
  return failure.cause instanceof AuditError ? failure.cause.message : failure.message
}

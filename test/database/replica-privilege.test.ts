import { expect, test } from 'vitest'
import { useAuditedProduct } from '../support/audited.js'
import { createClient } from '../support/client.js'
import { startService } from '../support/service.js'
import type { TestService } from '../support/service.js'

const { isMariaDb, run, listErrors, createProduct } = useAuditedProduct()

const words = (): string => (isMariaDb() ? 'SLAVE MONITOR' : 'REPLICATION CLIENT')

/** A service that has one server under two names. */
async function startOverTwo(replicas: boolean): Promise<{ service: TestService; names: readonly string[] }> {
  const database = await createProduct('plain', { registrations: 20, replicas })
  const { host, port, hostname } = new URL(database.readUrl)
  const names = [host, `${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`]
  const readUrl = database.readUrl.replace(host, names.join(','))
  return { service: await startService({ ...database, readUrl }, { env: { AUDIT: 'enforce' } }), names }
}

test('the privilege to see how replication goes is no finding, alone among those on everything', async () => {
  await run(`GRANT ${words()} ON *.* TO $u`)
  const seen = await listErrors()
  await run(`GRANT ${words()} ON *.* TO $u WITH GRANT OPTION`)
  const granting = await listErrors()
  await run(`REVOKE GRANT OPTION ON *.* FROM $u`, `REVOKE ${words()} ON *.* FROM $u`)
  await run('GRANT REPLICATION SLAVE ON *.* TO $u')
  const following = await listErrors()
  await run('REVOKE REPLICATION SLAVE ON *.* FROM $u')
  expect(seen).toEqual([])
  expect(granting.map(({ privilege }) => privilege)).toEqual(['GRANT OPTION'])
  expect(following.map(({ privilege }) => privilege)).toEqual(['REPLICATION SLAVE'])
})

test('a user of `vitrine grants --replicas` sees the lag of each host', async () => {
  const { service, names } = await startOverTwo(true)
  const metrics = (await service.ops.inject('/metrics')).body
  for (const name of names) {
    expect(metrics).toContain(`vitrine_database_host_up{host="${name}"} 1`)
    expect(metrics).toContain(`vitrine_database_host_lag_seconds{host="${name}"} 0`)
    expect(metrics).toContain(`vitrine_database_host_freshness_known{host="${name}"} 1`)
    expect(metrics).toContain(`vitrine_database_host_active{host="${name}"} 0`)
  }
  expect(metrics).toContain('vitrine_database_host_lag_max_seconds 60')
  expect(service.logs()).not.toContain('does not prove that its data are fresh')
  await createClient(service).crawl('registrations', { limit: 7 })
})

test('without it each host counts as fresh, which is logged once', async () => {
  const { service, names } = await startOverTwo(false)
  const metrics = (await service.ops.inject('/metrics')).body
  expect(metrics).toContain(`vitrine_database_host_up{host="${names[0]!}"} 1`)
  expect(metrics).not.toContain('vitrine_database_host_lag_seconds{')
  expect(metrics).toContain(`vitrine_database_host_freshness_known{host="${names[0]!}"} 0`)
  const lines = service
    .logLines()
    .filter(({ msg }) => String(msg).includes('does not prove that its data are fresh'))
  expect(lines.map(({ host }) => host).sort()).toEqual([...names].sort())
  await createClient(service).crawl('registrations', { limit: 7 })
})

test('a lone host has a metric, and no warning of its lag', async () => {
  const database = await createProduct('plain', { registrations: 20 })
  const service = await startService(database)
  const { body } = await service.ops.inject('/metrics')
  expect(body).toMatch(/^vitrine_database_host_up\{.*\} 1$/m)
  expect(body).not.toContain('vitrine_database_host_freshness_known{')
  expect(service.logs()).not.toContain('does not prove that its data are fresh')
})

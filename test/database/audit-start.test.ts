import { describe, expect, test } from 'vitest'
import { AuditError } from '../../src/errors.js'
import { productNames } from '../product/index.js'
import { useAuditedProduct } from '../support/audited.js'
import { createClient } from '../support/client.js'
import { collections } from '../support/expected.js'
import { findReadableColumns, readableColumns } from '../support/readable-columns.js'
import { startService } from '../support/service.js'

const { database, run, createProduct } = useAuditedProduct()

describe('a start of the service', () => {
  test('fails with every finding under enforce; under warn each is logged', async () => {
    await run(
      'GRANT INSERT ON `$db`.invoices TO $u',
      'GRANT SELECT (badge_qr_token) ON `$db`.event_registrations TO $u',
    )
    const failure = await startService(database()).catch((error: unknown) => error)
    const warned = await startService(database(), { env: { AUDIT: 'warn' } })
    expect(failure).toBeInstanceOf(AuditError)
    expect((failure as AuditError).lines).toHaveLength(3)
    expect(warned.logLines().filter(({ msg }) => msg === 'audit: AUDIT=warn lets this pass')).toHaveLength(3)
    const metrics = (await warned.ops.inject('/metrics')).body
    expect(metrics).toContain('vitrine_audit_findings 3')
    expect(metrics).toContain('vitrine_audit_new_findings 0')
    expect((await warned.ops.inject('/readyz')).statusCode).toBe(200)
  })

  test('shows no password, although MariaDB returns its hash with the grants', async () => {
    const { password } = new URL(database().readUrl)
    await run('GRANT INSERT ON *.* TO $u')
    const failure = (await startService(database()).catch((error: unknown) => error)) as AuditError
    expect(failure.message).toContain('INSERT')
    expect(failure.message).not.toMatch(/\*[0-9A-F]{40}/)
    expect(failure.message).not.toContain(password)
  })
})

describe('while the service runs', () => {
  test('a grant that is added makes /readyz answer 503 until it is revoked, and is logged once', async () => {
    const service = await startService(database())
    const readiness = async (): Promise<number> => (await service.ops.inject('/readyz')).statusCode
    await service.repeatAudit()
    expect(await readiness()).toBe(200)
    const tables = ['invoices', 'event_registrations']
    await run(...tables.map((table) => `GRANT UPDATE ON \`$db\`.${table} TO $u`))
    await service.repeatAudit()
    await service.repeatAudit()
    const reasons = ['the audit has 2 new findings; the log lists them']
    expect((await service.ops.inject('/readyz')).json()).toEqual({ status: 'unready', reasons })
    expect((await service.ops.inject('/livez')).statusCode).toBe(200)
    const metrics = (await service.ops.inject('/metrics')).body
    expect(metrics).toContain('vitrine_audit_findings 2')
    expect(metrics).toContain('vitrine_audit_new_findings 2')
    expect(metrics).toContain('vitrine_unready_reasons{reason="audit"} 1')
    await run(...tables.map((table) => `REVOKE UPDATE ON \`$db\`.${table} FROM $u`))
    await service.repeatAudit()
    expect(await readiness()).toBe(200)
    for (const [text, count] of [
      ['audit: a new finding', 2],
      ['requests cannot all be answered: /readyz returns 503', 1],
      ['audit: a finding is fixed', 2],
      ['requests can be answered again: /readyz returns 200', 1],
    ] as const)
      expect([text, service.logLines().filter(({ msg }) => msg === text)]).toEqual([
        text,
        Array(count).fill(expect.anything()),
      ])
  })
})

describe('what `vitrine grants` prints', () => {
  test.each(productNames)('is what the %s product needs, and not a column more', async (name) => {
    const made = await createProduct(name, { registrations: 20 })
    const service = await startService(made, { env: { AUDIT: 'enforce' } })
    expect((await service.ops.inject('/readyz')).statusCode).toBe(200)
    for (const collection of collections) await createClient(service).crawl(collection, { limit: 100 })
    expect(await findReadableColumns(made)).toEqual(readableColumns[name])
  })
})

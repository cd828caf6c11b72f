import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { AuditError } from '../../src/errors.js'
import { readSchema } from '../../src/database/schema.js'
import { ask } from '../support/ask.js'
import { useAuditedProduct } from '../support/audited.js'
import { startService } from '../support/service.js'
import { productNames } from '../product/index.js'
import { createClient } from '../support/client.js'
import { collections } from '../support/expected.js'
import { findReadableColumns, readableColumns } from '../support/readable-columns.js'
import { withDatabase } from '../support/own-database.js'

const { database, isMariaDb, fill, run, audit, listErrors, compare, createProduct } = useAuditedProduct()

interface Case {
  readonly given: readonly string[]
  readonly object: string
  readonly privilege: string
  readonly problem?: string
}
const cases = parse(readFileSync(new URL('audit.yaml', import.meta.url), 'utf8')) as Record<string, Case>

describe('the audit', () => {
  test('finds no error for the user that `vitrine grants` makes', async () => {
    const { findings, resolved } = await audit()
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(resolved).toBeDefined()
  })

  test.each(Object.entries(cases))(
    'finds %s, and vitrine grants --compare prints what fixes it',
    async (_, { given, object, privilege, problem = '' }) => {
      await run(...given)
      const findings = await listErrors()
      const found = findings.find((one) => one.object.replace('@`%`', '') === fill(object))
      expect(found, JSON.stringify(findings)).toBeDefined()
      expect(found!.privilege).toMatch(new RegExp(privilege))
      expect(found!.problem).toMatch(new RegExp(problem))
      await run(...(await compare()))
      expect(await listErrors()).toEqual([])
      expect(await compare()).toEqual([])
    },
  )

  test('finds a dynamic privilege beside GRANT OPTION, which are revoked in the right order', async () => {
    const dynamic = isMariaDb() ? 'BINLOG MONITOR' : 'BACKUP_ADMIN'
    await run(`GRANT SELECT, ${dynamic} ON *.* TO $u WITH GRANT OPTION`)
    await run(...(await compare()))
    expect(await listErrors()).toEqual([])
  })

  test('refuses no usual account: with TLS and limits, and with roles that give nothing more, active or not', async () => {
    await run(
      'ALTER USER $u REQUIRE SSL WITH MAX_USER_CONNECTIONS 50',
      'CREATE ROLE `$role_a`',
      'CREATE ROLE `$role_c`',
      'GRANT SELECT (id, invoice_no) ON `$db`.invoices TO `$role_c`',
      'GRANT USAGE ON *.* TO $u',
      'GRANT `$role_a` TO $u',
      'GRANT `$role_c` TO $u',
      `SET DEFAULT ROLE \`$role_c\` ${isMariaDb() ? 'FOR' : 'TO'} $u`,
    )
    await run('ALTER USER $u REQUIRE NONE')
    expect(await listErrors()).toEqual([])
  })
})

describe('an id', () => {
  afterEach(() => run('ALTER TABLE invoices DROP PRIMARY KEY, ADD PRIMARY KEY (id)'))

  test('that only a unique index of two columns has is refused at the start, under AUDIT=warn too', async () => {
    await run('ALTER TABLE invoices DROP PRIMARY KEY, ADD PRIMARY KEY (id, workspace_id)')
    const failure = await startService(database(), { env: { AUDIT: 'warn' } }).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(AuditError)
    expect((failure as AuditError).lines).toEqual([
      expect.stringMatching(
        /^invoices\.fields\.id: found invoices\.id, which no index makes unique.*or a view with a column that has each id once/,
      ),
    ])
  })

  test('whose first characters an index makes unique is accepted', async () => {
    await run(
      'ALTER TABLE invoices DROP PRIMARY KEY, ADD UNIQUE KEY ids (id(20)), ADD PRIMARY KEY (id, created_at)',
    )
    const found = await listErrors()
    await run('ALTER TABLE invoices DROP KEY ids')
    expect(found).toEqual([])
  })
})

// On MariaDB they are in a table of `mysql`, which no grant of the mapping shows.
test.runIf(!inject('server').isMariaDb)(
  'statistics with the values of a forbidden column are an error on MySQL, with what drops them',
  async () => {
    const shown =
      "SELECT count(*) AS shown FROM information_schema.column_statistics WHERE schema_name = database() AND histogram LIKE '%buckets%'"
    await run('ANALYZE TABLE `$db`.invoices UPDATE HISTOGRAM ON einv_hash, grand_total')
    const [before] = await ask(database().readUrl, shown)
    const found = await listErrors()
    await run('ANALYZE TABLE `$db`.invoices DROP HISTOGRAM ON grand_total', ...found.map(({ fix }) => fix))
    expect(Number(before?.['shown'])).toBe(2)
    expect(found).toEqual([
      expect.objectContaining({
        object: 'invoices.einv_hash',
        fix: fill('ANALYZE TABLE `$db`.`invoices` DROP HISTOGRAM ON `einv_hash`;'),
      }),
    ])
    expect(await listErrors()).toEqual([])
  },
)

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

// MySQL shows every part of every index; MariaDB hides an index with a part that the user may not read, unless it has
// SHOW VIEW or another privilege on the whole table. A part alone would make (a, b) look unique by a.
test.each([
  ['one column of it', []],
  ['one column of it, and see the definition of the table', ['GRANT SHOW VIEW ON `$db`.pairs TO $u']],
])('an index is read whole or not at all by a user who may read %s', async (_, grants) => {
  await run(
    `CREATE TABLE pairs (
       id INT PRIMARY KEY, a INT NOT NULL, b INT NOT NULL, c VARCHAR(300) NOT NULL,
       UNIQUE KEY ab (a, b), UNIQUE KEY ba (b, a), UNIQUE KEY alone (a), UNIQUE KEY prefixed (c(10)), KEY ca (c, a)
     )`,
    'GRANT SELECT (a, c) ON `$db`.pairs TO $u',
    ...grants,
  )
  const schema = await withDatabase(database().readUrl, (runQuery) => readSchema(runQuery, ['pairs']))
  const indexes = new Map(schema.get('pairs')?.indexes.map(({ name, columns }) => [name, columns]))
  expect(indexes.get('alone')?.[0]).toBe('a')
  for (const [name, parts] of [
    ['ab', ['a', 'b']],
    ['ba', ['b', 'a']],
    ['ca', ['c', 'a']],
  ] as const)
    expect([undefined, parts]).toContainEqual(indexes.get(name)?.slice(0, 2))
  // Only the first characters of it are unique.
  expect(indexes.get('prefixed') ?? []).toEqual([])
})

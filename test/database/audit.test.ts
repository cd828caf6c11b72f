import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { AuditError } from '../../src/errors.js'
import { ask } from '../support/ask.js'
import { useAuditedProduct } from '../support/audited.js'
import { startService } from '../support/service.js'

const { database, isMariaDb, fill, run, audit, listErrors, compare } = useAuditedProduct()

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

describe('statistics with the values of a forbidden column', () => {
  test.runIf(!inject('server').isMariaDb)('are an error on MySQL, with what drops them', async () => {
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
  })

  test.runIf(inject('server').isMariaDb)('cannot be read on MariaDB', async () => {
    await run('ANALYZE TABLE `$db`.invoices PERSISTENT FOR COLUMNS (einv_hash) INDEXES ()')
    const stored = await ask(
      database().adminUrl,
      "SELECT * FROM mysql.column_stats WHERE column_name = 'einv_hash'",
    )
    expect(stored).not.toEqual([])
    await expect(ask(database().readUrl, 'SELECT * FROM mysql.column_stats')).rejects.toThrow(/denied/)
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { useAuditedProduct } from '../support/audited.js'

const { isMariaDb, fill, run, audit, listErrors, compare } = useAuditedProduct()

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

  test('finds a role that is taken by default', async () => {
    const set = isMariaDb() ? 'SET DEFAULT ROLE `$role_a` FOR $u' : 'SET DEFAULT ROLE `$role_a` TO $u'
    await run(
      'CREATE ROLE `$role_a`',
      'GRANT SELECT ON `$db`.invoices TO `$role_a`',
      'GRANT `$role_a` TO $u',
      set,
    )
    expect((await listErrors()).map(({ object }) => object)).toEqual(
      expect.arrayContaining([fill('`$db`.`invoices`'), 'invoices.einv_signed_xml']),
    )
  })

  test('names each column of neverRead that can be selected', async () => {
    await run('GRANT SELECT ON `$db`.invoices TO $u')
    const findings = await listErrors()
    expect(findings.slice(1).map(({ object }) => object)).toEqual([
      'invoices.einv_submission_id',
      'invoices.einv_signed_xml',
      'invoices.einv_hash',
      'invoices.einv_cleared_at',
    ])
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

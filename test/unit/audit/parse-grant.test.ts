import { describe, expect, test } from 'vitest'
import { parseGrant } from '../../../src/audit/parse-grant.js'

const account = '`u1`@`127.0.0.1`'

describe('a line of SHOW GRANTS', () => {
  test('is parsed with its columns, in any order and with any names', () => {
    expect(
      parseGrant(
        'GRANT SELECT (`id`, `odd``na,m)e`), INSERT, INSERT (`id`), SHOW VIEW ON `exp1`.`reg` TO `u1`@`127.0.0.1`',
      ),
    ).toEqual({
      kind: 'privileges',
      privileges: [
        { name: 'SELECT', columns: ['id', 'odd`na,m)e'] },
        { name: 'INSERT', columns: [] },
        { name: 'INSERT', columns: ['id'] },
        { name: 'SHOW VIEW', columns: [] },
      ],
      object: { type: '', database: 'exp1', name: 'reg', text: '`exp1`.`reg`' },
      grantee: account,
      grantable: false,
    })
  })

  test.each([
    ['GRANT USAGE ON *.* TO `u1`@`127.0.0.1`', ['USAGE'], '*.*', false],
    ["GRANT USAGE ON *.* TO `u1`@`127.0.0.1` IDENTIFIED BY PASSWORD '*B690'", ['USAGE'], '*.*', false],
    [
      'GRANT ALL PRIVILEGES ON *.* TO `u1`@`127.0.0.1` REQUIRE SSL WITH GRANT OPTION MAX_QUERIES_PER_HOUR 5',
      ['ALL PRIVILEGES'],
      '*.*',
      true,
    ],
    ['GRANT SELECT ON `exp\\_%`.* TO `u1`@`127.0.0.1` WITH GRANT OPTION', ['SELECT'], '`exp\\_%`.*', true],
    ['GRANT EXECUTE ON PROCEDURE `exp1`.`p` TO `u1`@`127.0.0.1`', ['EXECUTE'], 'PROCEDURE `exp1`.`p`', false],
    [
      'GRANT EXECUTE ON PACKAGE BODY `exp1`.`p` TO `u1`@`127.0.0.1`',
      ['EXECUTE'],
      'PACKAGE BODY `exp1`.`p`',
      false,
    ],
    ['GRANT PROXY ON `root`@`localhost` TO `u1`@`127.0.0.1`', ['PROXY'], '`root`@`localhost`', false],
    ["GRANT SELECT, INSERT ON a.b TO 'u1'@'127.0.0.1'", ['SELECT', 'INSERT'], '`a`.`b`', false],
    ['GRANT SELECT ON "a"."to" TO "u1"@"127.0.0.1"', ['SELECT'], '`a`.`to`', false],
    [
      'GRANT BACKUP_ADMIN,GROUP_REPLICATION_ADMIN ON *.* TO `u1`@`127.0.0.1`',
      ['BACKUP_ADMIN', 'GROUP_REPLICATION_ADMIN'],
      '*.*',
      false,
    ],
  ])('%s', (line, names, object, grantable) => {
    const grant = parseGrant(line)
    if (grant?.kind !== 'privileges') throw new Error('not parsed as privileges')
    expect(grant.privileges.map(({ name }) => name)).toEqual(names)
    expect(grant.object.text).toBe(object)
    expect(grant.grantable).toBe(grantable)
    expect(grant.grantee).toBe(account)
    expect(JSON.stringify(grant)).not.toContain('B690')
  })

  test.each([
    ['GRANT `r1`@`%`,`r2`@`%` TO `u1`@`127.0.0.1`', ['`r1`@`%`', '`r2`@`%`'], false],
    ['GRANT `r1` TO `u1`@`127.0.0.1` WITH ADMIN OPTION', ['`r1`'], true],
  ])('names roles: %s', (line, roles, grantable) => {
    expect(parseGrant(line)).toEqual({ kind: 'roles', roles, grantee: account, grantable })
  })

  test.each(['REVOKE SELECT ON `a`.* FROM `u`@`%`', 'SET DEFAULT ROLE `r1` FOR `u`@`%`'])(
    'grants nothing: %s',
    (line) => {
      expect(parseGrant(line)).toEqual({ kind: 'nothing' })
    },
  )

  test.each(['', 'null', 'GRANT', 'GRANT SELECT', 'GRANT SELECT ON TO `u`', 'DENY SELECT ON `a`.* TO `u`'])(
    'never counts as harmless when it cannot be parsed: %j',
    (line) => {
      expect(parseGrant(line)).toBeUndefined()
    },
  )

  test('to PUBLIC differs from one to an account of that name', () => {
    expect(parseGrant('GRANT SELECT ON `a`.`b` TO PUBLIC')).toMatchObject({ grantee: 'PUBLIC' })
    expect(parseGrant('GRANT SELECT ON `a`.`b` TO `PUBLIC`@`%`')).toMatchObject({ grantee: '`PUBLIC`@`%`' })
  })
})

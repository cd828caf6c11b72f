import { expect, test } from 'vitest'
import { readPrivileges } from '../../../src/audit/privileges.js'
import type { Privileges } from '../../../src/audit/privileges.js'
import type { Row } from '../../../src/database/statement.js'

const line = (text: string, grantee = '`vitrine`@`%`'): string => `GRANT ${text} TO ${grantee}`

/** The privileges where these statements return these lines; other statements return nothing. */
async function read(
  version: string,
  answers: Readonly<Record<string, readonly string[]>>,
): Promise<Privileges> {
  let role = ''
  return readPrivileges(({ sql }): Promise<readonly Row[]> => {
    if (sql.startsWith('select current_user()'))
      return Promise.resolve([{ account: 'vitrine@%', database: 'shop', version, lowerCase: 1 }])
    if (sql.startsWith('set role')) role = sql.replace('set role ', '')
    const lines = answers[sql === 'show grants' && role !== 'none' ? `show grants with ${role}` : sql] ?? []
    const column = sql.includes('mandatory_roles') ? 'roles' : 'role'
    return Promise.resolve(lines.map((text) => ({ [column]: text })))
  })
}

/** Each grant as its holder, privileges and object. */
const toTexts = ({ grants }: Privileges): readonly string[] =>
  grants.map(({ holder, privileges, object, grantable }) => {
    const names = privileges.map(({ name, columns }) => [name, ...columns].join(' '))
    const by = holder.kind === 'role' ? `${holder.role}${holder.revocable ? '' : ' mandatory'}` : holder.kind
    return `${by}: ${names.join(', ')} on ${object.text}${grantable ? ' grantable' : ''}`
  })

test('a role of MySQL gives what the account does not hold by itself', async () => {
  const own = [line('SELECT (`id`), INSERT ON `shop`.`a`'), line('`r`@`%`,`s`@`h`')]
  const privileges = await read('8.4.0', {
    'show grants': own,
    'select @@global.mandatory_roles as roles': ["'r'@'%', other"],
    'show grants for current_user() using `r`@`%`': [
      line('SELECT (`id`, `name`), INSERT, UPDATE ON `shop`.`a`'),
      line('SELECT ON `shop`.`b`'),
    ],
    'show grants for current_user() using `s`@`h`': [
      line('SELECT (`id`), INSERT ON `shop`.`a`').concat(' WITH GRANT OPTION'),
    ],
  })
  expect(privileges.roles.map(({ role }) => role)).toEqual(['`r`@`%`', '`s`@`h`'])
  expect(toTexts(privileges)).toEqual([
    'account: SELECT id, INSERT on `shop`.`a`',
    '`r`@`%` mandatory: SELECT name, UPDATE on `shop`.`a`',
    '`r`@`%` mandatory: SELECT on `shop`.`b`',
    '`s`@`h`: SELECT id, INSERT on `shop`.`a` grantable',
  ])
})

test('a role of MariaDB gives the lines that are neither of the account nor of PUBLIC', async () => {
  const own = [line('SELECT ON `shop`.`a`'), line('`r`'), line('INSERT ON `test`.*', 'PUBLIC')]
  const privileges = await read('11.4.2-MariaDB', {
    'show grants': own,
    'show grants with `r`': [...own, line('`s`', '`r`'), line('UPDATE ON `shop`.*', '`s`')],
    "select role_name as `role` from information_schema.applicable_roles where is_grantable = 'YES'": [
      'r',
      's',
    ],
  })
  expect(toTexts(privileges)).toEqual([
    'account: SELECT on `shop`.`a`',
    'public: INSERT on `test`.*',
    '`r`: UPDATE on `shop`.*',
  ])
  expect(privileges.nestedGrantable).toEqual(['`s`'])
})

test('lines that cannot be parsed are counted, with those of roles', async () => {
  const privileges = await read('11.4.2-MariaDB', {
    'show grants': ['DENY ALL', line('`r`')],
    'show grants with `r`': ['PERMIT ALL', 'PERMIT ALL'],
  })
  expect(privileges).toMatchObject({ unparsedLines: 3, grants: [] })
})

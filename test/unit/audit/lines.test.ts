import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Account } from '../../../src/audit/account.js'
import { evaluateAccount, isOfOthers } from '../../../src/audit/evaluate-account.js'
import { evaluateVisible } from '../../../src/audit/evaluate-visible.js'
import { readGrantLines } from '../../../src/audit/grant-lines.js'
import { readMapping } from '../../../src/mapping/load-configuration.js'
import { plainYaml } from '../../support/plain-mapping.js'

const mapping = readMapping(plainYaml)
const cases = parse(readFileSync('test/unit/audit/lines.yaml', 'utf8')) as {
  readonly harmless: [line: string][]
  readonly found: [line: string, object: string, privilege: string][]
}

/** The account with these lines of SHOW GRANTS. */
function toAccount(
  lines: readonly string[],
  { database = 'shop', role }: { database?: string; role?: string } = {},
): Account {
  const { held, unread } = readGrantLines(lines.map((line) => ({ line })))
  const server = { casedTables: true, isMariaDb: true, version: '11.4.2-MariaDB' }
  const roles = { held: held.map((one) => ({ ...one, role })), roles: [], grantableRoles: [] }
  return { account: '`v`@`%`', database, ...server, ...roles, unread }
}

/** The findings of lines, each as its severity, object, privilege and fix. */
const evaluate = (...given: Parameters<typeof toAccount>) =>
  evaluateAccount(mapping, toAccount(...given)).map((one) => [
    one.severity,
    one.object,
    one.privilege,
    one.fix,
  ])

test.each(cases.harmless)('no finding: %s', (line) => {
  expect(evaluate([line.replace('`number`', '`invoice_no`')])).toEqual([])
})

test.each(cases.found)('a line that grants does not print is a finding: %s', (line, object, privilege) => {
  const fix = 'run what vitrine grants --compare prints for `v`@`%`'
  expect(evaluate([`GRANT ${line} TO \`v\`@\`%\``])).toEqual([['error', object, privilege, fix]])
})

test('lines on one object are one finding', () => {
  const found = evaluate([
    'GRANT ALL PRIVILEGES ON `shop`.`users` TO `v`@`%` REQUIRE SSL WITH GRANT OPTION MAX_QUERIES_PER_HOUR 5',
    'GRANT EXECUTE ON PACKAGE BODY `shop`.`p` TO `v`@`%`',
  ])
  expect(found.map(([, , privilege]) => privilege)).toEqual(['ALL PRIVILEGES, GRANT OPTION', 'EXECUTE'])
})

test('the open test databases of MariaDB are a warning, unless the service reads one of them', () => {
  const lines = ['GRANT SELECT, INSERT ON `test`.* TO PUBLIC', 'GRANT SELECT ON `test\\_%`.* TO PUBLIC']
  const severities = (given: readonly string[], database: string) =>
    evaluate(given, { database }).map(([severity]) => severity)
  expect(severities(lines, 'shop')).toEqual(['warning', 'warning'])
  expect(severities(lines, 'test_shop')).toEqual(['error', 'error'])
  expect(severities(['GRANT SELECT ON `test`.* TO PUBLIC WITH GRANT OPTION'], 'shop')).toEqual(['error'])
  expect(severities(['GRANT SELECT ON `test`.* TO `PUBLIC`@`%`'], 'shop')).toEqual(['error'])
  // They are visible by these lines, and no other schema is.
  const objects = ['test', 'test_1', 'tests'].map((database) => ({ database, name: '*', type: 'schema' }))
  const visible = { columns: [], schemas: [], histograms: [], objects }
  const found = evaluateVisible(mapping, toAccount(lines), visible, false).map(({ object }) => object)
  expect(found).toEqual(['`tests`.*'])
})

test('the advice takes no privilege from an account that others use, nor what it says to leave', () => {
  const own = 'GRANT SELECT (`id`) ON `shop`.`invoices` TO `v`@`%`'
  const advise = (...lines: readonly string[]) => evaluate(lines).map(([, , , fix]) => fix)
  for (const privileges of ['ALL PRIVILEGES', 'SELECT, INSERT']) {
    const whole = `GRANT ${privileges} ON \`shop\`.* TO \`v\`@\`%\``
    expect(advise(whole)).toEqual([expect.stringMatching(/^make an account for Vitrine/)])
    expect(advise(own, whole)).toEqual([expect.stringMatching(/^run what vitrine grants --compare prints/)])
  }
  const open = 'GRANT SELECT ON `test`.* TO PUBLIC'
  expect(advise(own, open)).toEqual([
    expect.stringMatching(/REVOKE ALL PRIVILEGES ON `test`\.\* FROM PUBLIC;$/),
  ])
  expect(isOfOthers(toAccount([own, open]))).toBe(false)
})

test.each(['', 'null', 'GRANT', 'GRANT SELECT', 'GRANT SELECT ON TO `v`', 'DENY SELECT ON `a`.* TO `v`@`%`'])(
  'a line that cannot be read is an error, and is not shown: %j',
  (line) => {
    expect(evaluate([line])).toEqual([['error', '`v`@`%`', 'SHOW GRANTS', expect.any(String)]])
  },
)

import { expect, test } from 'vitest'
import { printGrants } from '../../../../src/tools/commands/grants.js'
import { renderGrants } from '../../../../src/audit/grants-sql.js'
import { readMapping } from '../../../../src/mapping/load-configuration.js'
import { plainYaml } from '../../../support/plain-mapping.js'

test('each column is granted once, with the field that it is for, and TLS can be required', () => {
  const grantee = { user: 'u', host: 'h', database: 'd', requireTls: true }
  const printed = renderGrants(readMapping(plainYaml), grantee)
  expect(printed).toContain(
    "CREATE USER IF NOT EXISTS 'u'@'h' IDENTIFIED BY 'CHANGE THIS PASSWORD' REQUIRE SSL;",
  )
  expect(printed).toContain("ALTER USER 'u'@'h' REQUIRE SSL;")
  expect(printed).toContain('--   grand_total: invoices.fields.total')
  expect(printed.match(/GRANT SELECT \(/g)).toHaveLength(3)
  expect(printed).not.toMatch(/badge|einv|subtotal|phone/)
  expect(printed).toContain("\n-- SELECT user, host FROM mysql.user WHERE user IN ('u', '');\n")
})

test('the database is the one of DATABASE_URL; without it the statements name none', async () => {
  const account = { user: 'u', host: 'h', requireTls: false }
  const MAPPING_FILE = 'config/mapping.yaml'
  const variables = { MAPPING_FILE, DATABASE_URL: 'mysql://a:b@c:1/of_url' }
  expect(await printGrants(variables, account)).toContain('ON `of_url`.`invoices`')
  expect(await printGrants({ MAPPING_FILE }, account)).toContain('ON `invoices`')
})

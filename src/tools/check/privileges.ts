import type { Account } from '../../audit/account.js'
import { renderSameName, toUserName } from '../../audit/grants-sql.js'
import { createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { createSection, toTable } from '../report/report.js'
import type { Section } from '../report/report.js'

/** What the account holds, as SHOW GRANTS lists it, and what the audit found; one line for an administrator. */
export function checkPrivileges(account: Account | undefined, findings: readonly Finding[]): Section {
  const held = account?.held ?? []
  const name = account?.account ?? ''
  // An account that may change whole databases is that of a person.
  const isAdministrator = held.some(
    ({ privilege, object }) =>
      /^(ALL PRIVILEGES|INSERT|CREATE|SUPER)$/.test(privilege) && object.endsWith('.*'),
  )
  const problem = `is an administrator's account: the audit has ${findings.length} findings about it, and the service does not start with it`
  const fix =
    'create an account with the statements of vitrine grants, and check again with it before the start'
  const isOne = isAdministrator && findings.length > 0
  const heads = { holder: 'Held by', privilege: 'Privilege', object: 'On', column: 'Column' }
  const rows = held.map(({ grantee, role, privilege, object, column = null }) => ({
    holder: role === undefined ? grantee : `role ${role}`,
    privilege,
    object,
    column,
  }))
  return createSection({
    id: 'privileges',
    title: 'Privileges',
    intro:
      'What the database user may do, by itself and by every role that it can take. The mapping needs SELECT on the mapped columns and nothing else.',
    tables: [toTable('grants', heads, rows)],
    notes: account === undefined || isOne ? [] : [describeSameName(name)],
    findings: isOne ? [createWarning(name, problem, fix)] : findings,
  })
}

function describeSameName(account: string): string {
  return `Grants of another account with the same name, or with none, apply to ${account} too where the host matches. The check cannot see CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES and CREATE TEMPORARY TABLES of such an account, nor what applies from other hosts only. An administrator can list these accounts with this query, and their privileges with SHOW GRANTS FOR each: ${renderSameName(toUserName(account))}`
}

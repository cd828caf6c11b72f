import type { Finding } from '../../audit/finding.js'
import type { HostReading } from '../../audit/audit.js'
import { renderSameName, toUserName } from '../../audit/grants-sql.js'
import { createSection, toTable } from '../report/report.js'
import type { Section } from '../report/report.js'

/** What the account holds, line by line, and what the audit found. */
export function checkPrivileges(hosts: readonly HostReading[], findings: readonly Finding[]): Section {
  const rows = hosts.flatMap(({ privileges }) =>
    privileges.grants.flatMap(({ holder, object, privileges: held }) =>
      held.map(({ name, columns }) => ({
        holder: toHolderText(holder, privileges.account),
        privilege: name,
        object: object.text,
        columns: columns.length === 0 ? null : columns.join(', '),
      })),
    ),
  )
  const unique = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]
  return createSection({
    id: 'privileges',
    title: 'Privileges',
    intro:
      'What the database user may do, by itself and by every role that it can take. The mapping needs SELECT on the mapped columns and nothing else.',
    tables: [
      toTable(
        'grants',
        { holder: 'Held by', privilege: 'Privilege', object: 'On', columns: 'Columns' },
        unique,
      ),
    ],
    notes: [...new Set(hosts.map(({ privileges }) => describeSameName(privileges.account)))],
    findings,
  })
}

function describeSameName(account: string): string {
  return `Grants of another account with the same name, or with none, apply to ${account} too where the host matches. The check cannot see CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES and CREATE TEMPORARY TABLES of such an account, nor what applies from other hosts only. An administrator can list these accounts with this query, and their privileges with SHOW GRANTS FOR each: ${renderSameName(toUserName(account))}`
}

function toHolderText(
  holder: HostReading['privileges']['grants'][number]['holder'],
  account: string,
): string {
  if (holder.kind === 'account') return account
  return holder.kind === 'public' ? 'every account (PUBLIC)' : `role ${holder.role}`
}

import { toQuotedName } from '../database/sql.js'
import { createError } from '../finding.js'
import type { Finding } from '../finding.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Account } from './account.js'
import { toTable } from './grant-lines.js'
import type { Held } from './grant-lines.js'
import { isSameTable, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { ObjectName } from './mapped-tables.js'

/** A finding for each object on which the lines of SHOW GRANTS have more than `vitrine grants` prints. */
export function evaluateAccount(mapping: Mapping, account: Account): readonly Finding[] {
  if (isAdministrator(account))
    return [createError(account.account, 'administers the server', ownAccount, 'ALL PRIVILEGES')]
  const mapped = listMappedColumnsByTable(mapping, account.casedTables)
  const listColumns = (table: ObjectName | undefined): ReadonlySet<string> | undefined =>
    table !== undefined && isSameTable(table, { ...table, database: account.database }, account.casedTables)
      ? mapped.get(toTableKey(table.name, account.casedTables))
      : undefined
  const excess = listExcess(account, ({ privilege, column }, table) => {
    // The audit needs SHOW VIEW to see the definition of a view. It allows no row to be read.
    if (privilege === 'SHOW VIEW') return table !== undefined
    return (
      privilege === 'SELECT' && column !== undefined && listColumns(table)?.has(column.toLowerCase()) === true
    )
  })
  return [
    ...excess.map((one) => toExcessFinding(one, account)),
    ...account.grantableRoles.map((role) => {
      const problem = `${account.account} can grant this role to others`
      return createError(role, problem, adviseComparison(account), 'ADMIN OPTION')
    }),
    ...(account.unread === 0 ? [] : [toUnreadFinding(account)]),
  ]
}

/** Whether the account can administer the server. The fix for it is another account: its privileges must stay. */
export function isAdministrator({ held }: Account): boolean {
  const names = ['ALL PRIVILEGES', 'CREATE USER']
  return held.some((one) => one.role === undefined && one.object === '*.*' && names.includes(one.privilege))
}

/**
 * Whether others use the account: it administers the server, or was given a whole database and not, as an account for Vitrine
 * is, single columns. Its privileges must stay.
 */
export function isOfOthers(account: Account): boolean {
  const { held } = account
  const isWhole = held.some(
    ({ privilege, object }) => ['SELECT', 'ALL PRIVILEGES'].includes(privilege) && object.endsWith('.*'),
  )
  return isAdministrator(account) || (isWhole && held.every(({ column }) => column === undefined))
}

/** What one holder gives on one object beyond what is needed. */
type Excess = Pick<Held, 'grantee' | 'role' | 'object'> & { readonly held: readonly Held[] }

/** What the account holds that is not needed, by holder and object. */
export function listExcess(
  { held }: Account,
  isNeeded: (one: Held, table: ObjectName | undefined) => boolean,
): readonly Excess[] {
  const groups = new Map<string, Excess>()
  for (const one of held) {
    const { grantee, role, object, privilege } = one
    if (privilege === 'USAGE' || isNeeded(one, toTable(object))) continue
    const key = JSON.stringify([grantee, role, object])
    groups.set(key, { grantee, role, object, held: [...(groups.get(key)?.held ?? []), one] })
  }
  return [...groups.values()]
}

function toExcessFinding(excess: Excess, account: Account): Finding {
  const { object, held, grantee, role } = excess
  const holders =
    grantee === 'PUBLIC' ? 'granted to PUBLIC, so to every account,' : `held by ${account.account}`
  const holder = role === undefined ? holders : `held through the role ${role}`
  const problem = `${holder} beyond SELECT on the mapped columns`
  const finding = createError(object, problem, adviseComparison(account), toPrivilegeText(held))
  const fix = `nothing has to be done; to end it: REVOKE ALL PRIVILEGES ON ${object} FROM PUBLIC;`
  return isScratch(excess, account) ? { ...finding, severity: 'warning', fix } : finding
}

/** The installation of MariaDB grants databases named `test` to every account; they hold no data of the product. */
export function isScratch({ grantee, object, held }: Excess, { database }: Account): boolean {
  const isTest = object === '`test`.*' || object === '`test\\_%`.*'
  const isOption = held.some(({ privilege }) => privilege === 'GRANT OPTION')
  return grantee === 'PUBLIC' && isTest && !isOption && !/^test(_|$)/i.test(database)
}

const ownAccount =
  'make an account for Vitrine with the statements that `vitrine grants` prints, and use it in DATABASE_URL'

/** How the service gets what the mapping needs, and nothing else. An account that others use keeps its privileges. */
export function adviseComparison(account: Account): string {
  return isOfOthers(account) ? ownAccount : `run what vitrine grants --compare prints for ${account.account}`
}

/** The lines are not shown: those of MariaDB contain the hash of a password. */
function toUnreadFinding({ account, unread }: Account): Finding {
  const problem = `${unread} of the lines of SHOW GRANTS could not be read, so the audit proves nothing`
  const fix = 'make a user with the statements of vitrine grants, and report the version of the server'
  return createError(account, problem, fix, 'SHOW GRANTS')
}

/** A privilege, on a column or on a whole object. */
export type Named = Pick<Held, 'privilege' | 'column'>

/** Privileges on one object as statements write them. */
export function toPrivilegeText(held: readonly Named[]): string {
  const texts = held.map(({ privilege, column: first }) => {
    if (first === undefined) return privilege
    const columns = held.flatMap((one) =>
      one.privilege === privilege && one.column !== undefined ? [toQuotedName(one.column)] : [],
    )
    return `${privilege} (${columns.join(', ')})`
  })
  return [...new Set(texts)].join(', ')
}

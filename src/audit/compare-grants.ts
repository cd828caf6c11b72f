import { groupColumns } from './grants-sql.js'
import { toQuotedName, toQuotedPlace } from '../database/sql.js'
import type { RunQuery } from '../database/statement.js'
import { listMappedColumns, listMappedTables } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { readAccountPrivileges } from './privileges.js'
import type { AccountPrivileges, Privileges } from './privileges.js'
import { renderTlsOf } from './audit-sql.js'
import { readDefinitions } from './definitions.js'
import type { DefinedObject } from './definitions.js'
import {
  isWholeSelect,
  listExcess,
  renderRevokeRole,
  renderRevokes,
  toPrivilegeText,
} from './evaluate-grants.js'
import {
  groupByTable,
  isReplicaPrivilege,
  listGroupColumns,
  renderReplicas,
  renderRequireTls,
  renderShowView,
} from './grants-sql.js'
import type { Grantee } from './grants-sql.js'
import { toObjectKey } from './mapped-tables.js'
import type { ObjectName } from './mapped-tables.js'
import type { Privilege } from './parse-grant.js'

/** What the server shows of an account, and of the tables and views that the mapping names. */
export interface AccountReading extends AccountPrivileges {
  /** Whether the account can connect without TLS, which is read only where TLS must be required. */
  readonly allowsPlain: boolean
  /** The mapping's tables and views, and what the views read. */
  readonly objects: readonly DefinedObject[]
}

/**
 * Reads what the statements of `vitrine grants` are compared with.
 *
 * @param runQuery runs statements of a user who may see the grants of the account and the definitions of views.
 */
export async function readAccount(
  runQuery: RunQuery,
  mapping: Mapping,
  { user, host, requireTls }: Pick<Grantee, 'user' | 'host' | 'requireTls'>,
): Promise<AccountReading> {
  const account = `${toQuotedName(user)}@${toQuotedName(host)}`
  const held = await readAccountPrivileges(runQuery, account)
  const { database, casedTables } = held.privileges
  const tables = listMappedTables(mapping)
  return {
    ...held,
    allowsPlain: requireTls && (await runQuery(renderTlsOf(user, host))).some(({ tls }) => tls === ''),
    objects: await readDefinitions(runQuery, { database, casedTables, tables, computed: new Set() }),
  }
}

/** What mapped views read, directly or through other views. */
export function listBehindViews({ objects }: AccountReading): readonly ObjectName[] {
  return objects.filter(({ mapped }) => !mapped)
}

/** Views whose definitions the reader could not see, so that what they read is not known. */
export function listHiddenViews({ objects }: AccountReading): readonly ObjectName[] {
  return objects.filter(({ definition }) => definition.kind === 'hidden' && definition.type !== 'BASE TABLE')
}

/**
 * The statements that leave an account with SELECT on the mapped columns, SHOW VIEW where the audit needs it, and nothing
 * else: REVOKE for what is too much, GRANT for what is missing.
 *
 * @returns none where nothing differs.
 */
export function listDifference(
  mapping: Mapping,
  { requireTls, replicas }: Pick<Grantee, 'requireTls' | 'replicas'>,
  reading: AccountReading,
): readonly string[] {
  const { privileges, allowsPlain } = reading
  const { account, roles } = privileges
  const needed = listNeeded(mapping, reading)
  return [
    ...listExcess(mapping, privileges).flatMap(({ grant, privileges: excess }) =>
      renderRevokes(excess, grant.object, account),
    ),
    ...listUnneededShowView(needed, privileges),
    ...roles.filter(({ revocable }) => revocable).map(({ role }) => renderRevokeRole(role, account)),
    ...needed.flatMap((object) => renderMissing(object, privileges)),
    ...(replicas && !hasReplicaGrants(privileges) ? listReplicaGrants(account) : []),
    ...(requireTls && allowsPlain ? [renderRequireTls(account)] : []),
  ]
}

/** Whether the account can read the lag and, on MySQL, the state of a member of Group Replication. */
function hasReplicaGrants({ grants, isMariaDb }: Privileges): boolean {
  const hasLag = grants.some(({ object, privileges: held }) =>
    held.some(({ name }) => isReplicaPrivilege(name, object)),
  )
  const tables = grants.filter(({ object }) => listGroupColumns(object).length > 0)
  return hasLag && (isMariaDb || tables.length === Object.keys(groupColumns).length)
}

function listReplicaGrants(account: string): readonly string[] {
  return renderReplicas(account).filter((line) => !line.startsWith('--'))
}

/** A table or view that the account needs SHOW VIEW on, and SELECT on the columns. */
interface Needed extends ObjectName {
  readonly columns: readonly string[]
}

function listNeeded(mapping: Mapping, reading: AccountReading): readonly Needed[] {
  const { database } = reading.privileges
  const mapped = [...groupByTable(listMappedColumns(mapping))].map(([name, columns]) => ({
    database,
    name,
    columns: [...columns.keys()],
  }))
  return [...mapped, ...listBehindViews(reading).map((object) => ({ ...object, columns: [] }))]
}

/** What the account holds on one table or view, by the grants on that object alone. */
function listHeld(object: ObjectName, { grants, casedTables }: Privileges): readonly Privilege[] {
  const key = toObjectKey(object, casedTables)
  return grants
    .filter((grant) => grant.object.type === '' && toObjectKey(grant.object, casedTables) === key)
    .flatMap(({ privileges }) => privileges)
}

/** The audit accepts SHOW VIEW on any table, but it shows the definition of a table that is mapped no longer. */
function listUnneededShowView(needed: readonly Needed[], privileges: Privileges): readonly string[] {
  const { account, casedTables } = privileges
  const keys = new Set(needed.map((one) => toObjectKey(one, casedTables)))
  return privileges.grants
    .filter(({ object }) => object.type === '' && object.name !== '*')
    .filter((grant) => grant.privileges.some(({ name }) => name === 'SHOW VIEW'))
    .filter(({ object }) => !keys.has(toObjectKey(object, casedTables)))
    .flatMap(({ object }) => renderRevokes([{ name: 'SHOW VIEW', columns: [] }], object, account))
}

/** What an object still lacks after the statements that revoke: without ALL PRIVILEGES, SHOW VIEW is gone as well. */
function renderMissing(object: Needed, privileges: Privileges): readonly string[] {
  const { account } = privileges
  const place = toQuotedPlace(object.database, object.name)
  const held = listHeld(object, privileges)
  const readable = held.some(isWholeSelect)
    ? []
    : held.flatMap(({ name, columns }) => (name === 'SELECT' ? columns : []))
  const known = new Set(readable.map((column) => column.toLowerCase()))
  const columns = object.columns.filter((column) => !known.has(column.toLowerCase()))
  const select = toPrivilegeText({ name: 'SELECT', columns })
  const hasShowView =
    held.some(({ name }) => name === 'SHOW VIEW') && !held.some(({ name }) => name === 'ALL PRIVILEGES')
  return [
    ...(columns.length === 0 ? [] : [`GRANT ${select} ON ${place} TO ${account};`]),
    ...(hasShowView ? [] : [renderShowView(place, account)]),
  ]
}

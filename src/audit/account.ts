import { toDialect } from '../database/dialects.js'
import { isMissingAccount } from '../database/errors.js'
import { toQuotedName } from '../database/sql.js'
import type { Row, RunQuery } from '../database/statement.js'
import { readGrantLines } from './grant-lines.js'
import type { GrantLines, Held } from './grant-lines.js'

/** Runs a statement of the audit, none of which has values. */
export function ask(runQuery: RunQuery, sql: string): Promise<readonly Row[]> {
  return runQuery({ sql, values: [] })
}

/** What SHOW GRANTS says of an account, with no role and with each that it can take. */
export interface Account {
  /** As statements write it: `vitrine`@`%`, in backticks. */
  readonly account: string
  readonly database: string
  /** Whether table names that differ only in case are different names. */
  readonly casedTables: boolean
  readonly isMariaDb: boolean
  /** Of the server. */
  readonly version: string
  readonly held: readonly Held[]
  /** Those that it can take, by default or not, as statements write them. */
  readonly roles: readonly string[]
  /** Roles that the account, or a role that it can take, may grant to others; without their hosts. */
  readonly grantableRoles: readonly string[]
  /** How many lines could not be read. */
  readonly unread: number
}

/**
 * Reads what the account of a session holds.
 *
 * @param runQuery runs statements on one session. Its roles are changed, so it must not be used for anything else.
 */
export async function readAccount(runQuery: RunQuery): Promise<Account> {
  const server = await readServer(runQuery)
  await ask(runQuery, 'set role none')
  const own = readGrantLines(await ask(runQuery, 'show grants'))
  const roles = own.roles.map(({ role }) => role)
  const fromRoles: GrantLines[] = []
  for (const role of roles) fromRoles.push(await readRoleLines(runQuery, server.isMariaDb, role))
  const known = new Set(own.held.map(toHeldKey))
  return {
    ...server,
    // MySQL adds the privileges of a role to the account's own lines; MariaDB lists the lines of the role beside them.
    held: [...own.held, ...fromRoles.flatMap(({ held }) => held.filter((one) => !known.has(toHeldKey(one))))],
    roles,
    grantableRoles:
      roles.length === 0
        ? []
        : (await ask(runQuery, grantableSql)).map(({ role }) => toQuotedName(String(role))),
    unread: [own, ...fromRoles].reduce((sum, { unread }) => sum + unread, 0),
  }
}

type Server = Pick<Account, 'account' | 'database' | 'casedTables' | 'isMariaDb' | 'version'>

/** The account of the session, as CURRENT_USER() returns it, and its server. */
async function readServer(runQuery: RunQuery): Promise<Server> {
  const [row] = await ask(
    runQuery,
    'select current_user() as account, database() as `database`, version() as version, @@lower_case_table_names as lowerCase',
  )
  const [current, version] = [String(row?.['account']), String(row?.['version'])]
  const at = current.lastIndexOf('@')
  return {
    account: `${toQuotedName(current.slice(0, at))}@${toQuotedName(current.slice(at + 1))}`,
    database: String(row?.['database']),
    casedTables: Number(row?.['lowerCase']) === 0,
    isMariaDb: toDialect(version) === 'mariadb',
    version,
  }
}

const grantableSql =
  "select role_name as `role` from information_schema.applicable_roles where is_grantable = 'YES'"

/** The lines with a role, and with those that it holds. */
async function readRoleLines(runQuery: RunQuery, isMariaDb: boolean, role: string): Promise<GrantLines> {
  if (isMariaDb) await ask(runQuery, `set role ${role}`)
  const sql = isMariaDb ? 'show grants' : `show grants for current_user() using ${role}`
  const lines = readGrantLines(await ask(runQuery, sql))
  return { ...lines, held: lines.held.map((one) => ({ ...one, role })) }
}

function toHeldKey({ grantee, object, privilege, column }: Held): string {
  return JSON.stringify([grantee, object, privilege, column])
}

/** An account other than that of the session. */
export interface OtherAccount extends Account {
  readonly exists: boolean
}

/** Reads what another account holds by itself; nothing where it does not exist. @param account in backticks. */
export async function readOtherAccount(runQuery: RunQuery, account: string): Promise<OtherAccount> {
  const server = await readServer(runQuery)
  const rows = await ask(runQuery, `show grants for ${account}`).catch((error: unknown) => {
    if (isMissingAccount(error)) return undefined
    throw error
  })
  // Hosts are stored in lower case. MariaDB also lists what PUBLIC and roles hold.
  const isOwn = ({ grantee }: { grantee: string }): boolean => grantee.toLowerCase() === account.toLowerCase()
  const { held, roles, unread } = readGrantLines(rows ?? [])
  return {
    ...server,
    exists: rows !== undefined,
    account,
    held: held.filter(isOwn),
    roles: roles.filter(isOwn).map(({ role }) => role),
    grantableRoles: [],
    unread,
  }
}

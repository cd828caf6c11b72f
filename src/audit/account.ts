import { toDialect } from '../database/dialects.js'
import { isAccessDenied, isMissingAccount } from '../database/errors.js'
import { toQuotedName } from '../database/sql.js'
import type { Row, RunQuery } from '../database/statement.js'
import { readGrantLines } from './grant-lines.js'
import type { GrantLines, Held } from './grant-lines.js'
import { ask, readVisible } from './visible.js'
import type { Visible } from './visible.js'

/** What SHOW GRANTS says of an account, with no role and with each that it can take. */
export interface Account {
  /** As statements write it: `vitrine`@`%`, in backticks. */
  readonly account: string
  readonly database: string
  /** Whether table names that differ only in case are different names. */
  readonly casedTables: boolean
  readonly isMariaDb: boolean
  readonly held: readonly Held[]
  /** Those that it can take, by default or not, as statements write them. */
  readonly roles: readonly string[]
  /** Roles that the account, or a role that it can take, may grant to others; without their hosts. */
  readonly grantableRoles: readonly string[]
  /** How many lines could not be read. */
  readonly unread: number
}

/**
 * Reads what the account of a session holds, and what the server shows it, with no role and with each that it can take.
 *
 * @param runQuery runs statements on one session. Its roles are changed, so it must not be used for anything else.
 */
export async function readAccount(runQuery: RunQuery) {
  const server = await readServer(runQuery)
  const readAs = async (role: string): Promise<GrantLines & { visible: Visible }> => {
    await ask(runQuery, `set role ${role}`)
    const using = role === 'none' || server.isMariaDb ? '' : ` for current_user() using ${role}`
    return {
      ...readGrantLines(await ask(runQuery, `show grants${using}`)),
      visible: await readVisible(runQuery, server.database),
    }
  }
  const own = await readAs('none')
  const known = new Set(own.held.map((one) => JSON.stringify(one)))
  const readings = [own]
  for (const { role } of own.roles) {
    const { held, ...reading } = await readAs(role)
    // MySQL adds the privileges of a role to the account's own lines; MariaDB lists the lines of the role beside them.
    const added = held.filter((one) => !known.has(JSON.stringify(one))).map((one) => ({ ...one, role }))
    readings.push({ ...reading, held: added })
  }
  const grantable = own.roles.length === 0 ? [] : await ask(runQuery, grantableSql)
  const account: Account = {
    ...server,
    held: readings.flatMap(({ held }) => held),
    roles: own.roles.map(({ role }) => role),
    grantableRoles: grantable.map(({ role }) => toQuotedName(String(role))),
    unread: readings.reduce((sum, { unread }) => sum + unread, 0),
  }
  return { account, visible: readings.map(({ visible }) => visible) }
}

/** The account of the session, as CURRENT_USER() returns it, and its server. */
export async function readServer(runQuery: RunQuery) {
  const [row] = await ask(
    runQuery,
    'select current_user() as account, database() as `database`, version() as version, @@lower_case_table_names as lowerCase',
  )
  const current = String(row?.['account'])
  const at = current.lastIndexOf('@')
  return {
    account: `${toQuotedName(current.slice(0, at))}@${toQuotedName(current.slice(at + 1))}`,
    database: String(row?.['database']),
    casedTables: Number(row?.['lowerCase']) === 0,
    isMariaDb: toDialect(row?.['version']) === 'mariadb',
  }
}

const grantableSql =
  "select role_name as `role` from information_schema.applicable_roles where is_grantable = 'YES'"

/** An account other than that of the session. */
export interface OtherAccount extends Account {
  readonly exists: boolean
}

/**
 * Reads what another account holds by itself, and what MariaDB gives to every account; nothing where it does not exist.
 *
 * @param account in backticks.
 */
export async function readOtherAccount(runQuery: RunQuery, account: string): Promise<OtherAccount> {
  const server = await readServer(runQuery)
  const show = async (of: string): Promise<readonly Row[] | undefined> =>
    ask(runQuery, `show grants for ${of}`).catch((error: unknown) => {
      if (isMissingAccount(error)) return undefined
      if (!isAccessDenied(error)) throw error
      throw new Error(
        `the user of DATABASE_URL cannot see the grants of ${account}: use an administrator, or a user with SELECT on the database mysql`,
      )
    })
  const rows = await show(account)
  const everybody = (server.isMariaDb ? await show('public') : undefined) ?? []
  // Hosts are stored in lower case. MariaDB also lists what roles hold.
  const isOwn = ({ grantee }: { grantee: string }): boolean =>
    grantee === 'PUBLIC' || grantee.toLowerCase() === account.toLowerCase()
  const { held, roles, unread } = readGrantLines([...(rows ?? []), ...everybody])
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

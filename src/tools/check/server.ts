import { readServer } from '../../database/server-kind.js'
import { toText } from '../../database/schema.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { isLoopback } from '../../values/addresses.js'
import { createWarning } from '../../finding.js'
import { createSection, toTable } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Section } from '../report/report.js'
import { orNone } from './sample.js'

/** The configuration of the connection. */
interface ConnectionInput {
  readonly host: string
  readonly tls: string
  readonly name: string
  readonly poolSize: number
}

/** Variables of a server that this section and that of freshness read. */
const names = [
  'max_connections',
  'max_user_connections',
  'read_only',
  'replica_preserve_commit_order',
  'slave_preserve_commit_order',
  'replica_parallel_workers',
  'slave_parallel_workers',
  'group_replication_single_primary_mode',
  'gtid_current_pos',
]

/** What a server says of itself and of the session to this account. */
export type ServerState = Awaited<ReturnType<typeof readServerState>>

/** Reads the kind of the server, its variables, the account, and what the session is set to. */
export async function readServerState(run: RunQuery) {
  const { kind } = await readServer(run)
  const show = async (sql: string): Promise<readonly Row[]> => (await orNone(run({ sql, values: [] }))) ?? []
  const list = names.map((name) => `'${name}'`).join(', ')
  const rows = [
    ...(await show(`show variables where variable_name in (${list})`)),
    ...(await show("show global status like 'Threads_connected'")),
    ...(await show("show session status like 'Ssl_cipher'")),
  ]
  const variables = new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]))
  const [account] = await show('select current_user() as `account`')
  return {
    kind,
    account: toText(account?.['account']),
    read: (name: string) => variables.get(name) ?? '',
  }
}

/** Sessions that the service opens beside those of requests: for the schema, the audit and the health check. */
const sessionsForChecks = 3

/** The server, and whether its limits allow the connections of the service. */
export function checkConnection(input: ConnectionInput, { kind, account, read }: ServerState): Section {
  const clusters = { alone: '', galera: ', Galera', group: ', Group Replication' } as const
  const isRemote = !isLoopback(input.host)
  const heads = {
    server: 'Server',
    account: 'Account',
    database: 'Database',
    isReadOnly: 'Read-only server',
    cipher: 'TLS cipher',
  }
  const row = {
    server: `${kind.dialect === 'mariadb' ? 'MariaDB' : 'MySQL'} ${kind.version}${clusters[kind.cluster]}`,
    account,
    database: input.name,
    isReadOnly: isOn(read('read_only')),
    cipher: read('Ssl_cipher') || 'none',
  }
  return createSection({
    id: 'connection',
    title: 'Connection and server',
    intro: 'Every session is set to read-only, UTC, strict mode and a time limit, and these are read back.',
    tables: [toTable('server', heads, [row])],
    findings: [
      ...(isRemote && input.tls === 'off' ? [noTlsFinding] : []),
      ...evaluateLimits(input.poolSize, read),
    ],
  })
}

/** Whether a variable of the server is on. */
export function isOn(value: string): boolean {
  return !['', 'OFF', '0'].includes(value)
}

const noTlsFinding = createWarning(
  'DATABASE_TLS',
  'is off, and the database is on another machine: its rows are sent without encryption',
  'set DATABASE_TLS to verify-identity, and DATABASE_TLS_CA to the PEM file of its authority',
)

function evaluateLimits(poolSize: number, read: ServerState['read']): readonly Finding[] {
  const needed = poolSize + sessionsForChecks
  // For the session of an account with a limit of its own, the server shows that one.
  const ofAccount = Number(read('max_user_connections'))
  const [all, used] = ['max_connections', 'Threads_connected'].map((name) => Number(read(name)))
  const free = (all ?? 0) - (used ?? 0)
  const what = `a process opens up to ${needed}: DATABASE_POOL_SIZE and ${sessionsForChecks} for checks`
  const create = (limit: string, fix: string): Finding =>
    createWarning('DATABASE_POOL_SIZE', `is ${poolSize}, and ${limit}; ${what}`, fix)
  return [
    ...(ofAccount > 0 && ofAccount < needed
      ? [create(`the account may have ${ofAccount} connections`, 'raise MAX_USER_CONNECTIONS, or lower it')]
      : []),
    ...(read('max_connections') !== '' && free < needed
      ? [create(`${free} of ${all ?? 0} connections are left`, 'raise max_connections, or lower it')]
      : []),
  ]
}

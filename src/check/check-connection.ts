import type { Finding } from '../audit/finding.js'
import { renderSessionCheck, toDialect } from '../database/session-sql.js'
import { readReplication } from '../database/read-replication.js'
import type { Row, RunQuery } from '../database/statement.js'
import { checkLag, toLagCell } from './check-lag.js'
import { toTable } from './report.js'
import type { Cell, CheckSection } from './report.js'

/** How the configuration reaches the database. */
export interface ConnectionInput {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly tls: string
  readonly database: string
  readonly lagMaxSeconds: number
}

/** What one host says of itself and of the session. */
export type HostState = Readonly<Record<string, Cell>>

/** Asks one host for its version, its cipher and the state of the session. */
export async function readHostState(ask: RunQuery): Promise<HostState> {
  const [server] = await ask({
    sql: 'select version() as version, @@hostname as host, @@read_only as readOnly, current_user() as account',
    values: [],
  })
  const version = String(server?.['version'])
  const dialect = toDialect(version)
  const [session] = await ask(renderSessionCheck(dialect))
  const replication = await readReplication(ask, version)
  const [tls] = await ask({ sql: "show session status like 'Ssl_cipher'", values: [] })
  return {
    server: `${dialect === 'mariadb' ? 'MariaDB' : 'MySQL'} ${version}`,
    host: toText(server, 'host'),
    account: toText(server, 'account'),
    lag: toLagCell(replication),
    serverReadOnly: Number(server?.['readOnly']) === 1,
    cipher: toText(tls, 'Value') || 'none',
    timeZone: toText(session, 'timeZone'),
    characterSet: toText(session, 'characterSet'),
    readOnly: Number(session?.['readOnly']) === 1,
    queryTimeoutMs: Number(session?.['queryTimeoutMs']),
    sqlMode: toText(session, 'sqlMode').replaceAll(',', ', '),
  }
}

/** Where the database is, what it is, and how its sessions were found to be. */
export function checkConnection(input: ConnectionInput, hosts: readonly HostState[]): CheckSection {
  const remote = input.hosts.some(({ host }) => !isLocal(host))
  return {
    id: 'connection',
    title: 'Connection and server',
    intro:
      'Every session is set to read only, in UTC, strict and limited in time, and was read back after it was set.',
    tables: [
      toTable(
        'hosts',
        {
          server: 'Server',
          host: 'Host',
          account: 'Account',
          serverReadOnly: 'Read-only server',
          lag: 'Behind its primary, s',
          cipher: 'TLS cipher',
        },
        hosts,
      ),
      toTable(
        'sessions',
        {
          host: 'Host',
          readOnly: 'Read-only session',
          timeZone: 'Zone',
          queryTimeoutMs: 'Limit, ms',
          characterSet: 'Characters',
          sqlMode: 'SQL mode',
        },
        hosts,
      ),
    ],
    notes: [`Database ${input.database}; ${hosts.length} of ${input.hosts.length} hosts answered.`],
    findings: [
      ...(remote && input.tls === 'off' ? [clearFinding] : []),
      ...checkLag(hosts, { lagMaxSeconds: input.lagMaxSeconds, hostCount: input.hosts.length }),
    ],
  }
}

const clearFinding: Finding = {
  severity: 'warning',
  object: 'DATABASE_TLS',
  privilege: null,
  problem: 'is off, and the database is on another machine: what it answers travels in the clear',
  fix: 'set DATABASE_TLS to verify-identity, and DATABASE_TLS_CA to the PEM file of its authority',
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('/')
}

function toText(row: Row | undefined, name: string): string {
  const cell = row?.[name]
  return typeof cell === 'string' ? cell : ''
}

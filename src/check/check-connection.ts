import type { Finding } from '../audit/finding.js'
import { readReplication } from '../database/replication.js'
import type { Replication } from '../database/replication.js'
import { renderSessionCheck, toDialect } from '../database/dialects.js'
import type { Row, RunQuery } from '../database/statement.js'
import { toTable } from './report.js'
import type { Cell, CheckSection } from './report.js'

/** The configuration of the connection. */
export interface ConnectionInput {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly tls: string
  readonly name: string
  readonly lagMaxSeconds: number
}

/** The state of one host and of the session there. */
export type HostState = Readonly<Record<string, Cell>>

/** Reads the version, the replication lag, the cipher and the state of the session at one host. */
export async function readHostState(runQuery: RunQuery): Promise<HostState> {
  const [server] = await runQuery({
    sql: 'select version() as version, @@hostname as host, @@read_only as readOnly, current_user() as account',
    values: [],
  })
  const version = String(server?.['version'])
  const dialect = toDialect(version)
  const [session] = await runQuery(renderSessionCheck(dialect))
  const replication = await readReplication(runQuery, version)
  const [tls] = await runQuery({ sql: "show session status like 'Ssl_cipher'", values: [] })
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

function toText(row: Row | undefined, name: string): string {
  const cell = row?.[name]
  return typeof cell === 'string' ? cell : ''
}

const stopped = 'stopped'

/** The lag in seconds or as a word; null where the user may not read it. */
function toLagCell({ isReplica, lagSeconds }: Replication): Cell {
  if (lagSeconds === undefined) return null
  if (!isReplica) return 'no replica'
  return Number.isFinite(lagSeconds) ? lagSeconds : stopped
}

/** The hosts, their servers, and the state of the sessions. */
export function checkConnection(input: ConnectionInput, hosts: readonly HostState[]): CheckSection {
  const isRemote = input.hosts.some(({ host }) => !isLocal(host))
  return {
    id: 'connection',
    title: 'Connection and server',
    intro:
      'Every session is set to read-only, UTC, strict mode and a time limit, and these settings are read back.',
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
    notes: [`Database ${input.name}; ${hosts.length} of ${input.hosts.length} hosts answered.`],
    findings: [
      ...(isRemote && input.tls === 'off' ? [noTlsFinding] : []),
      // The lag decides between hosts, so it does not matter where there is one.
      ...(input.hosts.length < 2 ? [] : hosts.flatMap((host) => checkLag(host, input.lagMaxSeconds))),
    ],
  }
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('/')
}

const noTlsFinding: Finding = {
  severity: 'warning',
  object: 'DATABASE_TLS',
  privilege: null,
  problem: 'is off, and the database is on another machine: its rows are sent without encryption',
  fix: 'set DATABASE_TLS to verify-identity, and DATABASE_TLS_CA to the PEM file of its authority',
}

function checkLag({ host = null, lag = null }: HostState, lagMaxSeconds: number): readonly Finding[] {
  const about = { severity: 'warning', object: `host ${String(host)}`, privilege: null } as const
  if (lag === null)
    return [
      {
        ...about,
        problem: 'does not show its replication lag, so Vitrine treats it as up to date however much it lags',
        fix: 'run the last statement that vitrine grants --replicas prints, if the server has replicas',
      },
    ]
  const isLate = typeof lag === 'number' && lag > lagMaxSeconds
  if (lag !== stopped && !isLate) return []
  return [
    {
      ...about,
      problem: `${isLate ? `is ${lag} s behind` : 'has stopped replicating'}, so Vitrine uses it only when no other host is available`,
      fix: 'run SHOW REPLICA STATUS as an administrator; after a promotion, run RESET REPLICA ALL there',
    },
  ]
}

import type { Database } from '../../database/database.js'
import { readHeartbeatAge } from '../../database/heartbeat.js'
import { readServer, readServerKind } from '../../database/server-kind.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { isLoopback } from '../../values/addresses.js'
import { createSection, createWarning, toTable } from '../report/report.js'
import type { Cell, Finding, Section } from '../report/report.js'

/** The configuration of the connection. */
export interface ConnectionInput {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly tls: string
  readonly name: string
  readonly lagMaxSeconds: number
  /** How many servers the sessions of a host were at. */
  readonly servers?: ReadonlyMap<string, number>
}

/** The state of one host and of the session there. */
export type HostState = Readonly<Record<string, Cell>>

/** How many sessions are opened at a host to find that its address leads to several servers. */
const sessionsOfHost = 3

/** Counts the servers that sessions of each host are at. */
export async function countServers({
  forEachHost,
}: Pick<Database, 'forEachHost'>): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, Set<string>>()
  for (let count = 0; count < sessionsOfHost; count += 1)
    await forEachHost(async (runQuery, host) => {
      const { id } = await readServerKind(runQuery)
      ids.set(host, (ids.get(host) ?? new Set()).add(id))
    })
  return new Map([...ids].map(([host, servers]) => [host, servers.size]))
}

const clusterNames = { alone: '', galera: ', Galera', group: ', Group Replication' } as const

/** Reads the version, the replication lag, the cipher and the state of the session at one host. */
export async function readHostState(
  runQuery: RunQuery,
  host: string,
  heartbeat: Mapping['heartbeat'],
): Promise<HostState> {
  const [server] = await runQuery({
    sql: 'select @@read_only as readOnly, current_user() as account',
    values: [],
  })
  const { kind, session } = await readServer(runQuery)
  const { version, dialect, cluster } = kind
  const age = heartbeat && (await readHeartbeatAge(runQuery, heartbeat).catch(() => undefined))
  const [tls] = await runQuery({ sql: "show session status like 'Ssl_cipher'", values: [] })
  return {
    server: `${dialect === 'mariadb' ? 'MariaDB' : 'MySQL'} ${version}${clusterNames[cluster]}`,
    host,
    account: toText(server, 'account'),
    lag: heartbeat === undefined ? 'no replica' : (age ?? null),
    issue: '',
    reason: heartbeat !== undefined && age === undefined ? 'The heartbeat cannot be read' : '',
    serverReadOnly: Number(server?.['readOnly']) === 1,
    cipher: toText(tls, 'Value') || 'none',
    timeZone: session.get('time_zone') ?? null,
    characterSet: session.get('character_set_client') ?? null,
    readOnly: (session.get('transaction_read_only') ?? session.get('tx_read_only')) === 'ON',
    queryTimeoutMs: session.get('max_execution_time') ?? session.get('max_statement_time') ?? null,
    sqlMode: (session.get('sql_mode') ?? '').replaceAll(',', ', '),
  }
}

function toText(row: Row | undefined, name: string): string {
  const cell = row?.[name]
  return typeof cell === 'string' ? cell : ''
}

const stopped = 'stopped'

/** The hosts, their servers, and the state of the sessions. */
export function checkConnection(input: ConnectionInput, hosts: readonly HostState[]): Section {
  const isRemote = input.hosts.some(({ host }) => !isLoopback(host))
  return createSection({
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
      ...hosts.flatMap(checkIssue),
      ...[...(input.servers ?? [])].flatMap(([host, servers]) =>
        servers > 1 ? [toSeveralFinding(host)] : [],
      ),
      // The lag decides between hosts, so it does not matter where there is one; but a heartbeat shall be there.
      ...hosts
        .filter(({ reason }) => input.hosts.length > 1 || (reason ?? '') !== '')
        .flatMap((host) => checkLag(host, input.lagMaxSeconds)),
    ],
  })
}

const noTlsFinding = createWarning(
  'DATABASE_TLS',
  'is off, and the database is on another machine: its rows are sent without encryption',
  'set DATABASE_TLS to verify-identity, and DATABASE_TLS_CA to the PEM file of its authority',
)

function toSeveralFinding(host: string): Finding {
  const problem =
    'leads to several servers, one of which was checked: each session proves by itself that its data are fresh'
  const fix = 'name the servers in DATABASE_URL where the network permits it'
  return createWarning(`host ${host}`, problem, fix)
}

function checkIssue({ host = null, issue }: HostState): readonly Finding[] {
  if (typeof issue !== 'string' || issue === '') return []
  const problem = `is not read while another host can be: ${issue}`
  const fix = 'let it join its cluster again; Vitrine then reads it again by itself'
  return [createWarning(`host ${String(host)}`, problem, fix)]
}

function checkLag(
  { host = null, lag = null, reason = '' }: HostState,
  lagMaxSeconds: number,
): readonly Finding[] {
  const object = `host ${String(host)}`
  if (lag === null) return [toUnknownFinding(object, String(reason))]
  const isLate = typeof lag === 'number' && lag > lagMaxSeconds
  if (lag !== stopped && !isLate) return []
  const problem = `${isLate ? `is ${lag} s behind` : 'has stopped replicating'}, so Vitrine uses it only when no other host is available`
  const fix = 'run SHOW REPLICA STATUS as an administrator; after a promotion, run RESET REPLICA ALL there'
  return [createWarning(object, problem, fix)]
}

/** @param reason why a heartbeat does not prove anything; empty where the user may not read the state of the server. */
function toUnknownFinding(object: string, reason: string): Finding {
  if (reason === '')
    return createWarning(
      object,
      'does not show whether its data are fresh, so Vitrine reads it only while no other host shows that',
      'run the last statements that vitrine grants --replicas prints, or name a heartbeat in the mapping file',
    )
  const problem = `does not prove that its data are fresh, so Vitrine reads it only while no other host does. ${reason}`
  const fix = 'let pt-heartbeat --utc, or a job that stores UTC_TIMESTAMP(6), write the row every second'
  return createWarning(object, problem, fix)
}

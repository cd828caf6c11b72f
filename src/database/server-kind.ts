import { sessionVariables, toDialect, toSessionState } from './dialects.js'
import type { Dialect, SessionState } from './dialects.js'
import type { RunQuery, Statement } from './statement.js'

/** What a server says of itself to every user. */
export interface ServerKind {
  /** Tells it from the other servers behind an address. */
  readonly id: string
  /** The value of `version`. */
  readonly version: string
  readonly dialect: Dialect
  /** How it shares its data with other servers; a replica and its primary are `alone` here. */
  readonly cluster: 'alone' | 'galera' | 'group'
}

const serverVariables = [
  'version',
  'wsrep_on',
  'wsrep_provider',
  'group_replication_group_name',
  'server_uuid',
  'hostname',
  'port',
  'server_id',
]

/** Not `select`: a server does not know the variables of the others, and a Galera node without quorum rejects it. */
export const serverStatement: Statement = {
  sql: `show variables where variable_name in (${[...serverVariables, ...sessionVariables].map((name) => `'${name}'`).join(', ')})`,
  values: [],
}

/** Reads the kind of a server and the state of the session there, which needs no privilege. */
export async function readServer(
  runQuery: RunQuery,
): Promise<{ readonly kind: ServerKind; readonly session: SessionState }> {
  const rows = await runQuery(serverStatement)
  const variables = new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]))
  const read = (name: string): string => variables.get(name) ?? ''
  const isGalera = read('wsrep_on') === 'ON' && !['', 'none'].includes(read('wsrep_provider'))
  const cluster = isGalera ? 'galera' : read('group_replication_group_name') === '' ? 'alone' : 'group'
  // Only MySQL has the first one.
  const id = ['server_uuid', 'hostname', 'port', 'server_id'].map(read).join(' ')
  const dialect = toDialect(read('version'))
  return { kind: { id, version: read('version'), dialect, cluster }, session: toSessionState(dialect, read) }
}

/** Reads the kind of a server, which needs no privilege. */
export async function readServerKind(runQuery: RunQuery): Promise<ServerKind> {
  return (await readServer(runQuery)).kind
}

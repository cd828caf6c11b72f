import { listSettings, toDialect } from './dialects.js'
import type { Dialect } from './dialects.js'
import type { RunQuery, Statement } from './statement.js'

/** What a server says of itself, and of the session there, to every user. */
export interface Server {
  /** The value of `version`. */
  readonly version: string
  readonly dialect: Dialect
  /** How it shares its data with other servers; a replica and its primary are `alone` here. */
  readonly cluster: 'alone' | 'galera' | 'group'
  /** The variables of the session by their names, as SHOW VARIABLES writes them. */
  readonly session: ReadonlyMap<string, string>
}

const names = [
  ...['version', 'wsrep_on', 'wsrep_provider', 'group_replication_group_name'],
  // The names are the same for every time limit.
  ...(['mysql', 'mariadb'] as const).flatMap((dialect) => listSettings(dialect, 0).map(({ name }) => name)),
]

/** Not `select`: a server does not know the variables of the others, and a Galera node without quorum rejects it. */
const statement: Statement = {
  sql: `show variables where variable_name in (${names.map((name) => `'${name}'`).join(', ')})`,
  values: [],
}

/** Reads what a server says of itself and of the session there, which needs no privilege. */
export async function readServer(runQuery: RunQuery): Promise<Server> {
  const rows = await runQuery(statement)
  const session = new Map(
    rows.map((row) => [String(row['Variable_name']).toLowerCase(), String(row['Value'])]),
  )
  const read = (name: string): string => session.get(name) ?? ''
  const isGalera = read('wsrep_on') === 'ON' && !['', 'none'].includes(read('wsrep_provider'))
  const cluster = isGalera ? 'galera' : read('group_replication_group_name') === '' ? 'alone' : 'group'
  return { version: read('version'), dialect: toDialect(read('version')), cluster, session }
}

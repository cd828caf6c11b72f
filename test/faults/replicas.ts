import type { Janitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { ask } from '../support/ask.js'
import { startBalancer } from './balancer.js'
import type { Cluster } from './drill.js'
import { createMembers } from './member.js'
import type { Member } from './member.js'

/** A primary with a replica, behind HAProxy. */
export async function startReplicas(program: Program, janitor: Janitor): Promise<Cluster> {
  const members = createMembers(program, janitor)
  const [primary, replica] = (await Promise.all(
    [1, 2].map((id) =>
      members.start({ id, local: 'SET SESSION sql_log_bin = 0', options: ['--log-bin=bin'] }),
    ),
  )) as [Member, Member]
  await follow(primary, replica, members.password)
  const nodes = [primary, replica]
  return {
    nodes,
    writers: [primary],
    local: [],
    network: members.network,
    address: await startBalancer(janitor, nodes),
  }
}

async function follow(primary: Member, replica: Member, password: string): Promise<void> {
  const { hostname, port, username } = new URL(primary.adminUrl)
  const [show, more] = primary.isMariaDb
    ? ['SHOW MASTER STATUS', 'MASTER_USE_GTID = no']
    : ['SHOW BINARY LOG STATUS', 'SOURCE_SSL = 1']
  const [at] = await ask(primary.adminUrl, show)
  await direct(
    replica,
    `CHANGE REPLICATION SOURCE TO SOURCE_HOST = '${hostname}', SOURCE_PORT = ${port || 3306}, SOURCE_USER = '${username}',
       SOURCE_PASSWORD = '${password}', SOURCE_LOG_FILE = '${String(at?.['File'])}', SOURCE_LOG_POS = ${String(at?.['Position'])}, ${more}`,
    'START REPLICA',
  )
}

/** Runs statements on a replica in the words of its server. */
export function direct({ adminUrl, isMariaDb }: Member, ...statements: readonly string[]): Promise<void> {
  const toWords = (text: string): string =>
    isMariaDb ? text.replace('REPLICATION SOURCE', 'MASTER').replaceAll('SOURCE_', 'MASTER_') : text
  return runStatements(adminUrl, statements.map(toWords))
}

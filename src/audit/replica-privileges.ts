import type { GrantObject } from './grant.js'

/**
 * As MySQL, MariaDB and MariaDB of old write the privilege to see how replication goes. It reaches no table; what it
 * does reach, the state of replication and the names of binary logs, Vitrine asks for the lag alone.
 */
const names = new Set(['REPLICATION CLIENT', 'SLAVE MONITOR', 'REPLICA MONITOR'])

/**
 * The privilege as a statement that each server reads in its own way: MySQL runs what follows `!80000`, MariaDB leaves
 * such versions of MySQL out, and runs what follows `M!`.
 */
export const replicaPrivilegeSql = '/*!80000 REPLICATION CLIENT */ /*M! SLAVE MONITOR */'

/** Whether a privilege lets the account see the lag, and nothing of any table. */
export function isReplicaPrivilege(name: string, object: GrantObject): boolean {
  return names.has(name) && object.text === '*.*'
}

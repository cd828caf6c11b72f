import type { Pool, PoolConnection } from 'mysql2'
import { StaleServerError } from './address-servers.js'
import type { AddressServers } from './address-servers.js'
import { SessionError, openConnection, runOn, verifySession } from './connection.js'
import type { ServerKind } from './server-kind.js'

/** How sessions are verified. */
export interface VerificationConfig {
  readonly queryTimeoutMs: number
  /** A session that was verified longer ago is verified before its next statement. */
  readonly verifyAfterMs?: number
  /** Rejects a session at a server whose data may be old. @throws StaleServerError */
  readonly requireFresh?: AddressServers['requireFresh']
}

/**
 * How long a session is used without being verified, in milliseconds. Data of another server behind the same address can
 * be older by this time than `requireFresh` allows; the overlap of syncs is much longer.
 */
export const verifyAfterDefaultMs = 10_000

/** Behind a proxy, this many connections lead to a fresh server if there is one among a few. */
const attemptsMax = 5

/** Opens a connection at a server whose data are fresh. @throws SessionError */
async function openVerified(pool: Pool, config: VerificationConfig): Promise<PoolConnection> {
  for (let attempt = 1; ; attempt += 1) {
    const { connection, server } = await openConnection(pool, config.queryTimeoutMs)
    try {
      await requireFreshAt(connection, server, config)
      return connection
    } catch (error) {
      connection.destroy()
      if (attempt === attemptsMax || !(error instanceof StaleServerError)) throw error
    }
  }
}

/** Opens connections. One that began to be opened before a renewal is closed, and another one opened. */
export function createOpener(pool: Pool, config: VerificationConfig) {
  let renewals = 0
  const open = async (): Promise<PoolConnection> => {
    const before = renewals
    const connection = await openVerified(pool, config)
    if (before === renewals) return connection
    connection.end()
    return open()
  }
  return {
    open,
    renew: () => {
      renewals += 1
    },
  }
}

/**
 * Whether a session can still be used. A lost connection, or one at a server that is behind, can be replaced by another.
 *
 * @throws SessionError where a proxy has changed the session, which shall be noticed.
 */
export async function isStillVerified(
  connection: PoolConnection,
  config: VerificationConfig,
): Promise<boolean> {
  try {
    await requireFreshAt(connection, await verifySession(connection, config.queryTimeoutMs), config)
    return true
  } catch (error) {
    if (error instanceof SessionError && !(error instanceof StaleServerError)) throw error
    return false
  }
}

async function requireFreshAt(
  connection: PoolConnection,
  server: ServerKind,
  { requireFresh, queryTimeoutMs }: VerificationConfig,
): Promise<void> {
  await requireFresh?.(runOn(connection, queryTimeoutMs), server)
}

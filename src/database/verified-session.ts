import type { Pool, PoolConnection } from 'mysql2'
import { openConnection, runOn, SessionError, verifySession } from './connection.js'
import type { DatabaseConfig } from './connection.js'
import type { Freshness } from './freshness.js'
import { readFreshness } from './read-freshness.js'
import type { ServerKind } from './server-kind.js'
import type { RunQuery } from './statement.js'

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

/** The servers to which an address leads: several behind a proxy, or a name with several addresses. */
export interface AddressServers {
  /** A health check has read a server. */
  readonly noteCheck: (server: ServerKind, freshness: Freshness) => void
  /**
   * Compares a session at another server with that of the last health check.
   *
   * @throws StaleServerError where the other server does not prove that its data are as fresh.
   */
  readonly requireFresh: (runQuery: RunQuery, server: ServerKind) => Promise<void>
  /** Whether sessions were at several servers. */
  readonly areSeveral: () => boolean
}

/** The session is at a server that may lack what another server behind the same address has. */
export class StaleServerError extends SessionError {}

/** For how long the last health check is compared with; without a later one, the host counts as lagging. */
const comparedMs = 60_000
/** How long a server may take to apply what the other one had, in seconds. */
const applySeconds = 1

/** The servers of an address that no health check has read. */
export function createAddressServers({
  heartbeat,
  lagMaxSeconds,
}: Pick<DatabaseConfig, 'heartbeat' | 'lagMaxSeconds'>): AddressServers {
  let last: { readonly id: string; readonly gtids: string | undefined; readonly at: number } | undefined
  let areSeveral = false
  return {
    noteCheck: ({ id }, { gtids }) => {
      areSeveral ||= last !== undefined && last.id !== id
      last = { id, gtids, at: performance.now() }
    },
    requireFresh: async (runQuery, server) => {
      if (last === undefined || last.id === server.id) return
      areSeveral = true
      if (performance.now() - last.at > comparedMs) return
      const issue =
        last.gtids === undefined
          ? findIssue(await readFreshness(runQuery, { ...server, heartbeat }), lagMaxSeconds)
          : await findMissing(runQuery, last.gtids)
      if (issue === undefined) return
      const cause = new Error(`The address leads to several servers, and the one of this session ${issue}`)
      throw new StaleServerError('the server of the session is behind', { cause })
    },
    areSeveral: () => areSeveral,
  }
}

/** A member of a group that has what another one had is as fresh, whatever it says of itself. */
async function findMissing(runQuery: RunQuery, gtids: string): Promise<string | undefined> {
  const sql = `select wait_for_executed_gtid_set(?, ${applySeconds}) as missing`
  const [row] = await runQuery({ sql, values: [gtids] })
  return Number(row?.['missing']) === 0 ? undefined : 'lacks what another one has'
}

function findIssue({ issue, lagSeconds }: Freshness, lagMaxSeconds: number): string | undefined {
  if (issue !== undefined) return `cannot be read: ${issue}`
  return lagSeconds !== undefined && lagSeconds > lagMaxSeconds ? 'lags too much' : undefined
}

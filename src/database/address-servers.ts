import { SessionError } from './connection.js'
import type { DatabaseConfig } from './connection.js'
import type { Freshness } from './freshness.js'
import { readFreshness } from './read-freshness.js'
import type { ServerKind } from './server-kind.js'
import type { RunQuery } from './statement.js'

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

import { readServerClock } from '../values/instant.js'
import type { Look } from './host-lag.js'
import { createPool, endPool } from './connection.js'
import type { DatabaseConfig } from './connection.js'
import { readReplication, unknownReplication } from './replication.js'
import { createSessions } from './sessions.js'
import type { RunQuery } from './statement.js'

/** Looks at a host over a session of its own, so that it never waits behind what callers ask. */
export interface Probe {
  /** Asks the host for its clock and its lag. @throws when it does not answer. */
  readonly look: () => Promise<Look>
  /** Runs a statement over sessions of the probe's own. @throws as `Sessions` does */
  readonly run: RunQuery
  readonly close: () => Promise<void>
}

/**
 * How long a look is waited for. It is long after the host has been given up, since a server that counts broken
 * connections (`max_connect_errors`) would shut this machine out for one broken off each second.
 */
const lookLimitMs = 4000
/** What was refused is asked for again after this: more often would fill the logs of servers that keep refusals. */
const silenceMs = 600_000

/** The probe of one host; nothing connects yet. */
export function createProbe(config: DatabaseConfig, address: DatabaseConfig['hosts'][number]): Probe {
  const pool = createPool({ ...config, queryTimeoutMs: lookLimitMs }, address)
  const sessions = createSessions(pool, { queryTimeoutMs: lookLimitMs, maxAgeMs: config.connectionMaxAgeMs })
  let closed: Promise<void> | undefined
  let silentUntil = 0
  return {
    look: async () => {
      const now = performance.now()
      // A privilege that was granted meanwhile counts for new sessions alone.
      if (silentUntil !== 0 && now > silentUntil) await sessions.runTask(() => Promise.resolve())
      const [row] = await sessions.run(clockStatement)
      const at = readServerClock(row?.['now'])
      if (now < silentUntil) return { at, ...unknownReplication }
      const replication = await readReplication(sessions.run, row?.['version'])
      silentUntil = replication === unknownReplication ? now + silenceMs : 0
      return { at, ...replication }
    },
    run: sessions.run,
    close: () => (closed ??= endPool(pool)),
  }
}

const clockStatement = { sql: 'select utc_timestamp(6) as `now`, version() as version', values: [] }

import { setTimeout as delay } from 'node:timers/promises'
import { createClaimCount } from './claim-count.js'
import type { ClaimCount } from './claim-count.js'
import { createHostHealth } from './host-health.js'
import type { HostChange, HostHealth } from './host-health.js'
import { createPool, endPool } from './connection.js'
import type { DatabaseConfig } from './connection.js'
import { createProbe } from './probe-host.js'
import type { Probe } from './probe-host.js'
import { createSessions } from './sessions.js'
import type { Sessions } from './sessions.js'

/** One server of the database, and what it may be asked. */
export interface Host {
  /** `host:port`. */
  readonly name: string
  readonly sessions: Sessions
  /** What is under way there. */
  readonly claims: ClaimCount
  readonly health: HostHealth
  readonly probe: Probe
  readonly close: () => Promise<void>
}

/** How long a host is waited for at the end: to say goodbye, a session waits for what is under way, and that may hang. */
const farewellMs = 1000

/** A host; nothing connects yet. */
export function createHost(
  config: DatabaseConfig,
  address: DatabaseConfig['hosts'][number],
  onChange: (host: string, change: HostChange) => void,
): Host {
  const name = `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
  const pool = createPool(config, address)
  const probe = createProbe(config, address)
  return {
    name,
    sessions: createSessions(pool, { ...config, maxAgeMs: config.connectionMaxAgeMs }),
    claims: createClaimCount(config.poolSize),
    health: createHostHealth(config.lagMaxSeconds, (change) => {
      onChange(name, change)
    }),
    probe,
    close: async () => {
      const closed = Promise.all([endPool(pool), probe.close()])
      await Promise.race([closed, delay(farewellMs, undefined, { ref: false })])
    },
  }
}

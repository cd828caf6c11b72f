import { createHostHealth } from '../../src/database/health.js'
import type { HealthCheckResult, HostChange } from '../../src/database/health.js'
import { createLimit } from '../../src/database/hosts.js'
import type { Host } from '../../src/database/hosts.js'

/** A host without a server. */
export interface TestHost extends Host {
  /** The changes in its health that were reported. */
  readonly changes: HostChange[]
  /** A health check finds a replica with this lag, at this time of its clock; undefined for an unknown lag. */
  readonly findLag: (lagSeconds: number | undefined, atSeconds?: number) => void
  /** A health check finds a server that is no replica. */
  readonly findPrimary: () => void
  /** A health check has this result. */
  readonly note: (result: HealthCheckResult) => void
  /** A health check fails. */
  readonly failCheck: () => void
}

/** A host whose lag is limited to a minute. @param drop called when its connections are dropped. */
export function createTestHost(name: string, slots = 2, drop: () => void = () => undefined): TestHost {
  const changes: HostChange[] = []
  const health = createHostHealth(60)
  const none = (): never => {
    throw new Error('There is no server')
  }
  const note = (result: HealthCheckResult): void => {
    changes.push(...health.noteCheck(result, health.countErrors()))
  }
  let isFirst = true
  return {
    name,
    sessions: { run: none, runTask: none, renew: none, drop },
    active: createLimit(slots),
    health,
    findOldestOpen: () => undefined,
    healthCheck: { check: none, run: none, renewSessions: none, close: none },
    renewSessions: none,
    close: none,
    changes,
    findLag: (lagSeconds, atSeconds = 1_000_000) => {
      // A first low lag must be confirmed.
      const isReplica = lagSeconds !== undefined
      if (isFirst) note({ isReplica, lagSeconds, at: { seconds: atSeconds, micros: 5 } })
      isFirst = false
      note({ isReplica, lagSeconds, at: { seconds: atSeconds, micros: 5 } })
    },
    findPrimary: () => {
      isFirst = false
      note({ isReplica: false, lagSeconds: 0, at: { seconds: 1_000_000, micros: 5 } })
    },
    note,
    failCheck: () => {
      changes.push(...health.noteFailure(new Error('no answer')))
    },
  }
}

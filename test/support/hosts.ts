import { createClaimCount } from '../../src/database/claim-count.js'
import type { Host } from '../../src/database/host.js'
import { createHostHealth } from '../../src/database/host-health.js'
import type { HostChange } from '../../src/database/host-health.js'
import type { Look } from '../../src/database/host-lag.js'

/** A host without a server behind it. */
export interface TestHost extends Host {
  /** What operators were told of it. */
  readonly changes: HostChange[]
  /** Lets a look find a replica this far behind, at this time of its clock; undefined where it does not tell. */
  readonly see: (lagSeconds: number | undefined, atSeconds?: number) => void
  /** The same of a server that is no replica. */
  readonly seePrimary: () => void
  /** Lets a look fail. */
  readonly miss: () => void
}

/** A host that may lag for a minute. */
export function createTestHost(name: string, places = 2): TestHost {
  const changes: HostChange[] = []
  const health = createHostHealth(60, (change) => changes.push(change))
  const none = (): never => {
    throw new Error('There is no server')
  }
  const note = (look: Look): void => {
    health.noteLook(look, health.countDoubts())
  }
  return {
    name,
    sessions: { run: none, runTask: none, drop: none },
    claims: createClaimCount(places),
    health,
    probe: { look: none, run: none, close: none },
    close: none,
    changes,
    see: (lagSeconds, atSeconds = 1_000_000) => {
      note({ isReplica: true, lagSeconds, at: { seconds: atSeconds, micros: 5 } })
    },
    seePrimary: () => {
      note({ isReplica: false, lagSeconds: 0, at: { seconds: 1_000_000, micros: 5 } })
    },
    miss: () => {
      health.noteFailure(new Error('gone'))
    },
  }
}

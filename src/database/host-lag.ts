import type { Instant } from '../values/instant.js'
import type { Replication } from './replication.js'

/** What a look at a host found. */
export interface Look extends Replication {
  /** The host's clock, read before its lag was. */
  readonly at: Instant
}

/** What is known of how old the data of a host are. */
export interface HostLag {
  /** Undefined where it is not told, Infinity where replication has stopped. */
  readonly lagSeconds: () => number | undefined
  /** Whether anybody has looked. */
  readonly isKnown: () => boolean
  readonly isReplica: () => boolean
  /** Whether it is further behind than it may be; one that does not tell is not. */
  readonly isLagging: () => boolean
  /** For choosing the freshest: a server that is no replica is fresher than any that is. */
  readonly staleness: () => number
  /** In seconds since 1970, by the host's clock: what was committed before is there, as far as was ever told. */
  readonly completeUntil: () => number
  /** Where the host lags, the instant before which nothing is missing; undefined where it does not. */
  readonly findDataTime: () => Instant | undefined
  readonly note: (look: Look) => void
}

/** Of a replica that had stopped before anybody looked; a day later than 1970, since the overlap is taken off it. */
const longAgo: Instant = { seconds: 86_400, micros: 0 }

/** A host counts as fresh until it tells otherwise. */
export function createHostLag(lagMaxSeconds: number): HostLag {
  let last: Look | undefined
  let completeUntil = longAgo
  const isLagging = (): boolean => (last?.lagSeconds ?? 0) > lagMaxSeconds
  return {
    lagSeconds: () => last?.lagSeconds,
    isKnown: () => last !== undefined,
    isReplica: () => last?.isReplica === true,
    isLagging,
    staleness: () => (last?.lagSeconds === 0 && !last.isReplica ? 0 : (last?.lagSeconds ?? 0) + 1),
    completeUntil: () => completeUntil.seconds,
    findDataTime: () => (isLagging() ? completeUntil : undefined),
    note: (look) => {
      last = look
      // The servers cut the lag to whole seconds. Of one that has stopped, what was told before still holds.
      if (look.lagSeconds !== undefined && Number.isFinite(look.lagSeconds))
        completeUntil = { ...look.at, seconds: look.at.seconds - look.lagSeconds - 1 }
    },
  }
}

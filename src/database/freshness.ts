import type { Instant } from '../values/instant.js'

/** What a server proves of its data. */
export interface Freshness {
  /** Whether its data come from other servers, so that they can be old. */
  readonly isReplica: boolean
  /** Infinity where replication has stopped; undefined where nothing is proved. */
  readonly lagSeconds: number | undefined
  /** Why the server is not read while another one can be. */
  readonly issue?: string | undefined
  /**
   * For how long at most the commits of the cluster have been waiting; undefined where they do not wait. When they go
   * on, their times of change are from before the pause.
   */
  readonly pausedMaxSeconds?: number | undefined
  /** After a failure, the server can say for this long that it is fresh although it is not; the longest since then counts. */
  readonly settleSeconds?: number | undefined
  /** The transactions that a member of Group Replication has. */
  readonly gtids?: string | undefined
  /** Why nothing is proved, where it is not that the server hides its state. */
  readonly reason?: string | undefined
}

/** The freshness of a server that does not show its state. */
export const unknownFreshness: Freshness = { isReplica: false, lagSeconds: undefined }

/** Whether a server does not show its state. */
export function isUnknown({ lagSeconds, issue }: Freshness): boolean {
  return lagSeconds === undefined && issue === undefined
}

/** A column whose newest value is the time of the last heartbeat, in UTC. */
export interface Heartbeat {
  readonly table: string
  readonly column: string
  /** The column with the start of the oldest open transaction. */
  readonly oldestOpen?: string | undefined
}

/** The start of the oldest open transaction as the heartbeat of a host says, or why it is not known. */
export type OldestOpen =
  { readonly startedAt: Instant; readonly ageSeconds: number } | { readonly reason: string }

/** What a server proves, with the clock of the server at the beginning. */
export interface DatedFreshness extends Freshness {
  readonly at: Instant
  /** Whether the server rejects the statements that read its state, which a heartbeat can make up for. */
  readonly hidesState: boolean
  /** Undefined where the mapping file names no column for it. */
  readonly oldestOpen?: OldestOpen | undefined
}

/** Whether the lag of a host is below the limit for as long as its kind and its failures before ask for. */
interface Settling {
  readonly isSettled: () => boolean
  /** The longest time counts until the host has settled. */
  readonly require: (seconds: number | undefined) => void
  readonly noteLag: () => void
  /** A health check finds the lag below the limit. @param at by the clock of the host. */
  readonly noteBelow: (at: Instant) => void
}

/** A server can have failed just before the start of this process. */
export function createSettling(): Settling {
  let [belowSince, isSettled]: [number | undefined, boolean] = [undefined, true]
  let neededSeconds = 0
  return {
    isSettled: () => isSettled,
    require: (seconds = 0): void => {
      neededSeconds = Math.max(neededSeconds, seconds)
    },
    noteLag: (): void => {
      belowSince = undefined
    },
    noteBelow: ({ seconds }: Instant): void => {
      belowSince ??= seconds
      // The clock of a host can step back.
      isSettled = neededSeconds === 0 || seconds - belowSince >= neededSeconds
      if (isSettled) neededSeconds = 0
    },
  }
}

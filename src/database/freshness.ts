import type { Instant } from '../values/instant.js'

/** What a server proves of its data. */
export interface Freshness {
  /** Whether its data come from other servers, so that they can be old. */
  readonly isReplica: boolean
  /** Infinity where replication has stopped; undefined where nothing is proved. */
  readonly lagSeconds: number | undefined
  /** Why the server is not read while another one can be. */
  readonly issue?: string | undefined
}

/** The freshness of a server that does not show its state. */
export const unknownFreshness: Freshness = { isReplica: false, lagSeconds: undefined }

/** Whether a server does not show its state. */
export function isUnknown({ lagSeconds, issue }: Freshness): boolean {
  return lagSeconds === undefined && issue === undefined
}

/** What a server proves, with the clock of the server at the beginning. */
export interface DatedFreshness extends Freshness {
  readonly at: Instant
}

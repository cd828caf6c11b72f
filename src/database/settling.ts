import type { Instant } from '../values/instant.js'

/** Whether the lag of a host is below the limit for as long as its kind and its failures before ask for. */
export interface Settling {
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

import type { Clock } from '../clock.js'
import { Problem } from '../errors.js'
import { createMinuteCounts, toCountedAddress } from './minute-counts.js'

/** Limits failed authentications for each address, so that guessed keys do not load the database. */
export interface FailedAuthentications {
  /**
   * Reserves one failure for a key that is not known to be valid. Without reservations, all keys of a burst would pass
   * before the first of them is rejected.
   *
   * @throws Problem `rate_limited` when the address has reached its limit.
   */
  readonly reserve: (address: string) => Reservation
  readonly countAddresses: () => number
}

/** A failure that is reserved until the key is validated. */
export interface Reservation {
  /** The key is not accepted: the failure counts for a minute. */
  readonly reject: () => void
  /** The key is accepted, or could not be looked up: nothing counts. No effect after `reject`. */
  readonly release: () => void
}

interface FailedAuthenticationsInput {
  /** Failures for each address; 0 disables the limit. */
  readonly perMinute: number
  /** Any clock that never steps back, in milliseconds. */
  readonly clock: Clock
  /** Called once a minute for an address that continues after its limit. */
  readonly onLimit: (address: string) => void
}

/** How many addresses are counted. Beyond it, the address with the oldest request is dropped. */
export const addressesMax = 20_000

interface Count {
  failed: number
  reserved: number
  isReported: boolean
}

/** The counts of one process, limited in number and age. */
export function createFailedAuthentications(input: FailedAuthenticationsInput): FailedAuthentications {
  const { perMinute, clock, onLimit } = input
  if (perMinute === 0) return { reserve: () => uncounted, countAddresses: () => 0 }
  const create = (): Count => ({ failed: 0, reserved: 0, isReported: false })
  const counts = createMinuteCounts({ max: addressesMax, clock, create })

  const requireBelowLimit = (address: string, count: Count): void => {
    if (count.failed + count.reserved < perMinute) return
    if (count.failed < perMinute) throw createRateLimited(1)
    if (!count.isReported) onLimit(address)
    count.isReported = true
    throw createRateLimited(counts.countSecondsLeft(address))
  }

  return {
    reserve: (sent) => {
      const address = toCountedAddress(sent)
      const count = counts.find(address)
      requireBelowLimit(address, count)
      return createReservation(count)
    },
    countAddresses: counts.size,
  }
}

function createReservation(count: Count): Reservation {
  let isOpen = true
  count.reserved += 1
  const close = (failures: 0 | 1): void => {
    if (!isOpen) return
    isOpen = false
    count.reserved -= 1
    count.failed += failures
  }
  return {
    reject: () => {
      close(1)
    },
    release: () => {
      close(0)
    },
  }
}

const uncounted: Reservation = { reject: () => undefined, release: () => undefined }

function createRateLimited(seconds: number): Problem {
  return new Problem('rate_limited', 'Too many keys from this address were not accepted.', {
    headers: { 'retry-after': String(seconds) },
  })
}

/** The client's time limit is this much longer than the server's, which ends a statement more cleanly. */
const clientGraceMs = 1000

/** A running time limit of the client. */
interface Deadline {
  /** Stops the timer. @returns whether the deadline has not passed yet. */
  readonly end: () => boolean
}

/**
 * Starts the time limit of a statement. The driver's own one begins after a statement was prepared, and a lock can delay that without
 * end.
 */
export function startDeadline(queryTimeoutMs: number, onPassed: (error: Error) => void): Deadline {
  let isPassed = false
  const timer = setTimeout(() => {
    isPassed = true
    const error = new Error('The database did not answer in time')
    onPassed(Object.assign(error, { code: 'PROTOCOL_DEADLINE' }))
  }, queryTimeoutMs + clientGraceMs)
  return {
    end: () => {
      clearTimeout(timer)
      return !isPassed
    },
  }
}

import type { QueryContext } from './statement.js'

/** What is handed out: places, each to those alone whose claim it suits. */
export interface Places<Place, Wanted extends QueryContext> {
  /** Takes a free place that suits; undefined where there is none. */
  readonly take: (claim: Wanted) => Place | undefined
  readonly giveBack: (place: Place, claim: Wanted) => void
  readonly hasRoom: (claim: Wanted) => boolean
  /** Whether there is no place for any claim. */
  readonly isFull: () => boolean
  /** How many places the claim's workspace holds. */
  readonly countHeld: (claim: Wanted) => number
}

import { createHostLag } from './host-lag.js'
import type { HostLag, Look } from './host-lag.js'

/** Something about a host that operators should know. */
export type HostChange =
  | { readonly is: 'down'; readonly cause: unknown }
  | { readonly is: 'back' }
  | { readonly is: 'lagging' | 'caught up'; readonly lagSeconds: number }
  | { readonly is: 'not telling its lag' }

/**
 * How well a host may be asked, best first: it answers and is fresh; the same, but it just failed or came back, and
 * is to be looked at; it answers and lags; it does not answer.
 */
export const ranks = { well: 0, doubted: 1, lagging: 2, down: 3 } as const

/** What is known of a host. */
export interface HostHealth {
  readonly lag: HostLag
  readonly rank: () => number
  /** Whether it answers, as far as looks have told. */
  readonly isUp: () => boolean
  /** Whether nothing has spoken against the last look. */
  readonly isSettled: () => boolean
  /** A statement failed, or another host was faster by far: it is asked less until the next look. */
  readonly doubt: () => void
  /** A statement was answered. */
  readonly noteAnswer: () => void
  /** How often it was doubted, to be given back with the look that begins now. */
  readonly countDoubts: () => number
  readonly noteLook: (look: Look, doubtsBefore: number) => void
  /** A look failed, or is overdue. */
  readonly noteFailure: (cause: unknown) => void
}

/** A host is taken to be well until something else is known. */
export function createHostHealth(lagMaxSeconds: number, onChange: (change: HostChange) => void): HostHealth {
  const lag = createHostLag(lagMaxSeconds)
  let condition: 'up' | 'doubted' | 'down' = 'up'
  let isOut = false
  let doubts = 0
  return {
    lag,
    rank: () => {
      if (condition === 'down') return ranks.down
      if (lag.isLagging()) return ranks.lagging
      return condition === 'doubted' ? ranks.doubted : ranks.well
    },
    isUp: () => !isOut,
    isSettled: () => condition === 'up',
    doubt: () => {
      doubts += 1
      if (condition === 'up') condition = 'doubted'
    },
    noteAnswer: () => {
      if (condition === 'down') condition = 'doubted'
    },
    countDoubts: () => doubts,
    noteLook: (look, doubtsBefore) => {
      for (const change of noteLag(lag, look)) onChange(change)
      // Two looks bring back what was down: a replica that has just thawed tells no lag until its primary is heard.
      if (condition === 'down') condition = 'doubted'
      else {
        if (doubts === doubtsBefore) condition = 'up'
        if (isOut) onChange({ is: 'back' })
        isOut = false
      }
    },
    noteFailure: (cause) => {
      condition = 'down'
      if (!isOut) onChange({ is: 'down', cause })
      isOut = true
    },
  }
}

/** Takes a look in, and tells what is new about the lag. */
function noteLag(lag: HostLag, look: Look): readonly HostChange[] {
  const [told, lagged] = [lag.lagSeconds(), lag.isLagging()]
  const isFirst = !lag.isKnown()
  lag.note(look)
  const { lagSeconds } = look
  if (lagSeconds === undefined) return isFirst || told !== undefined ? [{ is: 'not telling its lag' }] : []
  return lag.isLagging() === lagged ? [] : [{ is: lagged ? 'caught up' : 'lagging', lagSeconds }]
}

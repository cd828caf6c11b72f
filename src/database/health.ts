import type { Instant } from '../values/instant.js'
import { createSettling, isUnknown } from './freshness.js'
import type { DatedFreshness } from './freshness.js'
import { createOldestOpen } from './oldest-open.js'
import type { HostOldestOpen, OldestOpenChange } from './oldest-open.js'

/**
 * The health state of a host. A suspect host answers its health check, but a statement failed there, or it was down
 * until now; the next health check decides. An unknown host does not show whether its data are fresh. A member that is
 * out of its cluster is down, although it answers.
 */
export type HealthState = 'healthy' | 'suspect' | 'lagging' | 'unknown' | 'down'

/** The order in which hosts are preferred, best first. */
const preference: readonly HealthState[] = ['healthy', 'suspect', 'lagging', 'unknown', 'down']

/** The best of some health states; undefined where there is none. */
export function findBestState(states: readonly HealthState[]): HealthState | undefined {
  return preference.find((state) => states.includes(state))
}

/** Compares health states, the better one first. */
export function compareStates(one: HealthState, other: HealthState): number {
  return preference.indexOf(one) - preference.indexOf(other)
}

/** A change in the health of a host that operators should see. */
export type HostChange =
  | { readonly is: 'down'; readonly cause: unknown }
  | { readonly is: 'back' }
  | { readonly is: 'lagging' | 'caught up'; readonly lagSeconds: number }
  | { readonly is: 'lag unknown'; readonly reason: string | undefined }
  | { readonly is: 'several servers' }
  | OldestOpenChange

/** The result of a health check. */
export interface HealthCheckResult extends Omit<DatedFreshness, 'hidesState'> {
  /** Whether the address leads to several servers. */
  readonly areSeveral?: boolean
}

/** The health of one host. */
export interface HostHealth {
  readonly lag: HostLag
  readonly oldestOpen: Pick<HostOldestOpen, 'find' | 'isKnown'>
  readonly state: () => HealthState
  /** Whether the host answers its health checks, and takes part in its cluster. */
  readonly isUp: () => boolean
  /** Whether nothing contradicts the last health check; otherwise the next one is due sooner. */
  readonly isConfirmed: () => boolean
  /** A statement failed at the host. */
  readonly noteError: () => void
  /** A statement was answered by the host. */
  readonly noteAnswer: () => void
  /** Whether the host answers anything, its health checks or statements, within the time limit of statements. */
  readonly isAnswering: () => boolean
  /** When it last answered anything, by `performance.now()`. */
  readonly answeredAt: () => number
  /** Nothing is answered in time. */
  readonly noteSilence: () => void
  /** The number of errors until now, for the health check that begins now. */
  readonly countErrors: () => number
  /** @param errorsBefore the number of errors when the health check began. */
  readonly noteCheck: (result: HealthCheckResult, errorsBefore: number) => readonly HostChange[]
  /** A health check failed, or took too long. */
  readonly noteFailure: (cause: unknown) => readonly HostChange[]
}

/** What a host is without its lag. One that is recovering was down, and has answered something since. */
type Condition = 'up' | 'suspect' | 'down' | 'recovering'

/** A statement failed or was answered; a health check passed, passed beside a statement that failed, or failed. */
type HostEvent = 'error' | 'answer' | 'passed' | 'disputed' | 'failed'

/** What a host becomes by each event. */
const transitions: Readonly<Record<HostEvent, Readonly<Record<Condition, Condition>>>> = {
  error: { up: 'suspect', suspect: 'suspect', down: 'down', recovering: 'recovering' },
  answer: { up: 'up', suspect: 'suspect', down: 'recovering', recovering: 'recovering' },
  passed: { up: 'up', suspect: 'up', down: 'recovering', recovering: 'up' },
  disputed: { up: 'up', suspect: 'suspect', down: 'recovering', recovering: 'suspect' },
  failed: { up: 'down', suspect: 'down', down: 'down', recovering: 'down' },
}

/** The health of a host before its first health check: healthy. */
export function createHostHealth(lagMaxSeconds: number): HostHealth {
  const [lag, oldestOpen] = [createHostLag(lagMaxSeconds), createOldestOpen(lagMaxSeconds)]
  const [answers, listSeveral] = [createAnswers(), createSeveral()]
  let condition: Condition = 'up'
  let errors = 0
  const isUp = (): boolean => condition === 'up' || condition === 'suspect'
  const change = (event: HostEvent, cause?: unknown): readonly HostChange[] => {
    const wasUp = isUp()
    condition = transitions[event][condition]
    if (isUp() === wasUp) return []
    return [wasUp ? { is: 'down', cause } : { is: 'back' }]
  }
  return {
    lag,
    oldestOpen,
    ...answers,
    state: () => {
      if (condition === 'down' || lag.hasIssue()) return 'down'
      if (lag.isUnknown()) return 'unknown'
      return lag.isLagging() ? 'lagging' : condition === 'up' ? 'healthy' : 'suspect'
    },
    isUp,
    isConfirmed: () => condition === 'up' && !lag.isUnconfirmed(),
    noteError: () => {
      errors += 1
      change('error')
    },
    noteAnswer: () => {
      answers.noteAnswered()
      change('answer')
    },
    countErrors: () => errors,
    noteCheck: (result, errorsBefore) => {
      answers.noteAnswered()
      const changes = [...listSeveral(result), ...oldestOpen.note(result.oldestOpen), ...lag.note(result)]
      if (result.issue !== undefined) return change('failed', new Error(result.issue))
      return [...changes, ...change(errors === errorsBefore ? 'passed' : 'disputed')]
    },
    noteFailure: (cause) => {
      lag.noteFailure()
      return change('failed', cause)
    },
  }
}

/** Reports once that an address leads to several servers. */
function createSeveral(): (result: HealthCheckResult) => readonly HostChange[] {
  let isReported = false
  return ({ areSeveral = false }) => {
    if (isReported || !areSeveral) return []
    isReported = true
    return [{ is: 'several servers' }]
  }
}

/** When a host answered last, and whether it still answers. */
function createAnswers() {
  let [isAnswering, answeredAt] = [true, 0]
  return {
    isAnswering: () => isAnswering,
    answeredAt: () => answeredAt,
    noteAnswered: (): void => {
      isAnswering = true
      answeredAt = performance.now()
    },
    noteSilence: (): void => {
      isAnswering = false
    },
  }
}

/** The replica lag of a host. */
export interface HostLag {
  /** Undefined where it cannot be read, Infinity where replication has stopped. */
  readonly lagSeconds: () => number | undefined
  /** Whether the lag is above the limit, or not confirmed to be below it; an unknown lag is not above it. */
  readonly isLagging: () => boolean
  /** Whether the host does not show its lag. */
  readonly isUnknown: () => boolean
  /** Whether it is unknown because of its heartbeat. */
  readonly lacksHeartbeat: () => boolean
  /** Whether the host is out of its cluster. */
  readonly hasIssue: () => boolean
  /** Whether the lag is below the limit, but must be confirmed. */
  readonly isUnconfirmed: () => boolean
  /** For the choice of the freshest host: a server that is no replica is fresher than any replica. */
  readonly staleness: () => number
  /** In seconds since 1970, by the clock of the host: every commit before this instant is in its data. */
  readonly completeUntil: () => number
  /** The same instant for a host that lags; undefined for any other. */
  readonly findDataTime: () => Instant | undefined
  readonly note: (result: HealthCheckResult) => readonly HostChange[]
  /** The host did not answer: the lag of a replica must be confirmed again. */
  readonly noteFailure: () => void
}

/**
 * The number of health checks in a row that must find the lag below the limit before it counts as below the limit. A
 * replica whose replication starts again, or that was frozen, reports no lag until it hears from its source.
 */
const confirmations = 2

/** For a replica that has proved nothing since the start. A day after 1970, since the overlap is subtracted. */
const longAgo: Instant = { seconds: 86_400, micros: 0 }

/** The lag of a host before its first health check: none. */
function createHostLag(lagMaxSeconds: number): HostLag {
  let last: HealthCheckResult | undefined
  let completeUntil = longAgo
  let confirmed = confirmations
  let isReported = false
  const settling = createSettling()
  const isLagging = (): boolean => confirmed < confirmations || !settling.isSettled()
  const listChanges = (lagSeconds: number): readonly HostChange[] => {
    // A lag that is not confirmed after a failure is no change for operators.
    const isChange = isLagging() ? lagSeconds > lagMaxSeconds && !isReported : isReported
    if (!isChange) return []
    isReported = !isReported
    return [{ is: isReported ? 'lagging' : 'caught up', lagSeconds }]
  }
  const noteLag = (): void => {
    confirmed = 0
    settling.noteLag()
  }
  const confirm = ({ isReplica, at }: HealthCheckResult): void => {
    // A server that has just started reports no lag either.
    const counted = last === undefined ? 1 : confirmed + 1
    confirmed = isReplica ? counted : confirmations
    settling.noteBelow(at)
  }
  return {
    lagSeconds: () => last?.lagSeconds,
    isLagging,
    isUnknown: () => last !== undefined && isUnknown(last),
    lacksHeartbeat: () => last?.reason !== undefined,
    hasIssue: () => last?.issue !== undefined,
    isUnconfirmed: () => confirmed > 0 && isLagging(),
    staleness: () => (last?.lagSeconds === 0 && !last.isReplica ? 0 : (last?.lagSeconds ?? 0) + 1),
    completeUntil: () => completeUntil.seconds,
    findDataTime: () => (isLagging() ? completeUntil : undefined),
    note: (result) => {
      // A heartbeat that is not known proves nothing new; a server that hides its state can be one without peers.
      const { at, lagSeconds = result.isReplica ? Infinity : 0 } = result
      const wasKnown = last === undefined || !isUnknown(last)
      const isBelow = lagSeconds <= lagMaxSeconds
      settling.require(result.settleSeconds)
      if (isBelow) confirm(result)
      else noteLag()
      last = result
      if (isUnknown(result)) return wasKnown ? [{ is: 'lag unknown', reason: result.reason }] : []
      // The servers round the lag down to seconds. After replication has stopped, the last instant still holds.
      const isKnown = isBelow ? !isLagging() : Number.isFinite(lagSeconds)
      if (isKnown) completeUntil = { ...at, seconds: at.seconds - lagSeconds - 1 }
      // A member that is out of its cluster is reported as down.
      return result.issue === undefined ? listChanges(lagSeconds) : []
    },
    noteFailure: () => {
      if (last?.isReplica === true) noteLag()
    },
  }
}

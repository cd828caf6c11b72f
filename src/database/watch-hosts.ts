import { setTimeout as delay } from 'node:timers/promises'
import { isTooManyConnections } from './errors.js'
import type { Host } from './host.js'

/** Looks at every host again and again. */
export interface HostWatch {
  /** Resolves when each host was looked at once, or is overdue. */
  readonly start: () => Promise<void>
  readonly isOn: () => boolean
  readonly stop: () => void
}

/** What is due is looked for this often, in milliseconds: one timer, however many statements are under way. */
const roundMs = 50
/** Between the looks at a host that is well. */
const restMs = 1000
/** Between the looks at one that is not. */
const recheckMs = 200
/** A look that takes longer tells that the host does not answer; it may still bring it back. */
const overdueMs = 1000

/** A host and the look at it. */
interface Watched {
  readonly host: Host
  /** When the look that is under way began. */
  begunAt: number | undefined
  endedAt: number
}

/** A watch that was not started; nothing of it keeps the process alive. @param onRound called after each round. */
export function createHostWatch(hosts: readonly Host[], onRound: () => void): HostWatch {
  const all = hosts.map((host): Watched => ({ host, begunAt: undefined, endedAt: 0 }))
  let lastAt = 0
  let timer: NodeJS.Timeout | undefined
  const round = (): void => {
    const now = performance.now()
    // A round that comes late tells of this process, not of the hosts, whose answers may be waiting to be read.
    const isOnTime = now - lastAt < roundMs * 3
    lastAt = now
    for (const watched of all) judge(watched, now, isOnTime)
    onRound()
  }
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    start: async () => {
      const looks = Promise.all(all.map(look))
      timer = setInterval(round, roundMs)
      timer.unref()
      await Promise.race([looks, delay(overdueMs * 1.5, undefined, { ref: false })])
    },
    isOn: () => timer !== undefined,
    stop,
  }
}

function judge(watched: Watched, now: number, isOnTime: boolean): void {
  const { host, begunAt, endedAt } = watched
  if (begunAt === undefined) {
    if (now - endedAt >= (host.health.isSettled() ? restMs : recheckMs)) void look(watched)
  } else if (isOnTime && now - begunAt > overdueMs) {
    host.health.noteFailure(new Error(`It did not answer within ${overdueMs} ms`))
  }
}

/** Never throws: what it finds is for the host's health. */
async function look(watched: Watched): Promise<void> {
  const { probe, health } = watched.host
  watched.begunAt = performance.now()
  const doubts = health.countDoubts()
  try {
    health.noteLook(await probe.look(), doubts)
  } catch (error) {
    // One that has no connection left for the look may well answer over those that it gave.
    if (!isTooManyConnections(error)) health.noteFailure(error)
  }
  watched.begunAt = undefined
  watched.endedAt = performance.now()
}

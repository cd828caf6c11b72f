import type { ContenderName } from './contenders.js'
import type { Measured, Trial } from './rounds.js'
import { median } from './slice.js'

/** All rounds of one contender in one trial. */
export interface Summary {
  /** Medians over the rounds. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** For each request, over all rounds, because the clocks behind them tick coarsely. */
  readonly cpuMs: number | undefined
  readonly databaseMs: number | undefined
  /** The most that was in use at the end of any slice. */
  readonly rssMb: number | undefined
}

/** What a contender did in a trial; undefined where it took no part. */
export function summarize({ seen }: Trial, name: ContenderName): Summary | undefined {
  const slices = seen.get(name)
  if (slices === undefined || slices.length === 0) return undefined
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0)
  const perRequest = (read: (slice: Measured) => number | undefined): number | undefined => {
    const costs = slices.flatMap((slice) => read(slice) ?? [])
    return costs.length < slices.length ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / requests
  }
  const memories = slices.flatMap((slice) => slice.rssMb ?? [])
  return {
    perSecond: median(slices.map(toRate)),
    p50Ms: median(slices.map((slice) => slice.p50Ms)),
    p99Ms: median(slices.map((slice) => slice.p99Ms)),
    cpuMs: perRequest((slice) => slice.cpuMs),
    databaseMs: perRequest((slice) => slice.databaseMs),
    rssMb: memories.length === 0 ? undefined : Math.max(...memories),
  }
}

/** How much of another contender's requests a second Vitrine reaches: the median of the rounds' own ratios. */
export function compare({ seen }: Trial, other: ContenderName): number | undefined {
  const [own, theirs] = [seen.get('vitrine') ?? [], seen.get(other) ?? []]
  if (theirs.length === 0 || theirs.length !== own.length) return undefined
  return median(own.map((slice, round) => toRate(slice) / toRate(theirs[round]!)))
}

function toRate({ requests, seconds }: Measured): number {
  return requests / seconds
}

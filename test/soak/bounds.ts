import { toMedian } from './gauges.js'
import type { Sample } from './gauges.js'
import type { Score } from './load.js'

/** Something that must hold, and whether it did. */
export interface Bound {
  readonly name: string
  readonly kept: boolean
  readonly found: string
}

/** How much more at the end than early on is noise: a leak goes on, and is more than that in ten minutes. */
const growthMax = 1.1
/** In less time there is no saying whether it still grows. */
const trendMinutesMin = 5

/** Evaluates a soak by its samples, which were taken at even intervals, and its scores. */
export function evaluateSoak(
  samples: readonly Sample[],
  scores: readonly Score[],
  minutes: number,
): readonly Bound[] {
  const rss = samples.map(({ rssMb }) => rssMb)
  const fifth = Math.floor(rss.length / 5)
  const [early, late] = [toMedian(rss.slice(fifth, 2 * fifth)), toMedian(rss.slice(-fifth))]
  const wrong = scores.reduce((sum, score) => sum + score.wrong, 0)
  const idle = scores.filter(({ answers }) => answers === 0).map(({ name }) => name)
  return [
    { name: 'every answer right', kept: wrong === 0, found: `${wrong} wrong` },
    {
      name: 'everybody answered',
      kept: idle.length === 0,
      found: idle.length === 0 ? 'all' : `not ${idle.join()}`,
    },
    ...(minutes < trendMinutesMin
      ? []
      : [
          {
            name: 'RSS grows no more',
            kept: late <= early * growthMax,
            found: `${early.toFixed(0)} MB in the second fifth, ${late.toFixed(0)} MB in the last`,
          },
        ]),
  ]
}

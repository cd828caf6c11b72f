import { request } from 'undici'

/** What the service says of itself at one moment. */
export interface Sample {
  readonly atMs: number
  readonly rssMb: number
  /** Of the event loop since the last sample, in milliseconds. */
  readonly delayMeanMs: number
  readonly delayP99Ms: number
}

/** Asks `/metrics`. */
export async function takeSample(ops: string, atMs: number): Promise<Sample> {
  // A connection of its own: one that was kept alive may be closed just when it is used again.
  const text = await (await request(`${ops}/metrics`, { reset: true })).body.text()
  const read = (name: string): number => Number(new RegExp(`^vitrine_${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    atMs,
    rssMb: read('process_resident_memory_bytes') / 1024 / 1024,
    delayMeanMs: read('nodejs_eventloop_lag_mean_seconds') * 1000,
    delayP99Ms: read('nodejs_eventloop_lag_p99_seconds') * 1000,
  }
}

/** The samples of a time as one line. */
export function describeSamples(samples: readonly Sample[]): string {
  const rss = samples.map(({ rssMb }) => rssMb)
  const [mean, p99] = [
    samples.reduce((sum, { delayMeanMs }) => sum + delayMeanMs, 0) / samples.length,
    Math.max(...samples.map(({ delayP99Ms }) => delayP99Ms)),
  ]
  const memory = `RSS ${toMedian(rss).toFixed(0)} MB, at most ${Math.max(...rss).toFixed(0)}`
  return `${memory}; event loop ${mean.toFixed(1)} ms, p99 at most ${p99.toFixed(0)}`
}

/** The middle one. */
export function toMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { startLoad } from '../faults/load.js'
import type { Outcome } from '../faults/load.js'
import { startThrowaway } from '../product/index.js'
import type { Throwaway } from '../product/index.js'
import { createRandom } from '../product/random.js'
import { startServing, toServingEnv } from '../support/serving.js'
import { createSoakCallers } from './callers.js'
import { startNuisances } from './nuisances.js'

/*
 * `npm run soak`: everything that callers do, good and bad, at once and for SOAK_MINUTES (10), against the service as
 * it ships. Ends with 1 where an answer was wrong, or memory beyond its bounds.
 */

const minutes = Number(process.env['SOAK_MINUTES'] ?? 10)
const sampleEveryMs = 1000
const linesEvery = 30
/** How much more at the end than early on is noise: a leak goes on, and is more than that in ten minutes. */
const growthMax = 1.1
/** In less time there is no saying whether it still grows. */
const trendMinutesMin = 5

/** What the service says of itself at one moment. */
interface Sample {
  readonly rssMb: number
  /** Of the event loop since the last sample, in milliseconds. */
  readonly delayP99Ms: number
}

/** @returns what was wrong. */
async function soak(throwaway: Throwaway): Promise<readonly string[]> {
  const database = await throwaway.createProduct('plain', { registrations: 20_000 })
  const env = { ...toServingEnv(database), LOG_LEVEL: 'info' }
  const service = await startServing(throwaway, { env, keptMax: 4096 })
  say(`${minutes} minutes on ${throwaway.origin}`)
  const random = createRandom(1)
  const nuisances = startNuisances(Number(new URL(service.api).port), random)
  const load = startLoad(
    createSoakCallers(database, random).map((caller) => ({
      caller,
      origin: service.api,
      needsDatabase: false,
    })),
    0,
  )
  const samples = await watch(service.ops, load.outcomes)
  await load.stop()
  const wrong = await nuisances.stop()
  service.child.kill('SIGTERM')
  const ended = await service.ended
  return [
    ...wrong,
    ...listWrong(load.outcomes),
    ...(ended === 0 ? [] : [`the service ended with ${String(ended)}`]),
    ...load.seats
      .filter((seat) => !load.outcomes.some((outcome) => outcome.seat === seat))
      .map(({ caller }) => `${caller.name} was never answered`),
    ...findGrowth(samples),
  ]
}

/** Takes a sample each second, and prints a line each half minute. */
async function watch(ops: string, outcomes: readonly Outcome[]): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  const end = performance.now() + minutes * 60_000
  while (performance.now() < end) {
    await delay(sampleEveryMs)
    samples.push(await takeSample(ops))
    if (samples.length % linesEvery !== 1) continue
    const recent = samples.slice(-linesEvery)
    const p99 = Math.max(...recent.map(({ delayP99Ms }) => delayP99Ms))
    const answers = `${outcomes.length} answers, ${listWrong(outcomes).length} wrong`
    say(`RSS ${toMedian(recent).toFixed(0)} MB, event loop p99 at most ${p99.toFixed(0)} ms; ${answers}`)
  }
  return samples
}

async function takeSample(ops: string): Promise<Sample> {
  const text = await (await fetch(`${ops}/metrics`)).text()
  const read = (name: string): number => Number(new RegExp(`^vitrine_${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    rssMb: read('process_resident_memory_bytes') / 1024 / 1024,
    delayP99Ms: read('nodejs_eventloop_lag_p99_seconds') * 1000,
  }
}

function listWrong(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.filter(({ as }) => as !== 'right').map(({ detail }) => detail)
}

function findGrowth(samples: readonly Sample[]): readonly string[] {
  const fifth = Math.floor(samples.length / 5)
  const [early, late] = [toMedian(samples.slice(fifth, 2 * fifth)), toMedian(samples.slice(-fifth))]
  const text = `RSS ${early.toFixed(0)} MB in the second fifth, ${late.toFixed(0)} MB in the last`
  say(text)
  return minutes >= trendMinutesMin && late > early * growthMax ? [text] : []
}

function toMedian(samples: readonly Sample[]): number {
  return samples.map(({ rssMb }) => rssMb).sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
}

function say(text: string): void {
  process.stdout.write(`soak: ${text}\n`)
}

async function run(): Promise<void> {
  const throwaway = await startThrowaway()
  try {
    const wrong = await soak(throwaway)
    for (const one of wrong.slice(0, 20)) say(`wrong: ${one}`)
    say(wrong.length === 0 ? 'nothing was wrong' : `${wrong.length} were wrong`)
    if (wrong.length > 0) process.exitCode = 1
  } finally {
    await throwaway.stop()
  }
}

run().catch((error: unknown) => {
  say(inspect(error))
  process.exitCode = 1
})

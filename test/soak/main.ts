import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { startVitrine } from '../bench/vitrine-process.js'
import type { VitrineProcess } from '../bench/vitrine-process.js'
import { startThrowaway } from '../product/index.js'
import type { Throwaway } from '../product/index.js'
import { createRandom } from '../product/random.js'
import { evaluateSoak } from './bounds.js'
import { createAskers } from './callers.js'
import { describeSamples, takeSample } from './gauges.js'
import type { Sample } from './gauges.js'
import { startSoakLoad } from './load.js'
import type { SoakLoad } from './load.js'
import { createNuisances } from './nuisances.js'

/*
 * `npm run soak`: everything that callers do, good and bad, at once and for SOAK_MINUTES (10), against the service as
 * it ships. Ends with 1 where an answer was wrong, or memory beyond its bounds.
 */

const minutes = Number(process.env['SOAK_MINUTES'] ?? 10)
const sampleEveryMs = 1000
const lineEveryMs = 30_000

async function soak(throwaway: Throwaway): Promise<boolean> {
  const database = await throwaway.createProduct('plain', { registrations: 20_000 })
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-soak-'))
  throwaway.undo({ do: 'remove', path: folder })
  const service = await startVitrine(throwaway, database, join(folder, 'log.ndjson'))
  say(`${minutes} minutes on ${throwaway.origin}`)
  const first = await takeSample(service.ops, 0)
  say(`start: ${describeSamples([first])}`)
  const random = createRandom(1)
  const load = startSoakLoad(service.origin, createAskers(database, random), createNuisances(random))
  const samples = await watch(service, load)
  await load.stop()
  say(`end: ${describeSamples(samples.slice(-30))}`)
  await service.stop()
  return tell(load, samples)
}

/** Takes a sample each second, and says a line each half minute. */
async function watch(service: VitrineProcess, load: SoakLoad): Promise<readonly Sample[]> {
  const began = performance.now()
  const samples: Sample[] = []
  let lines = 1
  while (performance.now() - began < minutes * 60_000) {
    await delay(sampleEveryMs)
    const sample = await takeSample(service.ops, performance.now() - began)
    samples.push(sample)
    if (sample.atMs < lines * lineEveryMs) continue
    lines += 1
    const { answers, wrong } = sumUp(load)
    const recent = samples.filter(({ atMs }) => atMs > sample.atMs - lineEveryMs)
    say(`${Math.round(sample.atMs / 1000)} s: ${describeSamples(recent)}; ${answers} answers, ${wrong} wrong`)
  }
  return samples
}

function tell(load: SoakLoad, samples: readonly Sample[]): boolean {
  for (const fault of load.faults) say(`wrong: ${fault}`)
  for (const { name, answers, wrong } of load.scores) say(`${name}: ${answers} answers, ${wrong} wrong`)
  const bounds = evaluateSoak(samples, load.scores, minutes)
  for (const { name, kept, found } of bounds) say(`${kept ? 'kept' : 'FAILED'}: ${name}: ${found}`)
  const { answers, wrong } = sumUp(load)
  say(`all of it: ${answers} answers, ${wrong} wrong`)
  return bounds.every(({ kept }) => kept)
}

function sumUp({ scores }: SoakLoad): { readonly answers: number; readonly wrong: number } {
  return {
    answers: scores.reduce((sum, score) => sum + score.answers, 0),
    wrong: scores.reduce((sum, score) => sum + score.wrong, 0),
  }
}

function say(text: string): void {
  process.stdout.write(`soak: ${text}\n`)
}

async function run(): Promise<void> {
  const throwaway = await startThrowaway()
  try {
    if (!(await soak(throwaway))) process.exitCode = 1
  } finally {
    await throwaway.stop()
  }
}

run().catch((error: unknown) => {
  say(inspect(error))
  process.exitCode = 1
})

import { join } from 'node:path'
import type { Throwaway } from '../product/index.js'
import { askVitrine, checkAnswers } from './check-answers.js'
import { driveVitrine, startFloor, startYardstick } from './contenders.js'
import { openDatabaseTime } from './database-time.js'
import { fillProduct, workspaceSpread } from './fill.js'
import type { Generator } from './generator.js'
import { readMachine } from './machine.js'
import type { Machine } from './machine.js'
import { createProductLoads, createVitrineLoads } from './product-loads.js'
import { createTrial, playRounds } from './rounds.js'
import type { Trial } from './rounds.js'
import { measureStart } from './start-time.js'
import type { StartTime } from './start-time.js'
import { startVitrine } from './vitrine-process.js'

/** How much is measured. */
export interface ThroughputSize {
  readonly registrations: number
  readonly invoices: number
  readonly targets: number
  readonly unknownKeys: number
  readonly rounds: number
  readonly sliceMs: number
  readonly warmUpMs: number
  readonly starts: number
  /** Whether each load is also tried on a single connection. */
  readonly alone: boolean
}

/** What was measured, and where. */
export interface Throughput {
  readonly machine: Machine
  readonly generator: string
  readonly size: ThroughputSize
  readonly databaseTimeSource: string
  readonly start: StartTime
  readonly trials: readonly Trial[]
}

/** What every part of the benchmark works with. */
export interface Bench {
  readonly throwaway: Throwaway
  readonly generator: Generator
  /** For files of this run. */
  readonly folder: string
  readonly say: (text: string) => void
}

/** Vitrine beside the statement alone and beside a plain handler, all in one run. */
export async function measureThroughput(bench: Bench, size: ThroughputSize): Promise<Throughput> {
  const { throwaway, folder, say } = bench
  say(`making ${size.registrations} registrations and ${size.invoices} invoices`)
  const database = await throwaway.createProduct('plain', { registrations: 0 })
  await fillProduct(database.adminUrl, { ...size, ...workspaceSpread })
  const machine = await readMachine(database)
  const start = await measureStart(throwaway, database, { starts: size.starts, folder })
  const loads = await createProductLoads(database, {
    workspaces: workspaceSpread.workspaces,
    targets: size.targets,
  })
  const place = { ...bench, database }
  const vitrine = await startVitrine(throwaway, database, join(folder, 'vitrine.log'))
  const own = await createVitrineLoads(
    loads,
    async (target) => (await askVitrine(vitrine.origin, target)).headers.get('etag') ?? '',
    size,
  )
  const all = [...loads, ...own]
  const yardstick = await startYardstick(place, loads)
  const contenders = [await startFloor(place, loads), yardstick, driveVitrine(place, vitrine, all)]
  await checkAnswers(all, { vitrine: vitrine.origin, fastify: yardstick.origin })
  const databaseTime = await openDatabaseTime(database, machine.dialect)
  const trials = all.flatMap((load) =>
    [load.connections, ...(size.alone && load.rows > 0 ? [1] : [])].map((count) => createTrial(load, count)),
  )
  try {
    await playRounds({ ...size, trials, contenders, databaseTime, say })
  } finally {
    await databaseTime.stop()
    for (const contender of contenders) await contender.stop()
  }
  return {
    ...{ machine, size, start, trials },
    generator: bench.generator.name,
    databaseTimeSource: databaseTime.source,
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProductDatabase } from '../product/index.js'
import { askVitrine } from './check-answers.js'
import { driveVitrine } from './contenders.js'
import type { Contender } from './contenders.js'
import { fillProduct, workspaceSpread } from './fill.js'
import type { Load } from './loads.js'
import { readMachine } from './machine.js'
import type { Machine } from './machine.js'
import { readCpuMs, readRssMb } from './process-cost.js'
import { createProductLoads, createVitrineLoads } from './product-loads.js'
import type { Slice } from './slice.js'
import { ask } from './sources.js'
import type { Bench, ThroughputSize } from './throughput.js'
import { startVitrine } from './vitrine-process.js'

/** What is measured: the size of the product, and the pools that are compared. */
export interface CapacitySize extends Omit<ThroughputSize, 'starts' | 'alone'> {
  /** Values of `DATABASE_POOL_SIZE`. */
  readonly pools: readonly number[]
  /** Callers that wait for an answer and send the next request at once. */
  readonly callers: number
}

/** One slice, with the processor time of both processes in milliseconds; undefined where it cannot be read. */
export interface CapacitySlice extends Slice {
  readonly vitrineMs: number | undefined
  readonly databaseMs: number | undefined
  readonly rssMb: number | undefined
}

/** The slices of one kind of request at one pool size. */
export interface CapacityLine {
  readonly title: string
  readonly pool: number
  readonly slices: readonly CapacitySlice[]
}

/** What one process of Vitrine can do. */
export interface Capacity {
  readonly machine: Machine
  readonly generator: string
  readonly size: CapacitySize
  readonly lines: readonly CapacityLine[]
}

/** Kinds of requests, by the titles of the loads. */
const titles = [
  '25 registrations',
  '100 registrations',
  '25 registrations, `updatedSince`',
  '25 registrations, unchanged (304)',
  'one registration, of any workspace',
]

/** One process of Vitrine for each pool size, in turns, with the same callers. */
export async function measureCapacity(bench: Bench, size: CapacitySize): Promise<Capacity> {
  const { throwaway, generator, say } = bench
  say(`making ${size.registrations} registrations and ${size.invoices} invoices`)
  const database = await throwaway.createProduct('plain', { registrations: 0 })
  await fillProduct(database.adminUrl, { ...size, ...workspaceSpread })
  const loads = await createProductLoads(database, {
    workspaces: workspaceSpread.workspaces,
    targets: size.targets,
  })
  const { pools, all } = await startPools({ ...bench, database }, size, loads)
  const chosen = titles.map((title) => findLoad(all, title))
  const databasePid = await findDatabasePid(database)
  const lines = chosen.flatMap(({ title }) =>
    size.pools.map((pool) => ({ title, pool, slices: [] as CapacitySlice[] })),
  )
  try {
    // The round before the first one warms up.
    for (let round = -1; round < size.rounds; round += 1) {
      say(round === -1 ? 'warming up' : `round ${round + 1} of ${size.rounds}`)
      for (const line of lines) {
        const input = { contender: pools.get(line.pool)!, load: findLoad(chosen, line.title), databasePid }
        const slice = await measureSlice(input, size.callers, round === -1 ? size.warmUpMs : size.sliceMs)
        if (round >= 0) line.slices.push(slice)
      }
    }
  } finally {
    for (const contender of pools.values()) await contender.stop()
  }
  return { machine: await readMachine(database), generator: generator.name, size, lines }
}

async function startPools(
  place: Bench & { readonly database: ProductDatabase },
  size: CapacitySize,
  loads: readonly Load[],
): Promise<{ readonly pools: ReadonlyMap<number, Contender>; readonly all: readonly Load[] }> {
  const pools = new Map<number, Contender>()
  let all: readonly Load[] | undefined
  for (const pool of size.pools) {
    const log = join(place.folder, `pool-${pool}.log`)
    const vitrine = await startVitrine(place.throwaway, place.database, log, {
      env: { DATABASE_POOL_SIZE: String(pool) },
    })
    const readETag = async (target: Load['targets'][number]): Promise<string> =>
      (await askVitrine(vitrine.origin, target)).headers.get('etag') ?? ''
    all ??= [...loads, ...(await createVitrineLoads(loads, readETag, size))]
    pools.set(pool, driveVitrine(place, vitrine, all))
  }
  return { pools, all: all ?? loads }
}

function findLoad(loads: readonly Load[], title: string): Load {
  const load = loads.find((one) => one.title === title)
  if (load === undefined) throw new Error(`There is no load ${title}`)
  return load
}

/** The server's process, if it runs on this machine. */
async function findDatabasePid(database: ProductDatabase): Promise<number | undefined> {
  const [row] = await ask<{ file: string }>(database, 'SELECT @@pid_file AS file')
  try {
    return Number(readFileSync(row!.file, 'utf8'))
  } catch {
    return undefined
  }
}

interface SliceInput {
  readonly contender: Contender
  readonly load: Load
  readonly databasePid: number | undefined
}

/** @throws Error for a slice with a wrong answer. */
async function measureSlice(
  { contender, load, databasePid }: SliceInput,
  callers: number,
  ms: number,
): Promise<CapacitySlice> {
  const readTimes = (): readonly (number | undefined)[] => [
    readCpuMs(contender.pid),
    databasePid === undefined ? undefined : readCpuMs(databasePid),
  ]
  const before = readTimes()
  const slice = await contender.run(load, callers, ms)
  if (slice.failures > 0) throw new Error(`${slice.failures} wrong answers for ${load.title}`)
  const [vitrineMs, databaseMs] = readTimes().map((after, at) => {
    const start = before[at]
    return after === undefined || start === undefined ? undefined : after - start
  })
  return { ...slice, vitrineMs, databaseMs, rssMb: readRssMb(contender.pid) }
}

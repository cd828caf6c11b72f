import { join, resolve } from 'node:path'
import type { ProductDatabase } from '../product/index.js'
import { askVitrine } from './check-answers.js'
import { driveVitrine } from './contenders.js'
import type { Contender } from './contenders.js'
import { openDatabaseTime } from './database-time.js'
import type { DatabaseTime } from './database-time.js'
import { fillProduct, workspaceSpread } from './fill.js'
import type { Load, Target } from './loads.js'
import { readMachine } from './machine.js'
import { createLookupMappings } from './lookup-mapping.js'
import { createProductLoads, createVitrineLoads } from './product-loads.js'
import { median } from './slice.js'
import type { Slice } from './slice.js'
import { renderTable, toText } from './table.js'
import type { Bench, ThroughputSize } from './throughput.js'
import { startVitrine } from './vitrine-process.js'

/** One build of Vitrine, and its slices of each trial, by the trial's title. */
interface Build {
  readonly name: string
  readonly contender: Contender
  readonly slices: Map<string, readonly MeasuredSlice[]>
}

interface MeasuredSlice extends Slice {
  /** Time that the server spent; NaN where it keeps no account. */
  readonly databaseMs: number
}

interface Trial {
  readonly title: string
  readonly load: Load
  readonly connections: number
}

/** What is compared: checkouts with a `dist`, or this checkout without and with lookups or compression; and the lines that are wanted. */
interface Comparison {
  readonly folders: readonly string[]
  readonly lookups: boolean
  readonly compression: boolean
  /** Parts of titles; empty for every line. */
  readonly only: readonly string[]
}

/** One process that is compared. */
interface Candidate {
  readonly name: string
  readonly folder: string
  /** Instead of the mapping file of the product. */
  readonly mappingFile?: string
  /** `Accept-Encoding` of its callers. */
  readonly encoding?: string
}

/**
 * Several builds of Vitrine in front of the same database, in turns; the ratios of the table are to the first one.
 *
 * @returns the table as Markdown.
 */
export async function compareBuilds(
  bench: Bench,
  size: ThroughputSize,
  comparison: Comparison,
): Promise<string> {
  const { throwaway, say } = bench
  const database = await throwaway.createProduct('plain', { registrations: 0 })
  say(`making ${size.registrations} registrations and ${size.invoices} invoices`)
  await fillProduct(database.adminUrl, { ...size, ...workspaceSpread })
  const machine = await readMachine(database)
  const loads = await createProductLoads(database, {
    workspaces: workspaceSpread.workspaces,
    targets: size.targets,
  })
  const candidates = await listCandidates(comparison, database, bench.folder)
  const { builds, all } = await startBuilds({ ...bench, database }, size, { candidates, loads })
  const everyTrial = all.flatMap((load): readonly Trial[] =>
    [load.connections, ...(size.alone && load.rows > 0 ? [1] : [])].map((connections) => ({
      title: `${load.title}, ${connections} connections`,
      load,
      connections,
    })),
  )
  const isSelected = ({ title }: Trial): boolean =>
    comparison.only.length === 0 || comparison.only.some((part) => title.includes(part))
  const trials = everyTrial.filter(isSelected)
  if (trials.length === 0)
    throw new Error(
      `No line has ${comparison.only.join(' or ')}: ${everyTrial.map(({ title }) => title).join('; ')}`,
    )
  const databaseTime = await openDatabaseTime(database, machine.dialect)
  try {
    await playTrials({ builds, trials, size, databaseTime, say })
  } finally {
    await databaseTime.stop()
    for (const { contender } of builds) await contender.stop()
  }
  return render(machine.dialect, trials, builds)
}

async function listCandidates(
  { folders, lookups, compression }: Comparison,
  database: ProductDatabase,
  folder: string,
): Promise<readonly Candidate[]> {
  if (lookups) return listLookupCandidates(database, folder)
  if (!compression) return folders.map((one) => ({ name: one, folder: one }))
  return [
    { name: 'not compressed', folder: '.' },
    { name: 'gzip', folder: '.', encoding: 'gzip' },
    { name: 'brotli', folder: '.', encoding: 'br' },
  ]
}

async function listLookupCandidates(
  database: ProductDatabase,
  folder: string,
): Promise<readonly Candidate[]> {
  const { small, large } = await createLookupMappings(database, folder)
  return [
    { name: 'without lookups', folder: '.' },
    { name: 'of two small tables', folder: '.', mappingFile: small },
    { name: 'of a small and a large table', folder: '.', mappingFile: large },
  ]
}

async function startBuilds(
  place: Bench & { readonly database: ProductDatabase },
  size: ThroughputSize,
  { candidates, loads }: { readonly candidates: readonly Candidate[]; readonly loads: readonly Load[] },
): Promise<{ readonly builds: readonly Build[]; readonly all: readonly Load[] }> {
  const builds: Build[] = []
  let all = loads
  for (const [at, { name, folder, mappingFile, encoding }] of candidates.entries()) {
    const log = join(place.folder, `build-${at}.log`)
    const database = { ...place.database, ...(mappingFile !== undefined && { mappingFile }) }
    const vitrine = await startVitrine(place.throwaway, database, log, {
      checkout: resolve(folder),
      // The user may read the tables of both mappings, which is more than either of them needs.
      audit: candidates.length > 1 ? 'warn' : 'enforce',
    })
    if (at === 0) {
      const readETag = async (target: Target): Promise<string> =>
        (await askVitrine(vitrine.origin, target)).headers.get('etag') ?? ''
      all = [...loads, ...(await createVitrineLoads(loads, readETag, size))]
    }
    builds.push({ name, contender: driveVitrine(place, vitrine, all, encoding), slices: new Map() })
  }
  return { builds, all }
}

interface Play {
  readonly builds: readonly Build[]
  readonly trials: readonly Trial[]
  readonly size: ThroughputSize
  readonly databaseTime: DatabaseTime
  readonly say: (text: string) => void
}

/** Round after round, another build first each time; the round before the first one warms up. */
async function playTrials({ builds, trials, size, databaseTime, say }: Play): Promise<void> {
  for (let round = -1; round < size.rounds; round += 1) {
    say(round === -1 ? 'warming up' : `round ${round + 1} of ${size.rounds}`)
    const ms = round === -1 ? Math.max(size.warmUpMs, 200) : size.sliceMs
    for (const [at, trial] of trials.entries())
      for (let turn = 0; turn < builds.length; turn += 1) {
        const build = builds[(round + 1 + at + turn) % builds.length]!
        const measured = await playTrial(build, trial, ms, databaseTime)
        if (round >= 0) build.slices.set(trial.title, [...(build.slices.get(trial.title) ?? []), measured])
      }
  }
}

/** @throws Error for a slice with a wrong answer. */
async function playTrial(
  { name, contender }: Build,
  { title, load, connections }: Trial,
  ms: number,
  databaseTime: DatabaseTime,
): Promise<MeasuredSlice> {
  const before = await databaseTime.read()
  const slice = await contender.run(load, connections, ms)
  if (slice.failures > 0) throw new Error(`${name}: ${slice.failures} wrong answers for ${title}`)
  const after = await databaseTime.read()
  return { ...slice, databaseMs: (after ?? Number.NaN) - (before ?? Number.NaN) }
}

function render(dialect: string, trials: readonly Trial[], builds: readonly Build[]): string {
  const heads = ['', ...builds.flatMap(({ name }) => [name, 'ratio', 'p99 ms', 'database ms'])]
  const rows = trials.map(({ title }) => [
    title,
    ...builds.flatMap(({ slices }) => {
      const own = slices.get(title) ?? []
      const first = builds[0]?.slices.get(title) ?? []
      const ratios = own.map((slice, round) => toRate(slice) / toRate(first[round] ?? slice))
      const times = own.map(({ databaseMs, requests }) => databaseMs / requests)
      return [
        toText(median(own.map(toRate))),
        median(ratios).toFixed(2),
        toText(median(own.map(({ p99Ms }) => p99Ms))),
        median(times).toFixed(3),
      ]
    }),
  ])
  return `Builds in turns on ${dialect}, requests a second; medians of the rounds.\n\n${renderTable(heads, rows)}`
}

function toRate({ requests, seconds }: Slice): number {
  return requests / seconds
}

import { join, resolve } from 'node:path'
import { askVitrine } from './check-answers.js'
import { driveVitrine } from './contenders.js'
import type { Contender } from './contenders.js'
import { openDatabaseTime } from './database-time.js'
import { fillProduct } from './fill.js'
import type { Load } from './loads.js'
import { readMachine } from './machine.js'
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
  readonly slices: Map<string, (Slice & { readonly databaseMs: number | undefined })[]>
}

interface Trial {
  readonly title: string
  readonly load: Load
  readonly connections: number
}

const workspaces = 20
/** Two fifths of the rows belong to the first workspace; the others share the rest. */
const workspaceOf = `IF(n % 5 < 2, 0, 1 + (n DIV 5) % ${workspaces - 1})`

/**
 * Several builds of Vitrine in front of the same database, in turns. `folders` are checkouts with a `dist`; the ratios of
 * the table are to the first one.
 *
 * @returns the table as Markdown.
 */
export async function compareBuilds(
  bench: Bench,
  size: ThroughputSize,
  folders: readonly string[],
): Promise<string> {
  const { throwaway, folder, say } = bench
  const database = await throwaway.createProduct('plain', { registrations: 0 })
  say(`making ${size.registrations} registrations and ${size.invoices} invoices`)
  await fillProduct(database.adminUrl, { ...size, workspaces, workspaceOf })
  const machine = await readMachine(database)
  const loads = await createProductLoads(database, { workspaces, targets: size.targets })
  const builds: Build[] = []
  let all: readonly Load[] = loads
  for (const [at, path] of folders.entries()) {
    const log = join(folder, `build-${at}.log`)
    const vitrine = await startVitrine(throwaway, database, log, resolve(path))
    if (at === 0) {
      const ask = async (target: Parameters<typeof askVitrine>[1]): Promise<string> =>
        (await askVitrine(vitrine.origin, target)).headers.get('etag') ?? ''
      all = [...loads, ...(await createVitrineLoads(loads, ask, size))]
    }
    const contender = driveVitrine({ ...bench, database }, vitrine, all)
    builds.push({ name: path, contender, slices: new Map() })
  }
  const trials = all.flatMap((load): readonly Trial[] =>
    [load.connections, ...(size.alone && load.rows > 0 ? [1] : [])].map((connections) => ({
      title: `${load.title}, ${connections} connections`,
      load,
      connections,
    })),
  )
  const databaseTime = await openDatabaseTime(database, machine.dialect)
  try {
    for (let round = -1; round < size.rounds; round += 1) {
      say(round === -1 ? 'warming up' : `round ${round + 1} of ${size.rounds}`)
      for (const [at, { title, load, connections }] of trials.entries())
        for (let turn = 0; turn < builds.length; turn += 1) {
          const build = builds[(Math.max(round, 0) + at + turn) % builds.length]!
          const before = await databaseTime.read()
          const slice = await build.contender.run(
            load,
            connections,
            round === -1 ? Math.max(size.warmUpMs, 200) : size.sliceMs,
          )
          if (slice.failures > 0)
            throw new Error(`${build.name}: ${slice.failures} wrong answers for ${title}`)
          const after = await databaseTime.read()
          const databaseMs = before === undefined || after === undefined ? undefined : after - before
          if (round >= 0)
            build.slices.set(title, [...(build.slices.get(title) ?? []), { ...slice, databaseMs }])
        }
    }
  } finally {
    await databaseTime.stop()
    for (const { contender } of builds) await contender.stop()
  }
  return render(machine.dialect, trials, builds)
}

function render(dialect: string, trials: readonly Trial[], builds: readonly Build[]): string {
  const heads = ['', ...builds.flatMap(({ name }) => [name, 'ratio', 'p99 ms', 'database ms'])]
  const rows = trials.map(({ title }) => [
    title,
    ...builds.flatMap(({ slices }) => {
      const own = slices.get(title) ?? []
      const first = builds[0]?.slices.get(title) ?? []
      const ratios = own.map((slice, round) => toRate(slice) / toRate(first[round] ?? slice))
      const times = own.flatMap(({ databaseMs, requests }) => (databaseMs ?? Number.NaN) / requests)
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

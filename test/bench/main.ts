import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { startThrowaway } from '../product/index.js'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { listBuilds, startContenders } from './contenders.js'
import type { Contender } from './contenders.js'
import { fillProduct, workspacesMax } from './fill.js'
import { applyLoad, toLoad } from './load.js'
import type { Load } from './load.js'
import { readCpuMs, readRssMb } from './process-cost.js'
import { renderTable } from './report.js'
import type { Measured, Result } from './report.js'
import { createTargets, kinds } from './targets.js'
import type { Targets } from './targets.js'
import { startVitrine } from './vitrine-process.js'

/*
 * `npm run bench`: Vitrine beside a plain handler, over networks of several delays and with several numbers of
 * workspaces, in turns. docs/contributing.md explains the options.
 */

const { values: options } = parseArgs({
  options: {
    delays: { type: 'string', default: '0' },
    workspaces: { type: 'string', default: '1' },
    loads: {
      type: 'string',
      default: 'list:16,list:1,record:64,record:16,record:1,poll:16,missing:16,page:16',
    },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    rows: { type: 'string', default: '300000' },
    compare: { type: 'string', multiple: true, default: [] },
    env: { type: 'string', multiple: true, default: [] },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)

async function runBench(throwaway: Throwaway): Promise<void> {
  const loads = listLoads()
  const database = await throwaway.createProduct('plain', { registrations: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  throwaway.undo({ do: 'remove', path: folder })
  say(`making ${options.rows} registrations on ${throwaway.origin}`)
  await fillProduct(database.adminUrl, Number(options.rows))
  const workspaces = Math.max(...loads.map((load) => load.workspaces))
  const targets = await readTargets(throwaway, database, { folder, workspaces })
  const results: Result[] = []
  const builds = listBuilds(options.compare, options.env)
  for (const delayMs of options.delays.split(',').map(Number)) {
    const { contenders, stop } = await startContenders(throwaway, database, { builds, delayMs, folder })
    say(`delay of ${delayMs} ms`)
    results.push(...(await playRounds(contenders, loads, { targets, delayMs })))
    await stop()
  }
  process.stdout.write(renderTable(results))
}

function listLoads(): readonly Load[] {
  const lines = options.loads.split(',')
  const known = [...kinds, 'mixed']
  const unknown = lines.find((line) => !known.includes(line.split(':')[0]!))
  if (unknown !== undefined) throw new Error(`${unknown} is no load; loads are ${known.join(', ')}`)
  const workspaces = options.workspaces.split(',').map(Number)
  if (workspaces.some((count) => count > workspacesMax))
    throw new Error(`There are ${workspacesMax} workspaces at most`)
  return workspaces.flatMap((count) => lines.map((line) => toLoad(line, count)))
}

async function readTargets(
  throwaway: Throwaway,
  database: ProductDatabase,
  { folder, workspaces }: { readonly folder: string; readonly workspaces: number },
): Promise<Targets> {
  const vitrine = await startVitrine(throwaway, database, join(folder, 'targets.log'))
  try {
    return await createTargets(database.adminUrl, vitrine.origin, workspaces)
  } finally {
    await vitrine.stop()
  }
}

/** Another contender begins each time, so that whatever else the machine does affects all of them. */
async function playRounds(
  contenders: readonly Contender[],
  loads: readonly Load[],
  { targets, delayMs }: { readonly targets: Targets; readonly delayMs: number },
): Promise<readonly Result[]> {
  const results = loads.flatMap((load) =>
    contenders.map((contender) => ({ delayMs, load, contender, slices: [] as Measured[] })),
  )
  // The first round warms up.
  for (let round = -1; round < rounds; round += 1)
    for (let at = 0; at < results.length; at += contenders.length)
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const { load, contender, slices } = results[at + ((turn + round + 1) % contenders.length)]!
        const slice = await measure(contender, load, targets)
        if (round >= 0) slices.push(slice)
      }
  return results.map((result) => ({ ...result, contender: result.contender.name }))
}

async function measure(contender: Contender, load: Load, targets: Targets): Promise<Measured> {
  const before = readCpuMs(contender.pid)
  const slice = await applyLoad(contender.origin, contender.toPath, { load, targets, seconds })
  return { ...slice, cpuMs: readCpuMs(contender.pid) - before, rssMb: readRssMb(contender.pid) }
}

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}

async function run(): Promise<void> {
  const throwaway = await startThrowaway()
  try {
    await runBench(throwaway)
  } finally {
    await throwaway.stop()
  }
}

run().catch((error: unknown) => {
  say(inspect(error))
  process.exitCode = 1
})

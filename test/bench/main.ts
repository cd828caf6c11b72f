import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { startThrowaway } from '../product/index.js'
import { measureCapacity } from './capacity.js'
import type { CapacitySize } from './capacity.js'
import { renderCapacity } from './capacity-report.js'
import { compareBuilds } from './compare.js'
import { chooseGenerator } from './generator.js'
import { measureScale } from './scale.js'
import type { ScaleSize } from './scale.js'
import { renderScale, renderScaleChart } from './scale-report.js'
import { measureThroughput } from './throughput.js'
import type { Bench, ThroughputSize } from './throughput.js'
import { renderThroughputChart } from './throughput-chart.js'
import { renderThroughput } from './throughput-report.js'

/*
 * `npm run bench`: Vitrine beside the database and beside a plain handler. `-- --scale`: what a page costs as
 * tables grow. `-- --capacity`: what one process does with pools of several sizes. `-- --quick`: any of them with few rows and short turns, which proves that it runs and measures
 * nothing; nothing is written then. `-- --compare DIR --compare DIR …`: builds of several checkouts in turns;
 * `-- --lookups`: a mapping with two lookups beside one without; `-- --compression`: callers that accept gzip or brotli
 * beside callers that do not; `--only TEXT` selects lines by a part of their title. `--generator undici` does without
 * wrk where it is installed.
 */

const { values: asked } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    capacity: { type: 'boolean', default: false },
    generator: { type: 'string' },
    compare: { type: 'string', multiple: true, default: [] },
    lookups: { type: 'boolean', default: false },
    compression: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
})

const full: ThroughputSize = {
  ...{ registrations: 300_000, invoices: 60_000, targets: 1000, unknownKeys: 20_000 },
  ...{ rounds: 5, sliceMs: 1000, warmUpMs: 500, starts: 5, alone: true },
}
const quick: ThroughputSize = {
  ...{ registrations: 2000, invoices: 1000, targets: 50, unknownKeys: 500 },
  ...{ rounds: 1, sliceMs: 100, warmUpMs: 0, starts: 1, alone: false },
}

const fullScale: ScaleSize = { sizes: [30_000, 300_000, 3_000_000], rounds: 5, sliceMs: 1000, warmUp: true }
const quickScale: ScaleSize = { sizes: [4000, 8000], rounds: 1, sliceMs: 100, warmUp: false }

const fullCapacity: CapacitySize = { ...full, pools: [1, 2, 5, 10, 20], callers: 64 }
const quickCapacity: CapacitySize = { ...quick, pools: [1, 2], callers: 4, warmUpMs: 100 }

async function runBench(): Promise<void> {
  const generator = await chooseGenerator(asked.generator)
  try {
    const throwaway = await startThrowaway()
    try {
      say(`on ${throwaway.origin}, with ${generator.name}`)
      const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
      throwaway.undo({ do: 'remove', path: folder })
      const bench: Bench = { throwaway, folder, generator, say }
      if (asked.compare.length > 0 || asked.lookups || asked.compression)
        process.stdout.write(
          await compareBuilds(bench, asked.quick ? quick : full, {
            folders: asked.compare,
            lookups: asked.lookups,
            compression: asked.compression,
            only: asked.only,
          }),
        )
      else if (asked.capacity) await runCapacity(bench)
      else await (asked.scale ? runScale(bench) : runThroughput(bench))
    } finally {
      await throwaway.stop()
    }
  } finally {
    await generator.stop()
  }
}

async function runThroughput(bench: Bench): Promise<void> {
  const measured = await measureThroughput(bench, asked.quick ? quick : full)
  keep(`bench-${measured.machine.dialect}`, renderThroughput(measured), renderThroughputChart(measured))
}

async function runScale(bench: Bench): Promise<void> {
  const measured = await measureScale(bench, asked.quick ? quickScale : fullScale)
  keep(`scale-${measured.machine.dialect}`, renderScale(measured), renderScaleChart(measured))
}

async function runCapacity(bench: Bench): Promise<void> {
  const measured = await measureCapacity(bench, asked.quick ? quickCapacity : fullCapacity)
  keep(`capacity-${measured.machine.dialect}`, renderCapacity(measured))
}

/** Prints the tables, and keeps them and their chart beside the benchmark, where the documentation shows them. */
function keep(name: string, tables: string, chart?: string): void {
  process.stdout.write(tables)
  if (asked.quick) return
  for (const [ending, text] of [
    ['md', tables],
    ['svg', chart],
  ] as const)
    if (text !== undefined) writeFileSync(new URL(`results/${name}.${ending}`, import.meta.url), text)
}

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}

runBench().catch((error: unknown) => {
  say(inspect(error))
  process.exitCode = 1
})

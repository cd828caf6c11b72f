import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startThrowaway } from '../product/index.js'
import { chooseGenerator } from './generator.js'
import { measureThroughput } from './throughput.js'
import type { Bench, ThroughputSize } from './throughput.js'
import { renderThroughputChart } from './throughput-chart.js'
import { renderThroughput } from './throughput-report.js'

/*
 * `npm run bench`: Vitrine beside the database and beside a plain handler. `-- --scale`: what a page costs as
 * tables grow. `-- --quick`: either of them with few rows and short turns, which proves that it runs and measures
 * nothing; nothing is written then.
 */

const { values: asked } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, scale: { type: 'boolean', default: false } },
})

const full: ThroughputSize = {
  ...{ registrations: 300_000, invoices: 60_000, targets: 1000, unknownKeys: 20_000 },
  ...{ rounds: 5, sliceMs: 1000, warmUpMs: 500, starts: 5, alone: true },
}
const quick: ThroughputSize = {
  ...{ registrations: 2000, invoices: 1000, targets: 50, unknownKeys: 500 },
  ...{ rounds: 1, sliceMs: 100, warmUpMs: 0, starts: 1, alone: false },
}

async function runBench(): Promise<void> {
  const throwaway = await startThrowaway()
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  throwaway.undo({ do: 'remove', path: folder })
  try {
    const bench: Bench = { throwaway, folder, generator: chooseGenerator(), say }
    say(`on ${throwaway.origin}, with ${bench.generator.name}`)
    await runThroughput(bench)
  } finally {
    await throwaway.stop()
  }
}

async function runThroughput(bench: Bench): Promise<void> {
  const measured = await measureThroughput(bench, asked.quick ? quick : full)
  keep(`bench-${measured.machine.dialect}`, renderThroughput(measured), renderThroughputChart(measured))
}

/** Prints the tables, and keeps them and their chart beside the benchmark, where README shows them. */
function keep(name: string, tables: string, chart: string): void {
  process.stdout.write(tables)
  if (asked.quick) return
  for (const [ending, text] of [
    ['md', tables],
    ['svg', chart],
  ] as const)
    writeFileSync(new URL(`results/${name}.${ending}`, import.meta.url), text)
}

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}

runBench().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
})

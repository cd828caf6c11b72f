import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startThrowaway } from '../product/index.js'
import type { Throwaway } from '../product/index.js'
import { fillProduct } from './fill.js'
import { createTargets, kinds } from './targets.js'
import type { Target } from './targets.js'
import { startVitrine } from './vitrine-process.js'
import type { VitrineProcess } from './vitrine-process.js'

/*
 * `node .ci/prepare.mjs test/bench/request-path.ts`: the files and named functions of Vitrine that run for one request of each kind, by V8's coverage.
 * It helps to shorten the way of a request; it is no limit.
 */

interface Ran {
  readonly url: string
  readonly functionName: string
}

/** Work of timers can fall into a request; what runs in each of several requests belongs to it. */
const repeats = 8
const dist = pathToFileURL(`${join(process.cwd(), 'dist')}/`).href

async function report(throwaway: Throwaway): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-path-'))
  throwaway.undo({ do: 'remove', path: folder })
  const database = await throwaway.createProduct('plain', { registrations: 0 })
  await fillProduct(database.adminUrl, 5000)
  const file = join(folder, 'coverage.json')
  const hook = pathToFileURL(join(process.cwd(), 'test/bench/coverage-hook.mjs')).href
  const vitrine = await startVitrine(throwaway, database, join(folder, 'log'), {
    env: { NODE_OPTIONS: `--import ${hook}`, COVERAGE_FILE: file },
  })
  const targets = await createTargets(database.adminUrl, vitrine.origin, 1)
  for (const kind of kinds) {
    const functions = await readPath(vitrine, targets[kind], file)
    const files = new Map<string, string[]>()
    for (const { url, functionName } of functions) files.set(url, [...(files.get(url) ?? []), functionName])
    process.stdout.write(`${kind}: ${files.size} files, ${functions.length} functions\n`)
    for (const [url, names] of files)
      process.stdout.write(`  ${url.slice(dist.length)}: ${names.join(', ')}\n`)
  }
  await vitrine.stop()
}

/** What runs for each of some requests. */
async function readPath(
  vitrine: VitrineProcess,
  targets: readonly Target[],
  file: string,
): Promise<readonly Ran[]> {
  const readings: (readonly Ran[])[] = []
  // The first request warms the caches up.
  for (const target of targets.slice(0, repeats + 1)) {
    await takeCoverage(vitrine, file)
    const answer = await fetch(vitrine.origin + target.vitrine, { headers: target.headers })
    await answer.arrayBuffer()
    readings.push(await takeCoverage(vitrine, file))
  }
  const [first = [], ...others] = readings.slice(1)
  return first.filter((one) => others.every((ran) => ran.some((other) => isSame(one, other))))
}

async function takeCoverage({ pid }: VitrineProcess, file: string): Promise<readonly Ran[]> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGCONT')
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text.endsWith(']')) return (JSON.parse(text) as Ran[]).filter(({ url }) => url.startsWith(dist))
    await delay(3)
  }
}

function isSame(one: Ran, other: Ran): boolean {
  return one.url === other.url && one.functionName === other.functionName
}

const throwaway = await startThrowaway()
try {
  await report(throwaway)
} finally {
  await throwaway.stop()
}

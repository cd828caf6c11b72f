import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { spawn } from 'node:child_process'
import { inspect, parseArgs } from 'node:util'
import { startThrowaway } from '../product/index.js'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'
import { fillProduct, workspaceId } from './fill.js'
import { applyLoad, kinds, listPaths } from './load.js'
import type { Kind, Slice } from './load.js'

/* `npm run bench`: Vitrine beside a plain handler, in turns. docs/contributing.md explains the options. */

const { values: options } = parseArgs({
  options: {
    loads: {
      type: 'string',
      default: 'list:16,list:1,record:64,record:16,record:1,poll:16,missing:16,page:16',
    },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    // Node compiles for the first 15,000 lists or so.
    warm: { type: 'string', default: '8' },
    rows: { type: 'string', default: '300000' },
    compare: { type: 'string', multiple: true, default: [] },
    env: { type: 'string', multiple: true, default: [] },
  },
})

/** One of those who take turns. */
interface Contender {
  readonly name: string
  readonly pid: number
  readonly origin: string
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))

/** Starts a program of a checkout, with its log in a file, and waits until it answers. */
async function start(
  throwaway: Throwaway,
  name: string,
  program: readonly string[],
  { cwd = '.', env }: { readonly cwd?: string; readonly env: Readonly<Record<string, string>> },
): Promise<Contender> {
  const [port, opsPort] = [await findFreePort(), await findFreePort()]
  const logFile = join(folder, `${port}.log`)
  const child = spawn(process.execPath, program, {
    cwd: resolve(cwd),
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), OPS_PORT: String(opsPort), ...env },
    stdio: ['ignore', openSync(logFile, 'a'), 'inherit'],
  })
  await once(child, 'spawn')
  throwaway.undo({ do: 'kill', pid: child.pid! })
  const origin = `http://127.0.0.1:${port}`
  while (
    !(await fetch(origin).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8')}`)
    await delay(3)
  }
  return { name, pid: child.pid!, origin }
}

/** As an operator runs Vitrine. The privileges that another build needs may be fewer. */
const toEnv = ({ readUrl, mappingFile }: ProductDatabase) => ({
  ...{ DATABASE_URL: readUrl, MAPPING_FILE: mappingFile, LOG_LEVEL: 'info', AUDIT: 'warn' },
  ...{ RATE_LIMIT_PER_MINUTE: '0', REFUSED_KEYS_PER_MINUTE: '0' },
})

/** The plain handler, this checkout, those of `--compare`, and this checkout with each variable of `--env`. */
async function startContenders(
  throwaway: Throwaway,
  database: ProductDatabase,
): Promise<readonly Contender[]> {
  const plain = await start(throwaway, 'plain handler', ['test/bench/plain-handler.mjs'], {
    env: { DATABASE_URL: database.readUrl },
  })
  const contenders = [plain]
  const add = async (name: string, cwd = '.', variable = ''): Promise<void> => {
    const [own = '', value = ''] = variable.split(/=(.*)/s)
    const env = { ...toEnv(database), ...(own !== '' && { [own]: value }) }
    contenders.push(await start(throwaway, name, ['dist/cli.js', 'serve'], { cwd, env }))
  }
  await add('vitrine')
  for (const cwd of options.compare) await add(cwd, cwd)
  for (const variable of options.env) await add(variable, '.', variable)
  return contenders
}

interface Turns {
  readonly kind: Kind
  readonly connections: number
  readonly contender: Contender
  readonly slices: (Slice & { readonly cpuMs: number; readonly rssMb: number })[]
}

async function runBench(throwaway: Throwaway): Promise<void> {
  throwaway.undo({ do: 'remove', path: folder })
  const loads = options.loads.split(',').map((line) => {
    const [kind = '', connections = '16'] = line.split(':')
    if (!kinds.includes(kind as Kind)) throw new Error(`${kind} is no load; loads are ${kinds.join(', ')}`)
    return { kind: kind as Kind, connections: Number(connections) }
  })
  const database = await throwaway.createProduct('plain', { registrations: 0 })
  process.stderr.write(`bench: making ${options.rows} registrations on ${throwaway.origin}\n`)
  await fillProduct(database.adminUrl, Number(options.rows))
  const key = await database.mintKey({
    ...{ workspace: workspaceId, scopes: ['registration.read'], columns: { label: 'bench' } },
  })
  const contenders = await startContenders(throwaway, database)
  const paths = await listPaths(database, contenders[1]!.origin, key)
  const all: readonly Turns[] = loads.flatMap((load) =>
    contenders.map((contender) => ({ ...load, contender, slices: [] })),
  )
  // Another contender begins each time, so that whatever else the machine does affects all of them.
  for (let round = -Number(options.warm); round < Number(options.rounds); round += 1)
    for (let at = 0; at < all.length; at += contenders.length)
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const { kind, connections, contender, slices } =
          all[at + ((turn + round + Number(options.warm)) % contenders.length)]!
        const { pid, origin } = contender
        const before = readCpuMs(pid)
        const of = contender === contenders[0] ? paths.plain : paths.vitrine
        const load = { key, connections, seconds: Number(options.seconds) }
        const slice = await applyLoad(origin, of[kind], load)
        if (round >= 0) slices.push({ ...slice, cpuMs: readCpuMs(pid) - before, rssMb: readRssMb(pid) })
      }
  process.stdout.write(renderTable(all))
  const request = { path: paths.vitrine.list[0]!, headers: { authorization: `Bearer ${key}` } }
  const files = await listFiles(throwaway, toEnv(database), request)
  process.stdout.write(`\nA list runs code of ${files.length} files: ${files.join(', ')}\n`)
}

/** User and system time of a process so far, in milliseconds; Linux counts it in hundredths of a second. */
function readCpuMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the program's name, which may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function readRssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/**
 * One table of Markdown. Requests are medians of the rounds, and so are their ratios to the plain handler in the same round;
 * errors and the time of the CPU are of all rounds.
 */
function renderTable(all: readonly Turns[]): string {
  const rows = all.map(({ kind, connections, contender, slices }) => {
    const plain = all.find((one) => one.kind === kind && one.connections === connections)!.slices
    const rate = ({ requests, seconds }: Slice): number => requests / seconds
    const own = (of: Turns['slices']): number => sum(of, 'cpuMs') / sum(of, 'requests')
    return [
      ...[kind, String(connections), contender.name],
      Math.round(median(slices.map(rate))).toLocaleString('en-US'),
      median(slices.map((slice, at) => rate(slice) / rate(plain[at]!))).toFixed(2),
      own(slices).toFixed(3),
      (own(slices) / own(plain)).toFixed(2),
      String(sum(slices, 'errors')),
      String(Math.round(Math.max(...slices.map((slice) => slice.rssMb)))),
    ]
  })
  const heads = 'load,callers,who,requests/s,beside plain,CPU ms,beside plain,errors,RSS MB'.split(',')
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]!.length)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [heads, rule, ...rows]
    .map((cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |\n`)
    .join('')
}

function sum(slices: Turns['slices'], of: 'cpuMs' | 'requests' | 'errors'): number {
  return slices.reduce((total, slice) => total + slice[of], 0)
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
}

// Node writes at the first signal what was run since the start, at the second what was run since the first.
const takesCoverage = `data:text/javascript,import v8 from 'v8';process.on('SIGWINCH',()=>v8.takeCoverage())`

/** The files of src whose code a list runs, the second one of a process. */
async function listFiles(
  throwaway: Throwaway,
  env: Record<string, string>,
  request: RequestInit & { path: string },
) {
  const to = join(folder, 'coverage')
  const program = ['--import', takesCoverage, 'dist/cli.js', 'serve']
  const { pid, origin } = await start(throwaway, 'coverage', program, {
    env: { ...env, NODE_V8_COVERAGE: to },
  })
  const ask = async (): Promise<string> => (await fetch(origin + request.path, request)).text()
  for (const count of [1, 2]) {
    await ask()
    process.kill(pid, 'SIGWINCH')
    while (!existsSync(to) || readdirSync(to).length < count) await delay(20)
  }
  // An answer comes after the file is written.
  await ask()
  const { result } = JSON.parse(readFileSync(join(to, readdirSync(to).toSorted()[1]!), 'utf8')) as Coverage
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
  return ran.flatMap(({ url }) => /^(?!.*node_modules).*\/dist\/(.*)\.js$/.exec(url)?.[1] ?? [])
}

interface Coverage {
  readonly result: { url: string; functions: { ranges: { count: number }[] }[] }[]
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
  process.stderr.write(`bench: ${inspect(error)}\n`)
  process.exitCode = 1
})

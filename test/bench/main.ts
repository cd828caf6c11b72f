import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { startThrowaway } from '../product/index.js'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { start } from './contenders.js'
import type { Contender } from './contenders.js'
import { fillProduct, storeLookupRows } from './fill.js'
import { applyLoad, kinds, listPaths, listPlaces } from './load.js'
import type { Kind, Load, Place, Slice } from './load.js'

/* `npm run bench`: Vitrine beside a plain handler, in turns. docs/contributing.md explains the options. */

const usual = 'list:16,list:1,record:64,record:16,record:1,poll:16,missing:16,page:16'
const { values: options } = parseArgs({
  options: {
    loads: { type: 'string', default: usual },
    // Two processes of one build differ.
    starts: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    // Node compiles for the first 15,000 lists or so.
    warm: { type: 'string', default: '8' },
    rows: { type: 'string', default: '300000' },
    compare: { type: 'string', multiple: true, default: [] },
    env: { type: 'string', multiple: true, default: [] },
    platformatic: { type: 'string', multiple: true, default: [] },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))

/** The slices of each contender by its name. All have as many. */
type Seen = Record<string, (Slice & Costs)[]>

interface Costs {
  readonly cpuMs: number
  readonly serverMs: number
  readonly rssMb: number
}

async function runBench(throwaway: Throwaway): Promise<void> {
  throwaway.undo({ do: 'remove', path: folder })
  const loads = options.loads.split(',').map((name): Load => {
    const [kind = '', connections = '16'] = name.split(':')
    if (!kinds.includes(kind as Kind)) throw new Error(`${kind} is not a load; loads are ${kinds.join(', ')}`)
    return { name, kind: kind as Kind, connections: Number(connections) }
  })
  const database = await throwaway.createProduct('plain', { registrations: 0 })
  process.stderr.write(`bench: making ${options.rows} registrations on ${throwaway.origin}\n`)
  await fillProduct(database.adminUrl, Number(options.rows))
  await storeLookupRows(database.adminUrl, database.readUrl)
  const places = await listPlaces(database, 500)
  const seen = new Map<Load, Seen>(loads.map((load) => [load, {}]))
  for (let at = 0; at < Number(options.starts); at += 1) {
    const contenders = await startContenders(throwaway, toEnv(database))
    await takeTurns(contenders, places, seen, findServerPid(database.adminUrl))
    for (const { stop } of contenders) stop()
  }
  process.stdout.write(renderTable(seen))
}

/** As an operator runs Vitrine. The privileges that another build needs may be fewer. */
const toEnv = ({ readUrl, mappingFile }: ProductDatabase) => ({
  ...{ DATABASE_URL: readUrl, MAPPING_FILE: mappingFile, LOG_LEVEL: 'info', AUDIT: 'warn' },
  ...{ RATE_LIMIT_PER_MINUTE: '0', REFUSED_KEYS_PER_MINUTE: '0' },
})

/** The mapping file of the product, with workspaces that a lookup finds. */
function storeLookupMapping(mappingFile: string): string {
  const file = join(folder, 'lookup.yaml')
  const changed = readFileSync(mappingFile, 'utf8').replace(
    'table: event_registrations\n  workspace: workspace_id',
    'table: bench_registrations\n  workspace: { from: bench_events, on: event_id, column: workspace_id }',
  )
  writeFileSync(file, changed)
  return file
}

/**
 * The plain handler, this checkout, with workspaces by lookup too, those of `--compare`, this one with each variable of
 * `--env`, and Platformatic.
 */
async function startContenders(throwaway: Throwaway, env: Record<string, string>): Promise<Contender[]> {
  const serve = ['dist/cli.js', 'serve']
  const toOther = (name: string, cwd = '.') => ({ name, cwd, args: [resolve(`test/bench/${name}.mjs`)], env })
  const byLookup = { ...env, MAPPING_FILE: storeLookupMapping(env['MAPPING_FILE']!) }
  const programs = [
    toOther('plain-handler'),
    { name: 'vitrine', args: serve, env },
    { name: 'workspaces by lookup', args: serve, env: byLookup },
    ...options.compare.map((cwd) => ({ name: cwd, cwd, args: serve, env })),
    ...options.env.map((line) => {
      const [name = '', value = ''] = line.split(/=(.*)/s)
      return { name: line, args: serve, env: { ...env, [name]: value } }
    }),
    ...options.platformatic.map((cwd) => toOther('platformatic', cwd)),
  ]
  const contenders: Contender[] = []
  for (const program of programs) contenders.push(await start(throwaway, folder, program))
  return contenders
}

async function takeTurns(
  contenders: readonly Contender[],
  places: readonly Place[],
  seen: ReadonlyMap<Load, Seen>,
  serverPid: number,
): Promise<void> {
  const turns = await Promise.all(
    contenders.map(async (contender) => ({ contender, paths: await listPaths(contender, places) })),
  )
  for (let round = -Number(options.warm); round < Number(options.rounds); round += 1) {
    for (const [{ kind, connections }, slices] of seen)
      for (const { contender, paths } of turns) {
        const { pid, origin, name } = contender
        const [cpuMs, serverMs] = [readCpuMs(pid), readCpuMs(serverPid)]
        const requests = places.map(({ key }, at) => ({ key, path: paths[at]![kind] }))
        const load = { kind, connections, seconds: Number(options.seconds), script: join(folder, 'load.lua') }
        const slice = await applyLoad(origin, requests, load)
        const costs = { cpuMs: readCpuMs(pid) - cpuMs, serverMs: readCpuMs(serverPid) - serverMs }
        const own = (slices[name] ??= [])
        if (round >= 0) own.push({ ...slice, ...costs, rssMb: readRssMb(pid) })
      }
    // Another contender begins each time, so that whatever else the machine does affects all of them.
    turns.push(turns.shift()!)
  }
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

/** The process of the server, which is on this machine. */
function findServerPid(address: string): number {
  const filter = `sport = :${new URL(address).port}`
  return Number(/pid=(\d+)/.exec(execFileSync('ss', ['-Hltnp', filter], { encoding: 'utf8' }))?.[1])
}

/**
 * One table of Markdown. Requests are medians of the rounds, and so are their ratios to the plain handler in the same round;
 * errors and the time of the CPU are of all rounds.
 */
function renderTable(seen: ReadonlyMap<Load, Seen>): string {
  const rows = [...seen].flatMap(([load, slices]) => {
    const rate = ({ requests, seconds }: Slice): number => requests / seconds
    const cost = (of: Seen[string], name: 'cpuMs' | 'serverMs'): number => sum(of, name) / sum(of, 'requests')
    const [plain = []] = Object.values(slices)
    return Object.entries(slices).map(([name, own]) => [
      ...[load.name, name, Math.round(median(own.map(rate))).toLocaleString('en-US')],
      median(own.map((slice, at) => rate(slice) / rate(plain[at]!))).toFixed(2),
      cost(own, 'cpuMs').toFixed(3),
      (cost(own, 'cpuMs') / cost(plain, 'cpuMs')).toFixed(2),
      ...[cost(own, 'serverMs').toFixed(3), String(sum(own, 'errors'))],
      String(Math.round(Math.max(...own.map(({ rssMb }) => rssMb)))),
    ])
  })
  const heads = 'load,who,requests/s,beside plain,CPU ms,beside plain,server ms,errors,RSS MB'.split(',')
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]!.length)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [heads, rule, ...rows]
    .map((cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |\n`)
    .join('')
}

function sum(slices: Seen[string], of: 'cpuMs' | 'serverMs' | 'requests' | 'errors'): number {
  return slices.reduce((total, slice) => total + slice[of], 0)
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
}

const throwaway = await startThrowaway()
try {
  await runBench(throwaway)
} catch (error) {
  process.stderr.write(`bench: ${inspect(error)}\n`)
  process.exitCode = 1
} finally {
  await throwaway.stop()
}

import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
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

/** The plain handler, this checkout, those of `--compare`, and this checkout with each variable of `--env`. */
async function startContenders(
  throwaway: Throwaway,
  { readUrl, mappingFile }: ProductDatabase,
): Promise<readonly Contender[]> {
  const plain = await start(throwaway, 'plain handler', ['test/bench/plain-handler.mjs'], {
    env: { DATABASE_URL: readUrl },
  })
  const contenders = [plain]
  const builds = [
    { name: 'vitrine' },
    ...options.compare.map((cwd) => ({ name: cwd, cwd })),
    ...options.env.map((variable) => {
      const at = variable.indexOf('=')
      return { name: variable, env: { [variable.slice(0, at)]: variable.slice(at + 1) } }
    }),
  ]
  for (const { name, cwd, env } of builds as readonly {
    name: string
    cwd?: string
    env?: Record<string, string>
  }[])
    contenders.push(
      await start(throwaway, name, ['dist/cli.js', 'serve'], {
        ...(cwd !== undefined && { cwd }),
        env: {
          ...{ DATABASE_URL: readUrl, MAPPING_FILE: mappingFile },
          ...{ RATE_LIMIT_PER_MINUTE: '0', REFUSED_KEYS_PER_MINUTE: '0' },
          // As an operator runs it. The privileges that another build needs may be fewer.
          ...{ LOG_LEVEL: 'info', AUDIT: 'warn' },
          ...env,
        },
      }),
    )
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
  // The first round warms up. Another contender begins each time, so that whatever else the machine does affects all of them.
  for (let round = -1; round < Number(options.rounds); round += 1)
    for (let at = 0; at < all.length; at += contenders.length)
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const { kind, connections, contender, slices } = all[at + ((turn + round + 1) % contenders.length)]!
        const { pid, origin } = contender
        const before = readCpuMs(pid)
        const of = contender === contenders[0] ? paths.plain : paths.vitrine
        const load = { key, connections, seconds: Number(options.seconds) }
        const slice = await applyLoad(origin, of[kind], load)
        if (round >= 0) slices.push({ ...slice, cpuMs: readCpuMs(pid) - before, rssMb: readRssMb(pid) })
      }
  process.stdout.write(renderTable(all))
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

/** One table of Markdown; numbers are medians of the rounds, errors and the time of the CPU of all rounds. */
function renderTable(all: readonly Turns[]): string {
  const rows = all.map(({ kind, connections, contender, slices }) => {
    const sum = (of: (slice: Turns['slices'][number]) => number): number =>
      slices.reduce((total, slice) => total + of(slice), 0)
    return [
      ...[kind, String(connections), contender.name],
      Math.round(median(slices.map((slice) => slice.requests / slice.seconds))).toLocaleString('en-US'),
      median(slices.map((slice) => slice.p50Ms)).toFixed(2),
      median(slices.map((slice) => slice.p99Ms)).toFixed(2),
      String(sum((slice) => slice.errors)),
      (sum((slice) => slice.cpuMs) / sum((slice) => slice.requests)).toFixed(3),
      String(Math.round(Math.max(...slices.map((slice) => slice.rssMb)))),
    ]
  })
  const heads = 'load,callers,who,requests/s,p50 ms,p99 ms,errors,CPU ms,RSS MB'.split(',')
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]!.length)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [heads, rule, ...rows]
    .map((cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |\n`)
    .join('')
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
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

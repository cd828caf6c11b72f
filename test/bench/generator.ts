import { execFileSync, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Slice } from './slice.js'
import { endScript, order, receive, startScript } from './script.js'

/** What a generator is told to do: the file's requests, over and over, to this address of the machine itself. */
export interface GeneratorOrder {
  readonly origin: string
  readonly file: string
  readonly connections: number
  readonly ms: number
  /** `Accept-Encoding` of every request; none by default. */
  readonly encoding?: string | undefined
  /** Whether every answer has to be a refusal, or none. */
  readonly refused: boolean
}

/** What sends requests over HTTP, the same to whoever is measured. */
export interface Generator {
  readonly name: string
  readonly run: (order: GeneratorOrder) => Promise<Slice>
  readonly stop: () => Promise<void>
}

/** What a generator tells: it counts answers of 400 and more, and judges nothing. */
export interface Seen extends Omit<Slice, 'failures'> {
  readonly refused: number
  readonly broken: number
}

const luaFile = fileURLToPath(new URL('load.lua', import.meta.url))

/**
 * `wrk` where it is installed, since a generator in JavaScript takes the processor that is to be measured; else
 * undici.
 *
 * @param wanted `undici` for that one all the same.
 */
export async function chooseGenerator(wanted: string | undefined): Promise<Generator> {
  const version = wanted === 'undici' ? undefined : readWrkVersion()
  if (version !== undefined)
    return { name: `wrk ${version}`, run: judge(runWrk), stop: () => Promise.resolve() }
  const child = startScript('load-undici.ts', [], {})
  await receive(child)
  return {
    name: 'undici',
    run: judge(async (what) => (await order(child, what)) as Seen),
    stop: () => endScript(child),
  }
}

function judge(run: (order: GeneratorOrder) => Promise<Seen>): Generator['run'] {
  return async (what) => {
    const { refused, broken, ...seen } = await run(what)
    const wrong = what.refused ? seen.requests - refused : refused
    return { ...seen, failures: wrong + broken }
  }
}

function readWrkVersion(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'wrk -v 2>&1 || true'], { encoding: 'utf8' }).match(
      /^wrk (?:debian\/)?([\d.]+)/,
    )?.[1]
  } catch {
    return undefined
  }
}

async function runWrk({ origin, file, connections, ms, encoding }: GeneratorOrder): Promise<Seen> {
  const args = ['-t1', `-c${connections}`, '-d60s', '-s', luaFile, origin, '--', file]
  if (encoding !== undefined) args.push(encoding)
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  // It takes whole seconds alone, and tells what it saw so far when it is interrupted.
  const timer = setTimeout(() => child.kill('SIGINT'), ms)
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  clearTimeout(timer)
  const json = /^JSON (.*)$/m.exec(text)?.[1]
  if (json === undefined) throw new Error(`wrk did not tell what it saw: ${text}`)
  return JSON.parse(json) as Seen
}

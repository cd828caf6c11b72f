import { execFileSync, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Slice } from './slice.js'
import { startScript } from './script.js'

/** What a generator is told to do: the file's requests, over and over, to this address of the machine itself. */
export interface GeneratorOrder {
  readonly origin: string
  readonly file: string
  readonly connections: number
  readonly ms: number
  /** Whether every answer has to be a refusal, or none. */
  readonly refused: boolean
}

/** What sends requests over HTTP, the same to whoever is measured. */
export interface Generator {
  readonly name: string
  readonly run: (order: GeneratorOrder) => Promise<Slice>
}

interface Seen extends Omit<Slice, 'failures'> {
  readonly refused: number
  readonly broken: number
}

const luaFile = fileURLToPath(new URL('load.lua', import.meta.url))

/** `wrk` where it is installed: it costs a tenth of the processor that a generator in JavaScript does. */
export function chooseGenerator(): Generator {
  const version = readWrkVersion()
  return {
    name: version === undefined ? 'undici, for want of wrk' : `wrk ${version}`,
    run: async (order) => {
      const text = await (version === undefined ? runUndici(order) : runWrk(order))
      const json = /^JSON (.*)$/m.exec(text)?.[1]
      if (json === undefined) throw new Error(`The generator did not tell what it saw: ${text}`)
      const { refused, broken, ...seen } = JSON.parse(json) as Seen
      const wrong = order.refused ? seen.requests - refused : refused
      return { ...seen, failures: wrong + broken }
    },
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

async function runWrk({ origin, file, connections, ms }: GeneratorOrder): Promise<string> {
  const args = ['-t1', `-c${connections}`, '-d60s', '-s', luaFile, origin, '--', file]
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  // It takes whole seconds alone, and tells what it saw so far when it is interrupted.
  const timer = setTimeout(() => child.kill('SIGINT'), ms)
  const text = await readAll(child.stdout)
  clearTimeout(timer)
  return text
}

async function runUndici({ origin, file, connections, ms }: GeneratorOrder): Promise<string> {
  const child = startScript('load-undici.ts', [origin, String(connections), String(ms), file], {})
  return readAll(child.stdout!)
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { requireVariables } from './built.js'
import { startJanitor } from './janitor.js'
import type { Janitor } from './janitor.js'
import { findFreePort } from './local-server.js'
import { requireOptions } from './options.js'
import { inRepository } from './product.js'
import { toMappingFile } from './text-source.js'
import type { MappingSource } from './text-source.js'

/** The options of `startVitrine`. */
export interface VitrineInput {
  /** The database, as a user who may only read: `readUrl` of a product. */
  readonly databaseUrl: string
  /** The mapping file, such as `mappingFile` of a product; its text as `{ text }`, or an object. */
  readonly mapping: MappingSource
  /** Variables of the environment, as docs/configure.md lists them, except `LOG_LEVEL`. They replace those that `startVitrine` sets. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** A line that Vitrine printed; a line that is not JSON has its text as `msg`. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string }

/** Vitrine in a process of its own. */
export interface Vitrine {
  /** The origin of the API, such as `http://127.0.0.1:41234`; the API is below `/api/public/v1`. */
  readonly url: string
  /** The origin of `/livez`, `/readyz` and `/metrics`. */
  readonly opsUrl: string
  /** Everything that it printed so far, line by line. A line can come later than the answer that it is about. */
  readonly log: readonly LogLine[]
  /**
   * Stops it with SIGTERM, and resolves when it has ended.
   *
   * @throws Error with its output, if its exit status is not 0.
   */
  readonly stop: () => Promise<void>
}

/** No rate limits, and a revoked key is rejected at once. */
const testEnv = { RATE_LIMIT_PER_MINUTE: '0', REFUSED_KEYS_PER_MINUTE: '0', KEY_CACHE_TTL_SECONDS: '0' }

/**
 * Starts Vitrine in a process of its own, on free ports of this machine. It inherits only `PATH` from the environment of the
 * tests. Unless `env` says otherwise, it has no rate limits and caches no key. It ends when this process ends.
 *
 * @returns the process, once it accepts requests.
 * @throws Error with everything that it printed, if it does not start; TypeError for a variable that it does not read.
 */
export async function startVitrine(input: VitrineInput): Promise<Vitrine> {
  requireOptions('startVitrine', input)
  const { databaseUrl, mapping, env = {} } = input
  await requireVariables(Object.keys(env))
  if ('LOG_LEVEL' in env) throw new TypeError('startVitrine: env has LOG_LEVEL, which is always info here')
  const janitor = startJanitor()
  try {
    const mappingFile = await toMappingFile(mapping, janitor)
    const ports = { PORT: '0', OPS_PORT: String(await findFreePort()) }
    const variables = { DATABASE_URL: databaseUrl, MAPPING_FILE: mappingFile, ...testEnv, ...ports, ...env }
    // Ready is said on this level.
    return await start({ PATH: process.env['PATH'] ?? '', ...variables, LOG_LEVEL: 'info' }, janitor)
  } catch (error) {
    await janitor.finish()
    throw error
  }
}

async function start(env: Readonly<Record<string, string>>, janitor: Janitor): Promise<Vitrine> {
  const child = spawn(process.execPath, [fileURLToPath(inRepository('dist/cli.js')), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in a terminal signals a whole group: with `stop` it would be a second signal, which ends it without its grace.
    detached: true,
  })
  if (child.pid !== undefined) child.once('exit', janitor.add({ do: 'kill', pid: child.pid }))
  const handles = [child, ...[child.stdout, child.stderr].filter((stream) => stream instanceof Socket)]
  const ended = once(child, 'close').then(([status, signal]) => (status ?? signal) as number | string)
  const log: LogLine[] = []
  const fail = (what: string): never => {
    const reason = log.at(-1)?.['reason']
    const why = typeof reason === 'string' ? `: ${reason}` : ''
    throw new Error(`Vitrine ${what}${why}. It printed:\n${log.map(toText).join('\n')}`)
  }
  const line = await Promise.race([readLines(child, log), ended.then(() => fail('did not start'))])
  const stop = async (): Promise<void> => {
    for (const handle of handles) handle.ref()
    child.kill('SIGTERM')
    const status = await ended
    await janitor.finish()
    if (status !== 0) fail(`ended with ${status}`)
  }
  let stopped: Promise<void> | undefined
  // Like a server, it does not keep the process of the tests alive, which ends it.
  for (const handle of handles) handle.unref()
  return { url: String(line['api']), opsUrl: String(line['ops']), log, stop: () => (stopped ??= stop()) }
}

/** Adds each line that the process prints. Resolves with the one that says that it is ready. */
function readLines(child: ChildProcess, log: LogLine[]): Promise<LogLine> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      let rest = ''
      const take = (text: string): void => {
        if (text === '') return
        const line = parseLine(text)
        log.push(line)
        if (line.msg === 'ready' && typeof line['api'] === 'string') resolve(line)
      }
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = `${rest}${chunk}`.split('\n')
        rest = lines.pop() ?? ''
        lines.forEach(take)
      })
      stream?.on('end', () => {
        take(rest)
      })
    }
  })
}

function parseLine(text: string): LogLine {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line === 'object' && line !== null && 'msg' in line) return line as LogLine
  } catch {
    // What is printed before the log is open is plain text.
  }
  return { msg: text }
}

function toText(line: LogLine): string {
  return Object.keys(line).length === 1 ? line.msg : JSON.stringify(line)
}

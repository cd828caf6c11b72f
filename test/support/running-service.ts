import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'

/** How a process is told to end: in order, or at once. */
export type EndSignal = 'SIGTERM' | 'SIGKILL'

/** One process of the service as its operator runs it, ready for requests. */
export interface RunningService {
  readonly child: ChildProcess
  readonly api: string
  readonly ops: string
  /** Throws when it had ended by itself, or ends in order with another status than 0. */
  readonly end: (signal: EndSignal) => Promise<void>
}

/**
 * Starts a process on ports of its own; it is gone when the test file is, by whatever end.
 *
 * @param nodeArgs what Node itself is told, such as a module to be loaded first, which may send messages.
 */
export async function startRunningService(
  throwaway: Throwaway,
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
): Promise<RunningService> {
  // Port 0 would turn the ops listener off.
  const opsPort = await findFreePort()
  const child = spawn(process.execPath, [...nodeArgs, 'dist/cli.js', 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      OPS_PORT: String(opsPort),
      RATE_LIMIT_PER_MINUTE: '0',
      REFUSED_KEYS_PER_MINUTE: '0',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.pid !== undefined) throwaway.undo({ do: 'kill', pid: child.pid })
  const exited = once(child, 'exit')
  const log = readLog(child)
  return {
    child,
    api: await log.origin,
    ops: `http://127.0.0.1:${opsPort}`,
    end: async (signal) => {
      child.kill(signal)
      const [status, endedBy] = (await exited) as [number | null, string | null]
      if (signal === 'SIGTERM' ? status !== 0 : endedBy !== signal)
        throw new Error(`The service ended with ${String(status ?? endedBy)}: ${log.tail()}`)
    },
  }
}

interface Log {
  /** Where it listens, as soon as it does. */
  readonly origin: Promise<string>
  /** Its last words. */
  readonly tail: () => string
}

/** Reads to the end, so that the process never waits for a reader. */
function readLog(child: ChildProcess): Log {
  let text = ''
  const origin = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text = `${text}${chunk.toString()}`.slice(-4096)
      const found = /"api":"([^"]+)"/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => {
      reject(new Error(`The service ended with ${String(code)} before it listened: ${text}`))
    })
  })
  return { origin, tail: () => text }
}

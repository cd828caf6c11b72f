import type { ChildProcess } from 'node:child_process'
import type { Throwaway } from '../product/index.js'
import { startServing } from './serving.js'

/** How a process is ended: in order, or at once. */
export type EndSignal = 'SIGTERM' | 'SIGKILL'

/** One process of the service as its operator runs it, ready for requests. */
export interface RunningService {
  readonly child: ChildProcess
  readonly api: string
  readonly ops: string
  /** Throws when it had ended by itself, or ends in order with another status than 0. */
  readonly end: (signal: EndSignal) => Promise<void>
}

/** Its last words, which tell why it ended. */
const keptMax = 4096

/**
 * Starts a process on ports of its own; it is gone when the test file is, by whatever end.
 *
 * @param nodeArgs arguments of Node itself, such as a module to be loaded first, which may send messages.
 */
export async function startRunningService(
  throwaway: Throwaway,
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
): Promise<RunningService> {
  const { child, api, ops, output, ended } = await startServing(throwaway, { env, nodeArgs, keptMax })
  return {
    child,
    api,
    ops,
    end: async (signal) => {
      child.kill(signal)
      const end = await ended
      if (end !== (signal === 'SIGTERM' ? 0 : signal))
        throw new Error(`The service ended with ${String(end)}: ${output()}`)
    },
  }
}

import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProductDatabase } from '../product/index.js'
import { startServing } from '../support/vitrine.js'

/** What a process holds after its garbage is collected. */
export interface Holding {
  /** The most memory that it ever had, with what is not collected. */
  readonly peakBytes: number
  readonly heapBytes: number
  readonly bufferBytes: number
  /** Open connections, those to the database included. */
  readonly sockets: number
}

/** The service as it ships, a process of its own that tells what it holds. */
export type ProbedService = Awaited<ReturnType<typeof startProbedService>>

/** Connections to the database. */
export const poolSize = 2

/** Starts a service whose own limits of memory are soon reached, and whose database has all the time it wants. */
export async function startProbedService(
  database: Pick<ProductDatabase, 'readUrl' | 'mappingFile'>,
  other: Readonly<Record<string, string>> = {},
) {
  const probe = fileURLToPath(new URL('probe.mjs', import.meta.url))
  const env = {
    DATABASE_POOL_SIZE: String(poolSize),
    DATABASE_QUERY_TIMEOUT_MS: '60000',
    KEY_CACHE_MAX: '50',
    ...other,
  }
  const nodeArgs = ['--expose-gc', '--import', probe]
  const { child, api, ops, end } = await startServing(database, env, { nodeArgs })
  return {
    origin: api,
    port: Number(new URL(api).port),
    ops,
    measure: async (): Promise<Holding> => {
      const message = once(child, 'message') as Promise<[Holding]>
      child.send('measure')
      const [holding] = await message
      return holding
    },
    /** Whether it still runs. */
    lives: () => child.exitCode === null && child.signalCode === null,
    /** Ends it in order. @throws Error when it had ended before, or ends otherwise. */
    stop: () => end(),
  }
}

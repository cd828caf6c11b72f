import type { Throwaway } from '../product/index.js'
import type { TestDatabase } from '../product/test-database.js'
import { startRunningService } from '../support/running-service.js'
import type { EndSignal, RunningService } from '../support/running-service.js'

/** A place where a process of the service runs, and another one after it. */
export interface Machine {
  /** The process, or the last one that there was. */
  readonly current: () => RunningService
  readonly end: (signal: EndSignal) => Promise<void>
  /** Starts another process, with these settings from now on. */
  readonly start: (settings?: Settings) => Promise<void>
}

/** Variables of the environment that a release may change. */
export type Settings = Readonly<Record<string, string>>

/** Longer than anything here takes: no request ends for being slow. */
const longTimeouts = { DATABASE_QUERY_TIMEOUT_MS: '60000', SHUTDOWN_GRACE_SECONDS: '60' }

/** A machine whose service is up. */
export async function startMachine(
  throwaway: Throwaway,
  { readUrl, mappingFile }: TestDatabase,
): Promise<Machine> {
  let settings: Settings = longTimeouts
  const start = () =>
    startRunningService(throwaway, { ...settings, DATABASE_URL: readUrl, MAPPING_FILE: mappingFile })
  let service = await start()
  return {
    current: () => service,
    end: (signal) => service.end(signal),
    start: async (changed = {}) => {
      settings = { ...settings, ...changed }
      service = await start()
    },
  }
}

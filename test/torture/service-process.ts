import type { Connection } from 'mysql2/promise'
import type { Throwaway } from '../product/index.js'
import type { TestDatabase } from '../product/test-database.js'
import { startRunningService } from '../support/running-service.js'
import type { EndSignal } from '../support/running-service.js'
import { killSessions } from '../support/server-sessions.js'
import { toServingEnv } from '../support/serving.js'
import { mintKey } from './table.js'

/** The service as its operator runs it: a process of its own, which can be ended and started again. */
export interface ServiceProcess {
  readonly key: string
  /** Where it listens; another promise as soon as a restart begins. */
  readonly current: () => Promise<string>
  /** Ends it by the signal and starts another one, on another port. */
  readonly restart: (signal: EndSignal) => Promise<void>
  /** Ends every connection that it has to the database. */
  readonly cutConnections: (admin: Connection) => Promise<void>
  /** How many times connections were cut: from then on it may answer that the database is not there. */
  readonly cuts: () => number
  readonly stop: () => Promise<void>
}

/** Few connections, so that restarts and cuts meet them all. */
export const poolSize = 4

/** Starts the service before a product's database. */
export async function startServiceProcess(
  throwaway: Throwaway,
  database: TestDatabase,
  overlapSeconds: number,
): Promise<ServiceProcess> {
  const start = () =>
    startRunningService(throwaway, {
      ...toServingEnv(database),
      DATABASE_POOL_SIZE: String(poolSize),
      SYNC_OVERLAP_SECONDS: String(overlapSeconds),
    })
  let service = await start()
  let current = Promise.resolve(service.api)
  let cuts = 0
  const startAnother = async (signal: EndSignal): Promise<string> => {
    await service.end(signal)
    service = await start()
    return service.api
  }
  return {
    key: await mintKey(database),
    current: () => current,
    restart: async (signal) => {
      current = startAnother(signal)
      await current
    },
    cutConnections: async (admin) => {
      cuts += 1
      await killSessions(admin, decodeURIComponent(new URL(database.readUrl).username), 'KILL CONNECTION')
    },
    cuts: () => cuts,
    stop: () => service.end('SIGTERM'),
  }
}

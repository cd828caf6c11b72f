import type { ProductDatabase, Throwaway } from '../product/index.js'
import { startRunningService } from '../support/running-service.js'
import type { RunningService } from '../support/running-service.js'

/** Connections of each service; fewer than its callers, so that some wait for one. */
export const poolSize = 4

/** Sessions of each service beside its pool: the health check, a schema check, and one more for each collection. */
export const checkSessionsMax = 4

/** Makes a service write its log to the file that a message names. The listener must not keep the process alive. */
const logSwitch = `data:text/javascript,${encodeURIComponent(`
import { closeSync, openSync } from 'node:fs'
process.on('message', (file) => {
  closeSync(1)
  openSync(file, 'w')
})
process.channel.unref()
`)}`

/** Starts a service before a product's database, whose limits are soon reached; it is never started again. */
export function startLimitedService(
  throwaway: Throwaway,
  { readUrl, mappingFile }: Pick<ProductDatabase, 'readUrl' | 'mappingFile'>,
  keyTtlSeconds: number,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const allEnv = {
    DATABASE_URL: readUrl,
    DATABASE_POOL_SIZE: String(poolSize),
    DATABASE_QUERY_TIMEOUT_MS: '500',
    MAPPING_FILE: mappingFile,
    KEY_CACHE_TTL_SECONDS: String(keyTtlSeconds),
    ...env,
  }
  return startRunningService(throwaway, allEnv, ['--import', logSwitch])
}

import { Writable } from 'node:stream'
import { beforeAll, inject } from 'vitest'
import { buildService } from '../../src/api/service.js'
import type { Service } from '../../src/api/service.js'
import { createLog } from '../../src/log.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import { parseConfig } from '../../src/config.js'
import { httpLimits } from '../../src/api/connections.js'
import type { HttpLimits } from '../../src/api/connections.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { useServer } from '../product/index.js'
import type { ProductDatabase, ProductName, Throwaway } from '../product/index.js'
import { afterFile } from './after-file.js'
import { requireWhole } from './whole-mapping.js'
import type { WholeMapping } from './whole-mapping.js'

let throwaway: Throwaway | undefined

/** The throwaway databases of a test file, on the server of the run; they are dropped when the file is done. */
export function useThrowaway(): Throwaway {
  if (throwaway !== undefined) return throwaway
  const own = useServer(inject('server'))
  afterFile(() => {
    throwaway = undefined
    return own.stop()
  })
  return (throwaway = own)
}

/** A shipped product for the tests of a file; it is there when they run. */
export function useProduct(name: ProductName, options: { registrations?: number } = {}): ProductDatabase {
  const database = {} as ProductDatabase
  const { createProduct } = useThrowaway()
  beforeAll(async () => {
    Object.assign(database, await createProduct(name, options))
  })
  return database
}

/** The service before a product of `useProduct`; it is there when the tests run. */
export function useService(database: ProductDatabase, options: ServiceOptions = {}): TestService {
  const service = {} as TestService
  beforeAll(async () => {
    Object.assign(service, await startService(database, options))
  })
  return service
}

/** The service of a test: what it answers, and everything that left it beside the answers. */
export interface TestService extends Service {
  readonly logs: () => string
  /** Every line of the log as JSON. */
  readonly logLines: () => readonly Readonly<Record<string, unknown>>[]
}

interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Changes the mapping of the product's file. */
  readonly change?: (mapping: WholeMapping) => Mapping
  /** The most entries that a page visits where a lookup finds the workspace. */
  readonly entriesMax?: number
  readonly clock?: () => number
  readonly ageClock?: () => number
  /** What differs from the limits of a service. */
  readonly limits?: Partial<HttpLimits>
}

/** The whole service over a product's database, without a listener; closed when the file is done. */
export async function startService(
  database: Pick<ProductDatabase, 'readUrl' | 'adminUrl' | 'mappingFile'>,
  options: ServiceOptions = {},
): Promise<TestService> {
  const chunks: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString())
      done()
    },
  })
  const load = async () => {
    const mapping = await loadMapping(database.mappingFile)
    const config = parseConfig({
      DATABASE_URL: database.readUrl,
      MAPPING_FILE: database.mappingFile,
      RATE_LIMIT_PER_MINUTE: '0',
      REFUSED_KEYS_PER_MINUTE: '0',
      // A loaded machine is slower than any other one.
      DATABASE_QUERY_TIMEOUT_MS: '60000',
      LOG_LEVEL: 'debug',
      // The administrator may do what the audit refuses, and a mapping that was changed asks for other grants.
      AUDIT: database.readUrl === database.adminUrl || options.change !== undefined ? 'warn' : 'enforce',
      ...options.env,
    })
    const changed = options.change?.(requireWhole(mapping)) ?? mapping
    return { config, mapping: { ...changed, entriesMax: options.entriesMax } }
  }
  const service = await buildService({
    ...(await load()),
    log: createLog('debug', sink),
    clock: options.clock ?? Date.now,
    ageClock: options.ageClock ?? (() => performance.now()),
    limits: { ...httpLimits, ...options.limits },
  })
  afterFile(() => service.close())
  const logs = (): string => chunks.join('')
  return {
    ...service,
    logs,
    logLines: () =>
      logs()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
  }
}

import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { RunQuery } from '../database/statement.js'
import { createAuthenticate } from '../http/authenticate.js'
import type { Authenticate } from '../http/authenticate.js'
import type { Metrics } from '../http/metrics.js'
import { createRefusedKeys } from '../http/failed-authentications.js'
import { createKeyCache } from '../keys/key-cache.js'
import { createKeyLookup } from '../keys/key-lookup.js'
import { toOffsetMinutes } from '../mapping/bind-mapping.js'
import type { ResolvedKeyTable } from '../mapping/bound.js'
import type { Mapping } from '../mapping/mapping-schema.js'

interface KeysInput {
  readonly config: Config
  readonly mapping: Mapping
  /** The key table as it is now. @throws Problem */
  readonly requireKeys: () => ResolvedKeyTable
  readonly runQuery: RunQuery
  readonly metrics: Metrics
  readonly log: Logger
  /** Milliseconds since 1970, which keys are judged by. */
  readonly clock: Clock
  /** Milliseconds of a clock that never steps back, which cached rows age by. */
  readonly ageClock: Clock
}

/** Reads keys from the key table of the mapping, through a cache and behind a limit for those that are refused. */
export function buildAuthenticate(input: KeysInput): Authenticate {
  const { metrics, log } = input
  const { apiKeys, timezone } = input.mapping
  const keyCache = createKeyCache({
    ...input.config.keyCache,
    clock: input.ageClock,
    lookup: createKeyLookup({
      requireTable: () => {
        const columns = input.requireKeys()
        return {
          columns,
          readers: {
            workspace: columns.workspace.identifier,
            scopes: apiKeys.scopes,
            expiryOffsetMinutes: columns.expiresAt?.offsetMinutes ?? toOffsetMinutes(timezone),
          },
        }
      },
      form: apiKeys.hash,
      runQuery: input.runQuery,
      onFault: (keyId, reason) => {
        log.warn({ keyId, reason }, 'a stored key cannot be accepted')
      },
    }),
  })
  metrics.watch('vitrine_key_cache_known', 'Keys in the cache.', () => keyCache.measure().known)
  metrics.watch(
    'vitrine_key_cache_unknown',
    'Hashes in the cache that no key has.',
    () => keyCache.measure().unknown,
  )
  const refusedKeys = createRefusedKeys({
    perMinute: input.config.refusedKeysPerMinute,
    clock: input.ageClock,
    onLimit: (address) => {
      metrics.countAddressLimit()
      log.warn({ address }, 'an address sends too many keys that are not accepted')
    },
  })
  metrics.watch('vitrine_refused_addresses', 'Addresses whose refused keys are counted.', refusedKeys.size)
  return createAuthenticate({
    form: apiKeys.hash,
    prefix: apiKeys.prefix,
    keyCache,
    refusedKeys,
    clock: input.clock,
  })
}

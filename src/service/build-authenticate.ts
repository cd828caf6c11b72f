import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { RunQuery } from '../database/statement.js'
import { createAuthenticate } from '../http/authenticate.js'
import type { Authenticate } from '../http/authenticate.js'
import { createFailedAuthentications } from '../http/failed-authentications.js'
import type { FailedAuthentications } from '../http/failed-authentications.js'
import type { Metrics } from '../http/metrics.js'
import { createKeyCache } from '../keys/key-cache.js'
import type { KeyCache } from '../keys/key-cache.js'
import { createKeyLookup } from '../keys/key-lookup.js'
import type { KeyRow } from '../keys/key-lookup.js'
import { expiresSoon } from '../keys/validate-key.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { SchemaWatch } from './watch-schema.js'

interface AuthenticateInput {
  readonly config: Config
  readonly mapping: Mapping
  readonly schema: Pick<SchemaWatch, 'requireKeys'>
  readonly runQuery: RunQuery
  readonly metrics: Metrics
  readonly log: Logger
  /** Milliseconds since 1970; keys are validated by it. */
  readonly clock: Clock
  /** Milliseconds of a clock that never steps back; cached rows age by it. */
  readonly ageClock: Clock
}

/** Builds authentication from the key table of the mapping, the key cache and the failed-authentication limit. */
export function buildAuthenticate(input: AuthenticateInput): Authenticate {
  const { apiKeys } = input.mapping
  return createAuthenticate({
    form: apiKeys.hash,
    prefix: apiKeys.prefix,
    keyCache: buildKeyCache(input),
    failedAuthentications: buildFailedAuthentications(input),
    clock: input.clock,
  })
}

function buildKeyCache(input: AuthenticateInput): KeyCache<KeyRow> {
  const { config, mapping, schema, metrics, log } = input
  const keyCache = createKeyCache({
    ...config.keyCache,
    clock: input.ageClock,
    lookup: createKeyLookup({
      requireTable: schema.requireKeys,
      apiKeys: mapping.apiKeys,
      runQuery: input.runQuery,
      onInvalidRow: (keyId, reason) => {
        log.warn({ keyId, reason }, 'a stored key cannot be accepted')
      },
    }),
  })
  metrics.watch('vitrine_key_cache_known', 'Keys in the key cache.', () => keyCache.measure().known)
  metrics.watch(
    'vitrine_key_cache_unknown',
    'Hashes in the key cache that are not in the key table.',
    () => keyCache.measure().unknown,
  )
  metrics.watch(
    'vitrine_keys_expiring',
    'Keys that were used and expire within 14 days.',
    () => [...keyCache.listKnown()].filter((row) => expiresSoon(row, input.clock())).length,
  )
  return keyCache
}

function buildFailedAuthentications({
  config,
  metrics,
  log,
  ageClock,
}: AuthenticateInput): FailedAuthentications {
  const failedAuthentications = createFailedAuthentications({
    perMinute: config.failedAuthenticationsPerMinute,
    clock: ageClock,
    onLimit: (address) => {
      metrics.countAddressLimit()
      log.warn({ address }, 'an address sends too many keys that are not accepted')
    },
  })
  metrics.watch(
    'vitrine_refused_addresses',
    'Addresses whose failed authentications are counted.',
    failedAuthentications.countAddresses,
  )
  return failedAuthentications
}

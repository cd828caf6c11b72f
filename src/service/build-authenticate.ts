import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { RunQuery } from '../database/statement.js'
import { createAuthenticate } from '../api/authenticate.js'
import type { Authenticate } from '../api/authenticate.js'
import { createFailedAuthentications } from '../api/rate-limits.js'
import type { FailedAuthentications } from '../api/rate-limits.js'
import type { Metrics } from '../api/metrics.js'
import { createKeyCache } from '../keys/key-cache.js'
import type { KeyCache } from '../keys/key-cache.js'
import { createKeyLookup } from '../keys/key-lookup.js'
import type { KeyRow } from '../keys/key.js'
import { expiresSoon } from '../keys/key.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { SchemaWatch } from './watch-schema.js'

interface AuthenticateInput {
  readonly config: Config
  readonly mapping: Mapping
  readonly schema: Pick<SchemaWatch, 'requireKeys'>
  /** A fresh query, so that replica lag does not prolong the life of a revoked key beyond the cache. */
  readonly runQuery: RunQuery
  readonly failedAuthentications: FailedAuthentications
  readonly log: Logger
  /** Milliseconds since 1970; keys are validated by it. */
  readonly clock: Clock
  /** Milliseconds of a clock that never steps back; cached rows age by it. */
  readonly ageClock: Clock
}

/** Builds authentication from the key table of the mapping, a key cache and the failed-authentication limit. */
export function buildAuthenticate(input: AuthenticateInput): {
  readonly authenticate: Authenticate
  readonly measureKeys: () => ReturnType<KeyCache<KeyRow>['measure']> & { readonly expiring: number }
} {
  const { apiKeys } = input.mapping
  const keyCache = buildKeyCache(input)
  const authenticate = createAuthenticate({
    form: apiKeys.hash,
    prefix: apiKeys.prefix,
    keyCache,
    failedAuthentications: input.failedAuthentications,
    clock: input.clock,
  })
  return {
    authenticate,
    measureKeys: () => ({
      ...keyCache.measure(),
      expiring: [...keyCache.listKnown()].filter((row) => expiresSoon(row, input.clock())).length,
    }),
  }
}

function buildKeyCache(input: AuthenticateInput): KeyCache<KeyRow> {
  const { config, mapping, schema, log } = input
  return createKeyCache({
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
}

/** The failed-authentication limit with its metric. It outlives a reload of the mapping. */
export function buildFailedAuthentications({
  config,
  metrics,
  log,
  ageClock,
}: Pick<AuthenticateInput, 'config' | 'log' | 'ageClock'> & {
  readonly metrics: Metrics
}): FailedAuthentications {
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

import type { Logger } from 'pino'
import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import type { KeyCache } from '../keys/key-cache.js'
import type { KeyRow } from '../keys/key.js'
import type { Binding } from '../mapping/binding.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Clock } from '../values/instant.js'
import type { HttpLimits } from './connections.js'
import type { Metrics } from './metrics.js'
import type { Observe } from './observation.js'
import type { FailedAuthentications } from './rate-limits.js'

/** What a service begins with. */
export interface ServiceInput {
  readonly config: Config
  /** As the file says it. */
  readonly mapping: Mapping
  readonly log: Logger
  /** Milliseconds since 1970; keys are validated by it. */
  readonly clock: Clock
  /** Milliseconds of a clock that never steps back; cached rows age by it. */
  readonly ageClock: Clock
  /** Log lines that could not be written, since the start. */
  readonly countDroppedLines?: () => number
  /** Instead of `httpLimits`, for tests. */
  readonly limits?: HttpLimits | undefined
}

/** The end of the process, which is announced before anything closes. */
export interface Closing {
  isAnnounced: boolean
}

/** What a service is made of, each built once in `service.ts`. */
export interface Parts extends ServiceInput {
  readonly observe: Observe
  readonly metrics: Metrics
  readonly database: Database
  readonly audit: RepeatedAudit
  readonly binding: Binding
  readonly closing: Closing
  readonly keyCache: KeyCache<KeyRow>
  readonly failedAuthentications: FailedAuthentications
}

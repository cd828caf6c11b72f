import type { FastifyBaseLogger } from 'fastify'
import type { LiveResource } from '../resources/collection.js'
import type { TrustProxy } from '../values/addresses.js'
import type { RunQuery } from '../database/statement.js'
import type { Authenticate } from './authenticate.js'
import type { Closing } from './connections.js'
import type { HttpLimits, LimitRate, RateLimitInput } from './limits.js'
import type { Metrics } from './metrics.js'
import type { FindDataTime, OnInvalidRow } from './page.js'
import type { Tracing } from './tracing.js'

/** Everything the public app is made of; built once in `commands/serve.ts`, or by a test. */
export interface AppDeps {
  readonly collections: readonly LiveResource[]
  readonly authenticate: Authenticate
  readonly runQuery: RunQuery
  /** See `Database`. */
  readonly findDataTime: FindDataTime
  /** Requests that may wait for the database; see `Config`. */
  readonly queueLimit: number
  readonly metrics: Metrics
  readonly closing: Closing
  /** Where it is on. */
  readonly tracing: Pick<Tracing, 'traceRequests' | 'bindQuery'> | undefined
  readonly log: FastifyBaseLogger
  /** See `Config`. */
  readonly publicUrl: string
  readonly rateLimit: RateLimitInput
  readonly syncOverlapSeconds: number
  readonly trustProxy: TrustProxy
  /** Of this release, for the OpenAPI document. */
  readonly version: string
  /** Instead of a service's own; for tests, which do not wait for minutes. */
  readonly limits?: HttpLimits | undefined
}

/** What both kinds of routes need beside the app's own parts. */
export interface RouteDeps extends AppDeps {
  readonly onInvalidRow: OnInvalidRow
  readonly limitRate: LimitRate
}

import type { AuditEvent } from '../audit/repeat-audit.js'
import type { InvalidRow } from '../collections/records.js'
import type { DatabaseEvent } from '../database/statement.js'
import type { ProblemCode } from '../problems.js'
import type { InvalidKey } from '../keys/key-lookup.js'
import type { SchemaEvent } from '../mapping/section.js'

/** Something that happened in the service. The log and the metrics know of it by this alone. */
export type Observation =
  | DatabaseEvent
  | SchemaEvent
  | AuditEvent
  | AnsweredRequest
  | {
      readonly kind: 'problem'
      readonly requestId: string
      readonly code: ProblemCode
      readonly cause: unknown
    }
  | ({ readonly kind: 'invalid row' } & InvalidRow)
  | ({ readonly kind: 'invalid key' } & InvalidKey)
  /** Once a minute for an address that continues after its limit of failed authentications. */
  | { readonly kind: 'address limited'; readonly address: string }
  | { readonly kind: 'ready' }
  /** The reasons against traffic have changed. */
  | { readonly kind: 'unready'; readonly reasons: readonly string[] }
  | { readonly kind: 'closing' }

/** A request whose answer has ended; none of its texts is the caller's own but the id. */
export interface AnsweredRequest {
  readonly kind: 'answered'
  readonly requestId: string
  readonly method: string
  /** The pattern of the route, never the URL. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  /** Time on the database, with the time in the queue. */
  readonly databaseMs: number
  readonly keyId: string | undefined
  readonly workspaceId: string | undefined
  /** Rows that the answer was made of. */
  readonly rows: number | undefined
  readonly code: ProblemCode | undefined
  /** The parameter that is wrong. */
  readonly parameter: string | undefined
}

/** Receives what happened. */
export type Observe = (event: Observation) => void

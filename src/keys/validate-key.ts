import { Problem } from '../errors.js'
import type { Scope } from '../collections/options.js'
import type { KeyRow } from './key-lookup.js'

/** The caller of a request, as its key identifies it. */
export type Principal = Omit<KeyRow, 'revoked'>

const realm = 'Bearer realm="vitrine"'

/**
 * Validates a key now, whenever its row was read. Undefined for an unknown, a revoked and an expired key alike.
 *
 * @param nowMs milliseconds since 1970-01-01 UTC.
 */
export function validateKey(row: KeyRow | null, nowMs: number): Principal | undefined {
  return row === null || row.revoked || isExpired(row, nowMs) ? undefined : row
}

/** From so long before its expiry, the owner of a key is warned. */
const warningMs = 14 * 24 * 3600 * 1000

/** Whether a key is valid now, and expires within 14 days. */
export function expiresSoon(row: KeyRow, nowMs: number): boolean {
  return validateKey(row, nowMs) !== undefined && isExpired(row, nowMs + warningMs)
}

/** @throws Problem `insufficient_scope`, naming the scope. */
export function requireScope(principal: Pick<Principal, 'scopes'>, scope: Scope): void {
  if (principal.scopes.includes(scope)) return
  throw new Problem('insufficient_scope', `This key does not have the scope ${scope}.`, {
    headers: { 'www-authenticate': `${realm}, error="insufficient_scope", scope="${scope}"` },
  })
}

/** The same problem for every key that is not accepted. */
export function createInvalidKey(): Problem {
  return new Problem('invalid_key', 'The API key is unknown, revoked or expired.', {
    headers: { 'www-authenticate': `${realm}, error="invalid_token"` },
  })
}

/**
 * The problem of a request without a key. RFC 6750, section 3.1, forbids an error code there.
 *
 * @param found a sentence that says what the request has in place of a key.
 */
export function createMissingKey(found: string): Problem {
  return new Problem('missing_key', `${found} Send the API key as Authorization: Bearer <key>.`, {
    headers: { 'www-authenticate': realm },
  })
}

/** A key is valid before the instant of its expiry, and not at it. */
function isExpired({ expiresAt }: KeyRow, nowMs: number): boolean {
  return expiresAt !== undefined && nowMs >= expiresAt.seconds * 1000 + expiresAt.micros / 1000
}

import type { FastifyRequest } from 'fastify'
import type { Clock } from '../clock.js'
import type { KeyCache } from '../keys/key-cache.js'
import { hashKey, isGenuine } from '../keys/key-format.js'
import type { HashForm } from '../keys/key-format.js'
import type { KeyRow } from '../keys/key-lookup.js'
import { createInvalidKey, validateKey } from '../keys/validate-key.js'
import type { Principal } from '../keys/validate-key.js'
import type { FailedAuthentications, Reservation } from './failed-authentications.js'
import { readKey } from './read-key.js'
import { measureDatabase } from './request-context.js'

/**
 * Finds the principal of a request's key, and stores it in the request context.
 *
 * @throws Problem `missing_key`, `invalid_key`, or `rate_limited` after too many failures of the address.
 */
export type Authenticate = (request: FastifyRequest) => Promise<Principal>

interface AuthenticateInput {
  readonly form: HashForm
  /** If the mapping has one, texts that `mintKey` cannot have made are rejected without a lookup. */
  readonly prefix: string | undefined
  readonly keyCache: KeyCache<KeyRow>
  readonly failedAuthentications: FailedAuthentications
  readonly clock: Clock
}

/** Reads bearer keys through the key cache. The row is validated on every request. */
export function createAuthenticate(input: AuthenticateInput): Authenticate {
  const { form, prefix, keyCache, clock } = input
  return async (request) => {
    const key = readKey(request)
    if (key === undefined || (prefix !== undefined && !isGenuine(key, prefix)))
      throw rejectKey(input, request)
    const hash = hashKey(key, form)
    const row = keyCache.find(hash)
    const principal = row === undefined ? await lookUp(input, request, hash) : validateKey(row, clock())
    if (principal === undefined) throw rejectKey(input, request)
    request.context.principal = principal
    return principal
  }
}

/** Every key that is not accepted counts, wherever it was rejected, so that the limit reveals nothing about keys. */
function rejectKey({ failedAuthentications }: AuthenticateInput, { ip }: FastifyRequest): Error {
  failedAuthentications.reserve(ip).reject()
  return createInvalidKey()
}

/**
 * Looks a key up under a reservation of its address. A key that was valid at its last lookup needs none, because valid
 * callers can share an address with a caller that guesses keys.
 */
async function lookUp(
  input: AuthenticateInput,
  request: FastifyRequest,
  hash: string,
): Promise<Principal | undefined> {
  const { keyCache, failedAuthentications, clock } = input
  const lastRow = keyCache.recall(hash)
  const wasValid = lastRow !== undefined && validateKey(lastRow, clock()) !== undefined
  let reservation: Reservation | undefined
  const reserve = (): void => {
    if (!wasValid) reservation = failedAuthentications.reserve(request.ip)
  }
  try {
    const row = await measureDatabase(request, () => keyCache.get(hash, reserve))
    const principal = validateKey(row, clock())
    if (principal !== undefined || reservation === undefined) return principal
    reservation.reject()
    throw createInvalidKey()
  } finally {
    reservation?.release()
  }
}

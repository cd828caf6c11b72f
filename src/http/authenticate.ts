import type { FastifyRequest } from 'fastify'
import type { Clock } from '../clock.js'
import { hashKey, isGenuine } from '../keys/key-format.js'
import type { HashForm } from '../keys/key-format.js'
import { createInvalidKey, createMissingKey, validateKey } from '../keys/validate-key.js'
import type { Principal } from '../keys/validate-key.js'
import type { KeyCache } from '../keys/key-cache.js'
import type { KeyRow } from '../keys/key-lookup.js'
import { beginDatabase, endDatabase } from './request-context.js'
import type { RefusedKeys, Try } from './failed-authentications.js'

/**
 * Who a request's Authorization header stands for.
 *
 * @throws Problem `missing_key`, `invalid_key`, or `rate_limited` where its address has sent too many of those.
 */
export type Authenticate = (request: FastifyRequest) => Promise<Principal>

interface AuthenticateInput {
  readonly form: HashForm
  /** Where the mapping has one, texts that `mintKey` cannot have made are refused without a look. */
  readonly prefix: string | undefined
  readonly keyCache: KeyCache<KeyRow>
  readonly refusedKeys: RefusedKeys
  readonly clock: Clock
}

// RFC 6750, section 2.1, with the scheme in any case. A longer text than this is no key of anyone's.
const bearer = /^bearer +([\w.~+/-]{1,512}=*) *$/i
const anyBearer = /^bearer(?: |$)/i

/** Reads bearer keys, through the cache; a row is judged on every request. */
export function createAuthenticate(input: AuthenticateInput): Authenticate {
  const { form, prefix, keyCache, clock } = input
  return async (request) => {
    const header = request.headers.authorization
    if (header === undefined || !anyBearer.test(header)) throw createMissingKey()
    const key = bearer.exec(header)?.[1]
    if (key === undefined || (prefix !== undefined && !isGenuine(key, prefix))) throw refuse(input, request)
    const hash = hashKey(key, form)
    const row = keyCache.find(hash)
    if (row === undefined) return lookUp(input, request, hash)
    const principal = validateKey(row, clock())
    if (principal === undefined) throw refuse(input, request)
    return principal
  }
}

/** Every key that is not accepted counts, wherever it was refused, so that the limit tells nothing about keys. */
function refuse({ refusedKeys }: AuthenticateInput, { ip }: FastifyRequest): Error {
  refusedKeys.begin(ip).refuse()
  return createInvalidKey()
}

/** Who was good when last seen is looked up whatever else comes from the address; others share it with a guesser. */
async function lookUp(input: AuthenticateInput, request: FastifyRequest, hash: string): Promise<Principal> {
  const { keyCache, refusedKeys, clock } = input
  const met = keyCache.recall(hash)
  const trusted = met !== undefined && validateKey(met, clock()) !== undefined
  let begun: Try | undefined
  beginDatabase(request.facts)
  const row = await keyCache
    .get(hash, () => {
      if (!trusted) begun = refusedKeys.begin(request.ip)
    })
    .catch((error: unknown) => {
      begun?.leave()
      throw error
    })
  endDatabase(request.facts)
  const principal = validateKey(row, clock())
  if (principal === undefined && begun === undefined) throw refuse(input, request)
  if (principal === undefined) {
    begun?.refuse()
    throw createInvalidKey()
  }
  begun?.leave()
  return principal
}

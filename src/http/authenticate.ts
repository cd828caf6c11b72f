import type { Clock } from '../clock.js'
import { hashKey } from '../keys/hash-key.js'
import type { HashForm } from '../keys/hash-key.js'
import { createInvalidKey, createMissingKey, judgeKey } from '../keys/judge-key.js'
import type { Principal } from '../keys/judge-key.js'
import type { KeyCache } from '../keys/key-cache.js'
import { isGenuine } from '../keys/key-format.js'
import type { KeyRow } from '../keys/key-row.js'

/**
 * Who an Authorization header stands for.
 *
 * @throws Problem `missing_key` or `invalid_key`.
 */
export type Authenticate = (header: string | undefined) => Promise<Principal>

interface AuthenticateInput {
  readonly form: HashForm
  /** Where the mapping has one, texts that `mintKey` cannot have made are refused without a look. */
  readonly prefix: string | undefined
  readonly keyCache: KeyCache<KeyRow>
  readonly clock: Clock
}

// RFC 6750, section 2.1, with the scheme in any case. A longer text than this is no key of anyone's.
const bearer = /^bearer +([\w.~+/-]{1,512}=*) *$/i
const anyBearer = /^bearer(?: |$)/i

/** Reads bearer keys, through the cache; a row is judged on every request. */
export function createAuthenticate({ form, prefix, keyCache, clock }: AuthenticateInput): Authenticate {
  return async (header) => {
    if (header === undefined || !anyBearer.test(header)) throw createMissingKey()
    const key = bearer.exec(header)?.[1]
    if (key === undefined || (prefix !== undefined && !isGenuine(key, prefix))) throw createInvalidKey()
    return judgeKey(await keyCache.get(hashKey(key, form)), clock())
  }
}

import { accept, as, both, hasCode, ofKind, withMethod, withStatus } from '../change.js'
import type { Answer } from '../broken-service.js'
import type { Breaks, Meant } from '../change.js'
import { keys } from '../../product/index.js'

const asBoth = as(keys.both)
const ofInvalidKey = hasCode('invalid_key')
const ofMissingKey = hasCode('missing_key')
const ofScope = hasCode('insufficient_scope')
const isRevoked: Meant = (_, asked) => asked.headers['authorization'] === `Bearer ${keys.revoked}`
const isTagged: Meant = (_, asked) => asked.headers['if-none-match'] !== undefined
const isBadRequest = ({ status }: Answer): boolean => status === 400

/** Keys that are taken or refused in another way, and rates that do not count. */
export const keyBreaks: Breaks = {
  'invalid-key': {
    'a revoked key with the tag of an answer is 304': accept(
      both(ofInvalidKey, isRevoked),
      asBoth,
      ({ status }) => status === 304,
    ),
    'a revoked key goes on with a cursor': accept(
      both(both(ofInvalidKey, isRevoked), (_, { target }) => target.includes('cursor=')),
      asBoth,
    ),
    'an unknown key with the tag of an answer is 304': accept(both(ofInvalidKey, isTagged), asBoth),
  },
  'missing-key': {
    'parameters are checked before the key': accept(withStatus(401), asBoth, isBadRequest),
    'HEAD needs no key': accept(both(withStatus(401), withMethod('HEAD')), asBoth),
    'a key is accepted in X-API-Key': accept(
      both(ofMissingKey, (_, asked) => asked.headers['x-api-key'] === keys.both),
      asBoth,
    ),
  },
  scopes: {
    'parameters are checked before the scope': accept(ofScope, asBoth, isBadRequest),
    'a single record needs no scope': accept(both(ofScope, ofKind('item')), asBoth),
    'HEAD needs no scope': accept(both(withStatus(403), withMethod('HEAD')), asBoth),
  },
}

import type { Call } from '../exchange.js'

/**
 * A request that must be refused: what follows the path of a list, the problem, and how it differs from a GET with the
 * key. `{id}` is the id of a record.
 */
export type Refusal = readonly [target: string, problem: string, how?: Partial<Call>]

/** Requests that must be refused at each place of a kind. */
export interface RefusalTable {
  /**
   * Each list that the key can read, each that is served, each that is not, each that a key may not read, with that key,
   * or the API itself.
   */
  readonly at: 'readable' | 'served' | 'absent' | 'forbidden' | 'api'
  readonly refusals: readonly Refusal[]
}

const noKey = { from: 'none' } as const
const head = { method: 'HEAD' } as const
const unknown = { from: { authorization: 'Bearer verify-this-is-no-key' } } as const

function all(problem: string, targets: readonly string[], how: Partial<Call> = {}): readonly Refusal[] {
  return targets.map((target) => [target, problem, how])
}

/** Values of a parameter that are refused, the empty one among them. */
function invalid(parameter: string, ...values: readonly string[]): readonly Refusal[] {
  const targets = ['', ...values].map((value) => `?${parameter}=${value}`)
  return all(`invalid_parameter ${parameter}`, targets)
}

/**
 * With a key that is not valid; few, because a service counts the keys that it refuses for each address.
 *
 * @param cursor of a list that the key can read.
 */
export function listInvalidKeys(hasRevoked: boolean, cursor: string): readonly Refusal[] {
  const revoked = ['?limit=1', '/{id}', '?status=verify', `?cursor=${encodeURIComponent(cursor)}`]
  return [
    ['', 'invalid_key', unknown],
    ['', 'invalid_key', { from: { authorization: 'Bearer x' } }],
    ['?limit=1', 'invalid_key', { from: { authorization: 'Bearer {key}x' } }],
    ...all('invalid_key', hasRevoked ? revoked : [], { from: 'revokedKey' }),
  ]
}

/** Cursors that differ from a real one, and texts that were never one. */
export function listAlteredCursors(cursor: string): readonly Refusal[] {
  const replaced = [0, 18, cursor.length >> 1, cursor.length - 1].map(
    (at) => `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`,
  )
  const texts = [...replaced, cursor.slice(0, -1), `${cursor}A`, `${cursor}%3D`, `${cursor}%20`, 'abc', '']
  return texts.map((text) => [`?cursor=${text}`, 'invalid_cursor cursor'])
}

/** A key in the address, only on this machine: servers log addresses. */
export const keyInAddress: RefusalTable = {
  at: 'served',
  refusals: [['?access_token={key}', 'missing_key', noKey]],
}

/** Wrong in two ways: the first check of the contract answers. */
const wrongTwice = '?limit=0&page=2'

/** The guarantees that are tables: their names, titles and requests. */
export const refusalTables: readonly (readonly [name: string, title: string, ...tables: RefusalTable[]])[] = [
  [
    'not-found',
    'An id that does not exist is 404',
    { at: 'readable', refusals: all('not_found', ['/verify-no-such-id', '/%25', '/99999999999999999999']) },
  ],
  [
    'missing-key',
    'A request without a key is 401 missing_key',
    {
      at: 'served',
      refusals: [
        ...all('missing_key', ['', '/{id}', '?access_token=verify-this-is-no-key', wrongTwice], noKey),
        ...all('missing_key', ['', '/{id}'], { ...noKey, ...head }),
        ['', 'missing_key', { from: { authorization: 'Basic dmVyaWZ5OnZlcmlmeQ==' } }],
        ['', 'missing_key', { from: { authorization: '{key}' } }],
        ['', 'missing_key', { ...noKey, headers: { 'x-api-key': '{key}' } }],
        // A variable that is not set: earlier releases take what is there for a key.
        ['', 'missing_key|invalid_key', { from: { authorization: 'Bearer' } }],
      ],
    },
  ],
  [
    'scopes',
    'A key without the scope is 403 insufficient_scope, whatever the parameters are',
    {
      at: 'forbidden',
      refusals: [
        ...all('insufficient_scope', [
          '',
          '/{id}',
          '?limit=1',
          '?status=verify',
          '?eventId=verify',
          wrongTwice,
        ]),
        ...all('insufficient_scope', ['?updatedSince=2026-01-01', '?cursor=verify']),
        ...all('insufficient_scope', ['', '/{id}'], head),
      ],
    },
  ],
  [
    'parameters',
    'Unknown, repeated and invalid parameters are 400 and named',
    {
      at: 'readable',
      refusals: [
        ...invalid('limit', '0', '101', '-1', 'ten', '1.5', '5&limit=5'),
        ...invalid('updatedSince', 'yesterday', '2026-03-01T09:30:00', '2026-02-30', '2026-03-01T24:00:00Z'),
        ...invalid('eventId', 'a&eventId=b'),
        ...invalid('status', '%ff'),
        ...['page', 'Limit', 'eventId[]', 'access_token'].map((name): Refusal => [
          `?${name}=1`,
          `unknown_parameter ${name}`,
        ]),
        ['/{id}?limit=1', 'unknown_parameter limit'],
      ],
    },
  ],
  [
    'routes',
    'Paths that the API does not have are 404',
    // Below the base path only, because a proxy may serve something else beside it.
    {
      at: 'api',
      refusals: all('not_found', ['', '/', '/verify-no-such-collection', '/Registrations', '/Invoices']),
    },
    { at: 'absent', refusals: all('not_found', ['', '/verify-no-such-id']) },
    { at: 'readable', refusals: all('not_found', ['/', '/{id}/', '/{id}/more']) },
  ],
  [
    'methods',
    'Other methods are 405 with Allow',
    {
      at: 'readable',
      refusals: [
        ['', 'method_not_allowed', { method: 'POST' }],
        ['/{id}', 'method_not_allowed', { method: 'PUT' }],
        // Never at the address of a record that exists, whatever it is that answers there.
        ['/verify-no-such-id', 'method_not_allowed', { method: 'DELETE' }],
        // Without an Origin, which a preflight of a browser has.
        ['', 'method_not_allowed', { method: 'OPTIONS' }],
      ],
    },
  ],
]

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
  /** Why a part is not verified, where there is no such place. */
  readonly none?: string
  /** Whether a proxy may refuse the request in its own way. */
  readonly isProxyAllowed?: boolean
  /** Only every third request of the lists after the first one: they share their parameters. */
  readonly isShared?: boolean
}

const noKey = { from: 'none' } as const
const wrongKey = { from: { authorization: 'Bearer verify-this-is-no-key' } } as const
const head = { method: 'HEAD' } as const

function toRefusals(problem: string, targets: readonly string[], how?: Partial<Call>): readonly Refusal[] {
  return targets.map((target) => (how === undefined ? [target, problem] : [target, problem, how]))
}

/** What is known for requests with keys that are not valid. */
interface Known {
  /** Whether the key has letters, so that it can be written in another case. */
  readonly hasLetters: boolean
  readonly hasRevoked: boolean
  /** Of a list that the key can read. */
  readonly cursor: string
}

/** With a key that is not valid; few, because a service counts the keys that it refuses for each address. */
export function listInvalidKeys({ hasLetters, hasRevoked, cursor }: Known): readonly Refusal[] {
  const revoked = ['?limit=1', '/{id}', '?status=verify', `?cursor=${encodeURIComponent(cursor)}`]
  const swapped = { from: { authorization: 'Bearer {swappedKey}' } }
  return [
    ['', 'invalid_key', wrongKey],
    ['', 'invalid_key', { from: { authorization: 'Bearer x' } }],
    ['?limit=1', 'invalid_key', { from: { authorization: 'Bearer {key}x' } }],
    ...toRefusals('invalid_key', hasLetters ? [''] : [], swapped),
    ...toRefusals('invalid_key', hasRevoked ? revoked : [], { from: 'revokedKey' }),
  ]
}

/** Cursors that differ from a real one, and texts that were never one. */
export function listAlteredCursors(cursor: string): readonly Refusal[] {
  const replaced = [0, 18, cursor.length >> 1, cursor.length - 1].map(
    (at) => `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`,
  )
  const resized = [cursor.slice(0, -1), `${cursor}A`, `${cursor}%3D`, `${cursor}%20`]
  const targets = [...replaced, ...resized, 'abc', ''].map((text) => `?cursor=${text}`)
  return toRefusals('invalid_cursor cursor', targets)
}

/** A key in the address, only on this machine: servers log addresses. */
export const keyInAddress = toRefusals('missing_key', ['?access_token={key}'], noKey)

/** Wrong in two ways: the first check of the contract answers. */
const wrongTwice = '?limit=0&page=2'

function toInvalid(parameter: string, values: readonly string[]): readonly Refusal[] {
  return toRefusals(
    `invalid_parameter ${parameter}`,
    values.map((value) => `?${parameter}=${value}`),
  )
}

const wrongParameters: readonly Refusal[] = [
  ...toInvalid('limit', ['0', '101', '-1', 'ten', '1.5', '', '5&limit=5', '1e1', '0x5', '%205']),
  ...toInvalid('updatedSince', [
    'yesterday',
    '2026-03-01T09:30:00',
    '2026-02-30',
    '2026-03-01T24:00:00Z',
    '1767225600',
    '',
    '2026-03-01&updatedSince=2026-03-02',
  ]),
  ...toInvalid('eventId', ['', 'a&eventId=b', 'x'.repeat(201)]),
  ...toInvalid('status', ['', '%ff']),
  ...['page', 'Limit', 'eventId[]', 'sort', 'access_token'].map(
    (name) => [`?${name}=1`, `unknown_parameter ${name}`] as const,
  ),
  ['/{id}?limit=1', 'unknown_parameter limit'],
]

const noSuchIds = toRefusals('not_found', ['/verify-no-such-id', '/%25', '/99999999999999999999'])

/** The guarantees that are tables: their names and requests. */
export const refusalTables = {
  'not-found': [{ at: 'readable', refusals: noSuchIds }],
  'missing-key': [
    {
      at: 'served',
      refusals: [
        ...toRefusals('missing_key', ['', '/{id}', '?access_token=verify-this-is-no-key'], noKey),
        ...toRefusals('missing_key', ['', '/{id}'], { ...noKey, ...head }),
        ['', 'missing_key', { from: { authorization: 'Basic dmVyaWZ5OnZlcmlmeQ==' } }],
        ['', 'missing_key', { from: { authorization: '{key}' } }],
        ['', 'missing_key', { ...noKey, headers: { 'x-api-key': '{key}' } }],
        // A variable that is not set: earlier releases take what is there for a key.
        ['', 'missing_key|invalid_key', { from: { authorization: 'Bearer' } }],
      ],
    },
  ],
  scopes: [
    {
      at: 'forbidden',
      refusals: [
        ...toRefusals('insufficient_scope', ['', '/{id}', '?limit=1', '?status=verify', '?eventId=verify']),
        ...toRefusals('insufficient_scope', ['?updatedSince=2026-01-01', '?cursor=verify']),
        ...toRefusals('insufficient_scope', ['', '/{id}'], head),
      ],
      none: 'no key lacks the scope of a collection that is served: it needs --scoped-key-env with a key of one scope',
    },
  ],
  'check-order': [
    {
      at: 'readable',
      refusals: [
        [wrongTwice, 'missing_key', noKey],
        [wrongTwice, 'invalid_key', wrongKey],
      ],
    },
    {
      at: 'forbidden',
      refusals: [[wrongTwice, 'insufficient_scope']],
      none: 'no key lacks a scope: the place of the scope in the order was not seen',
    },
  ],
  parameters: [
    { at: 'readable', refusals: wrongParameters, isShared: true },
    { at: 'api', refusals: [['/openapi.json?limit=1', 'unknown_parameter limit', noKey]] },
  ],
  routes: [
    // Below the base path only, because a proxy may serve something else beside it.
    {
      at: 'api',
      refusals: toRefusals('not_found', [
        ...['', '/', '/verify-no-such-collection', '/Registrations', '/Invoices', '/openapi.json/'],
      ]),
    },
    { at: 'absent', refusals: toRefusals('not_found', ['', '/verify-no-such-id']) },
    { at: 'readable', refusals: toRefusals('not_found', ['/', '/{id}/', '/{id}/more']) },
  ],
  methods: [
    {
      at: 'readable',
      refusals: [
        ['', 'method_not_allowed', { method: 'POST' }],
        ['/{id}', 'method_not_allowed', { method: 'PUT' }],
        ['/{id}', 'method_not_allowed', { method: 'PATCH' }],
        // Never at the address of a record that exists, whatever it is that answers there.
        ['/verify-no-such-id', 'method_not_allowed', { method: 'DELETE' }],
        // Without an Origin, which a preflight of a browser has.
        ['', 'method_not_allowed', { method: 'OPTIONS' }],
      ],
    },
  ],
  'request-limits': [
    {
      at: 'readable',
      isProxyAllowed: true,
      refusals: [
        ['/%zz', 'malformed_request'],
        [`?status=${'x'.repeat(9000)}`, 'uri_too_long'],
        ['', 'headers_too_large', { headers: { 'x-verify': 'x'.repeat(20_000) } }],
      ],
    },
  ],
} as const satisfies Readonly<Record<string, readonly RefusalTable[]>>

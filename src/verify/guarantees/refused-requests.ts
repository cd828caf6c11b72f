import type { Call } from '../exchange.js'

/**
 * A request that must be refused: what follows the path of a list, the problem, and how it differs from a GET with the
 * key. `{id}` is the id of a record, and `{cursor}` the cursor of a page.
 */
export type Refusal = readonly [target: string, problem: string, how?: Partial<Call>]

export const noKey = { from: 'none' } as const
export const wrongKey = { from: { authorization: 'Bearer verify-this-is-no-key' } } as const

export const withoutKey: readonly Refusal[] = [
  ['', 'missing_key', noKey],
  ['/{id}', 'missing_key', noKey],
  ['', 'missing_key', { ...noKey, method: 'HEAD' }],
  ['/{id}', 'missing_key', { ...noKey, method: 'HEAD' }],
  ['', 'missing_key', { from: { authorization: 'Basic dmVyaWZ5OnZlcmlmeQ==' } }],
  ['', 'missing_key', { from: { authorization: '{key}' } }],
  ['', 'missing_key', { ...noKey, headers: { 'x-api-key': '{key}' } }],
  ['?access_token=verify-this-is-no-key', 'missing_key', noKey],
]

/** Few, because a service counts the keys that it refuses for each address. */
export const withWrongKey: readonly Refusal[] = [
  ['', 'invalid_key', wrongKey],
  ['', 'invalid_key', { from: { authorization: 'Bearer x' } }],
  ['?limit=1', 'invalid_key', { from: { authorization: 'Bearer {key}x' } }],
]

export const withRevokedKey: readonly Refusal[] = [
  ['?limit=1', 'invalid_key', { from: 'revokedKey' }],
  ['/{id}', 'invalid_key', { from: 'revokedKey' }],
  ['?status=verify', 'invalid_key', { from: 'revokedKey' }],
]

/** With a key that lacks the scope. */
export const withoutScope: readonly Refusal[] = [
  ['', 'insufficient_scope'],
  ['', 'insufficient_scope', { method: 'HEAD' }],
  ['/{id}', 'insufficient_scope'],
  ['/{id}', 'insufficient_scope', { method: 'HEAD' }],
  ['?limit=1', 'insufficient_scope'],
  ['?status=verify', 'insufficient_scope'],
  ['?eventId=verify', 'insufficient_scope'],
  ['?updatedSince=2026-01-01', 'insufficient_scope'],
  ['?cursor=verify', 'insufficient_scope'],
]

/** Wrong in two ways: the first check of the contract answers. */
export const wrongTwice = '?limit=0&page=2'

export const wrongParameters: readonly Refusal[] = [
  ...['0', '101', '-1', 'ten', '1.5', '', '5&limit=5', '1e1', '0x5', '%205'].map(
    (value) => [`?limit=${value}`, 'invalid_parameter limit'] as const,
  ),
  ...[
    'yesterday',
    '2026-03-01T09:30:00',
    '2026-02-30',
    '2026-03-01T24:00:00Z',
    '1767225600',
    '',
    '2026-03-01&updatedSince=2026-03-02',
  ].map((value) => [`?updatedSince=${value}`, 'invalid_parameter updatedSince'] as const),
  ...['', 'a&eventId=b', 'x'.repeat(201)].map(
    (value) => [`?eventId=${value}`, 'invalid_parameter eventId'] as const,
  ),
  ...['', '%ff'].map((value) => [`?status=${value}`, 'invalid_parameter status'] as const),
  ...['page', 'Limit', 'eventId[]', 'sort', 'access_token'].map(
    (name) => [`?${name}=1`, `unknown_parameter ${name}`] as const,
  ),
  ['/{id}?limit=1', 'unknown_parameter limit'],
]

export const alteredCursors: readonly Refusal[] = [
  ...['{cursor0}', '{cursor18}', '{cursorMiddle}', '{cursorEnd}', '{cursorShort}', '{cursor}A'],
  ...['{cursor}%3D', '{cursor}%20', 'abc', ''],
].map((cursor) => [`?cursor=${cursor}`, 'invalid_cursor cursor'] as const)

export const otherMethods: readonly Refusal[] = [
  ['', 'method_not_allowed', { method: 'POST' }],
  ['/{id}', 'method_not_allowed', { method: 'PUT' }],
  ['/{id}', 'method_not_allowed', { method: 'PATCH' }],
  // Never at the address of a record that exists, whatever it is that answers there.
  ['/verify-no-such-id', 'method_not_allowed', { method: 'DELETE' }],
  // Without an Origin, which a preflight of a browser has.
  ['', 'method_not_allowed', { method: 'OPTIONS' }],
]

/** A proxy may refuse these before the service does. */
export const malformed: readonly Refusal[] = [
  ['/%zz', 'malformed_request'],
  [`?status=${'x'.repeat(9000)}`, 'uri_too_long'],
  ['', 'headers_too_large', { headers: { 'x-verify': 'x'.repeat(20_000) } }],
]

export const nowhere: readonly Refusal[] = ['verify-no-such-id', '%25', '99999999999999999999'].map(
  (id) => [`/${id}`, 'not_found'] as const,
)

/** Below the path of a list. */
export const noPaths: readonly Refusal[] = ['/', '/{id}/', '/{id}/more'].map(
  (path) => [path, 'not_found'] as const,
)

/** Below the base path only, because a proxy may serve something else beside it. */
export const noPathsAtAll = [
  '',
  '/',
  '/verify-no-such-collection',
  '/Registrations',
  '/Invoices',
  '/openapi.json/',
]

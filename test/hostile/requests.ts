import fc from 'fast-check'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'

/*
 * What hostile callers send, as texts of one character for each byte: requests that are almost right, put together
 * from pieces that have broken servers before, then changed at random.
 */

/** Bytes of any value. */
const noise = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
  maxLength: 40,
})

const method = fc.oneof(
  { weight: 12, arbitrary: fc.constant('GET') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'HEAD',
      'POST',
      'PUT',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'CONNECT',
      'PRI',
      'get',
      'QUERY',
    ),
  },
  { weight: 1, arbitrary: noise },
)

const route = fc.constantFrom(
  `${base}/registrations`,
  `${base}/invoices`,
  `${base}/registrations/01JN0000000000000000000000`,
  `${base}/invoices/`,
  `${base}/openapi.json`,
  base,
  '/docs',
  '/docs/errors',
  '/docs/',
  '/docs/sync',
  '/docs/assets/docs.css',
  '/docs/assets/docs.js?v=1',
  '/docs/assets/',
  '/',
  '*',
)

const pathPiece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '/..',
    '/%2e%2e/',
    '/.%00',
    '%',
    '%zz',
    '%ff',
    '%c0%af',
    '\\',
    ';a=b',
    ':id',
    '/*',
    '#x',
    '%23',
    '?',
  ),
  fc.constantFrom(
    '%F0%9F%98%80',
    "'",
    '`',
    '${x}',
    '{}',
    '|',
    '^',
    '__proto__',
    'constructor',
    'x'.repeat(9000),
  ),
  noise,
)

const value = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '100',
    '1e3',
    '2026-03-01',
    '2026-03-01T09:30:00+03:00',
    '+',
    '%2B',
    '%00',
    '%zz',
    '%',
  ),
  fc.constantFrom(
    'CONFIRMED',
    "'",
    '1 or 1=1',
    '%F0%9F%98%80',
    '%ED%A0%80',
    'AQID',
    'A'.repeat(300),
    '__proto__',
    '',
  ),
  noise,
)

const parameter = fc
  .tuple(
    fc.constantFrom('limit', 'cursor', 'updatedSince', 'eventId', 'status', 'limit[]', '__proto__', ''),
    value,
  )
  .map(([name, text]) => `${name}=${text}`)

const target = fc
  .record({
    origin: fc.oneof(
      { weight: 10, arbitrary: fc.constant('') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('http://a', 'HTTPS://a:1', 'http://', 'ftp://a', '//a', 'a:443'),
      },
    ),
    route,
    pieces: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(pathPiece, { maxLength: 2 }) },
    ),
    parameters: fc.array(parameter, { maxLength: 3 }),
  })
  .map(
    (one) =>
      `${one.origin}${one.route}${one.pieces.join('')}${one.parameters.length === 0 ? '' : '?'}${one.parameters.join('&')}`,
  )

const version = fc.oneof(
  { weight: 12, arbitrary: fc.constant('HTTP/1.1') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/1.2',
      'http/1.1',
      'RTSP/1.0',
      '',
      'HTTP/1.1 ',
    ),
  },
)

const bearers = [...Object.values(keys), 'x', `evk_${'A'.repeat(49)}`, 'y'.repeat(600), 'ÿ'].map(
  (key) => `Bearer ${key}`,
)

/** Header names, and for each what has been a trap to somebody. */
const traps: Readonly<Record<string, readonly string[]>> = {
  Host: ['a', '', 'a, b', 'a/b', '[::1]:80', 'a:99999999', 'x'.repeat(5000), 'me@a'],
  Authorization: [...bearers, 'Basic eDp5', 'Bearer', 'bearer  x', `BEARER ${keys.both}`],
  'Content-Length': ['0', '5', '5, 5', '+5', '-1', '0x5', '99999999999999999999', '5 5', ''],
  'Transfer-Encoding': [
    'chunked',
    'Chunked',
    'identity',
    'gzip, chunked',
    'chunked, chunked',
    'xchunked',
    'chunked;a=b',
    '',
  ],
  'If-None-Match': ['*', 'W/"x"', '"', ', ,', 'W/'.repeat(500)],
  'X-Request-Id': ['abc', '', 'a b', 'x'.repeat(65), '../..', 'é'],
  Connection: [
    'close',
    'keep-alive',
    'Upgrade',
    'close, keep-alive',
    'authorization',
    'Upgrade, HTTP2-Settings',
  ],
  Upgrade: ['websocket', 'h2c', 'TLS/1.0', ''],
  Expect: ['100-continue', '200-ok', ''],
  Range: ['bytes=0-0', 'bytes=9-1', 'bytes=0-1,5-6', 'x'],
  'If-Match': ['"x"', '*'],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  'If-Unmodified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  Accept: ['*/*', 'x', 'application/xml;q=9'],
  'Accept-Encoding': ['gzip, br', 'identity;q=0', '*;q=0'],
  'Content-Type': ['application/json', 'x', 'application/json; charset=utf-7'],
  'X-Forwarded-For': ['1.2.3.4', 'x', ','.repeat(1000)],
  'X-Forwarded-Host': ['evil'],
  'X-HTTP-Method-Override': ['DELETE'],
  __proto__: ['x'],
  constructor: ['x'],
}

const header = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(...Object.entries(traps))
      .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values))),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('X-A', 'Host', 'Authorization', 'Cookie'), noise) },
  { weight: 1, arbitrary: fc.tuple(noise, noise) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('X-Big'),
      fc.integer({ min: 1, max: 20_000 }).map((length) => 'x'.repeat(length)),
    ),
  },
)

const headers = fc
  .array(header, { maxLength: 6 })
  .map((all) => all.map(([name, text]) => `${name}: ${text}\r\n`).join(''))

/** What most requests need to come further than the first refusal. */
const usual = fc.oneof(
  { weight: 8, arbitrary: fc.constant(`Host: a\r\nAuthorization: Bearer ${keys.both}\r\n`) },
  { weight: 1, arbitrary: fc.constantFrom('', 'Host: a\r\n') },
)

const body = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'hello',
      '0\r\n\r\n',
      '5\r\nhello\r\n0\r\n\r\n',
      'fffffffff\r\n',
      '5;x=y\r\nhello\r\n0\r\nHost: b\r\n\r\n',
    ),
  },
  { weight: 1, arbitrary: noise },
)

const request = fc
  .record({ method, target, version, usual, headers, body })
  .map((one) => `${one.method} ${one.target} ${one.version}\r\n${one.usual}${one.headers}\r\n${one.body}`)

/** A request that is not even one. */
const stranger = fc.oneof(
  fc.constantFrom(
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x12\x04\x00\x00\x00\x00\x00',
    '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03' + '\x00'.repeat(180),
    '\x05\x01\x00',
    'SSH-2.0-x\r\n',
    'EHLO a\r\n',
    '*1\r\n$4\r\nPING\r\n',
    '\r\n\r\n\r\n',
    '\x00'.repeat(5000),
    'GET / HTTP/1.1\nHost: a\n\n',
    `GET /docs HTTP/1.1\r\n${'a: b\r\n'.repeat(2500)}\r\n`,
  ),
  noise,
)

interface Edit {
  readonly at: number
  readonly drop: number
  readonly put: string
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat({ max: 400 }),
  drop: fc.nat({ max: 3 }),
  put: fc.oneof(
    fc.constantFrom('\r', '\n', '\r\n', '\x00', ' ', '\t', ':', '\r\n ', '\r\n\r\n', '\x7f', 'ÿ'),
    noise,
  ),
})

const changed = fc
  .tuple(request, fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) =>
    edits.reduce((now, { at, drop, put }) => now.slice(0, at) + put + now.slice(at + drop), text),
  )

const flood = fc
  .tuple(request, fc.integer({ min: 2, max: 60 }))
  .map(([text, times]) => text.slice(0, 800).repeat(times))

/** Everything that one connection sends. */
export const bytes: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: request },
      { weight: 6, arbitrary: changed },
      { weight: 1, arbitrary: stranger },
      { weight: 1, arbitrary: flood },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.join(''))

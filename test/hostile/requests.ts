import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parse } from 'yaml'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'

/*
 * What hostile callers send, as texts of one character for each byte: requests that are almost right, put together
 * from pieces that have broken servers before, then changed at random.
 */

type Kind =
  'methods' | 'routes' | 'paths' | 'values' | 'origins' | 'versions' | 'bodies' | 'strangers' | 'edits'
type Pieces = Readonly<Record<Kind, readonly string[]>> & {
  readonly headers: Readonly<Record<string, readonly string[]>>
}

// Every value is a text, numbers too.
const pieces = parse(readFileSync(new URL('pieces.yaml', import.meta.url), 'utf8').replaceAll('BASE', base), {
  schema: 'failsafe',
}) as Pieces
const one = (kind: Kind, ...more: readonly string[]) => fc.constantFrom(...pieces[kind], ...more)

/** Mostly the first, now and then another. */
const mostly = (weight: number, usual: fc.Arbitrary<string>, ...others: readonly fc.Arbitrary<string>[]) =>
  fc.oneof({ weight, arbitrary: usual }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })))
const nothing = fc.constant('')

/** Bytes of any value. */
const noise = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
  maxLength: 40,
})

const parameter = fc
  .tuple(
    fc.constantFrom('limit', 'cursor', 'updatedSince', 'eventId', 'status', 'limit[]', '__proto__', ''),
    fc.oneof(one('values', 'A'.repeat(300)), noise),
  )
  .map(([name, text]) => `${name}=${text}`)

const target = fc
  .tuple(
    mostly(10, nothing, one('origins')),
    one('routes'),
    fc.array(fc.oneof(one('paths', 'x'.repeat(9000)), noise), { maxLength: 2 }),
    fc.array(parameter, { maxLength: 3 }),
  )
  .map(
    ([origin, route, paths, parameters]) =>
      `${origin}${route}${paths.join('')}${parameters.length === 0 ? '' : '?'}${parameters.join('&')}`,
  )

/** Header names, and for each what has been a trap to somebody. */
const traps: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(pieces.headers).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)),
  ...[...Object.values(keys), `evk_${'A'.repeat(49)}`, 'y'.repeat(600)].map(
    (key) => ['Authorization', `Bearer ${key}`] as const,
  ),
  ['Host', 'x'.repeat(5000)],
  ['If-None-Match', 'W/'.repeat(500)],
  ['X-Request-Id', 'x'.repeat(65)],
  ['X-Forwarded-For', ','.repeat(1000)],
]

const header = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...traps) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('X-A', 'Host', 'Authorization', 'Cookie'), noise) },
  { weight: 1, arbitrary: fc.tuple(noise, noise) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 20_000 }).map((length) => ['X-Big', 'x'.repeat(length)] as const),
  },
)

const request = fc
  .tuple(
    mostly(12, fc.constant('GET'), one('methods'), one('methods'), one('methods'), noise),
    target,
    mostly(12, fc.constant('HTTP/1.1'), one('versions'), one('versions'), one('versions')),
    // What most requests need to come further than the first refusal.
    mostly(
      8,
      fc.constant(`Host: a\r\nAuthorization: Bearer ${keys.both}\r\n`),
      nothing,
      fc.constant('Host: a\r\n'),
    ),
    fc
      .array(header, { maxLength: 6 })
      .map((all) => all.map(([name, text]) => `${name}: ${text}\r\n`).join('')),
    mostly(8, nothing, one('bodies'), noise),
  )
  .map(
    ([method, path, version, usual, headers, body]) =>
      `${method} ${path} ${version}\r\n${usual}${headers}\r\n${body}`,
  )

const stranger = fc.oneof(
  one('strangers', '\x00'.repeat(5000), `GET /docs HTTP/1.1\r\n${'a: b\r\n'.repeat(2500)}\r\n`),
  noise,
)

const edit = fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 3 }), fc.oneof(one('edits'), noise))
const changed = fc
  .tuple(request, fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) =>
    edits.reduce((now, [at, drop, put]) => now.slice(0, at) + put + now.slice(at + drop), text),
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

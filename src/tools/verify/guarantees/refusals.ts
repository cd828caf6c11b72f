import { listIds, readPage, toObject } from '../answer.js'
import type { Call, Exchange, KeyName } from '../answer.js'
import { guarantee, noCursor } from '../run.js'
import type { Access, Check, Run } from '../run.js'
import { expectNoOther, expectProblem } from './problems.js'

/**
 * Requests that must be refused: where they are sent, what follows the path of a list, the problem, and how they differ
 * from a GET with the key. `{id}`, `{etag}`, `{paged}` and so on stand for the id of a record, and for the
 * tag and cursors of pages.
 */
type Row = readonly [at: Place, targets: readonly string[], problem: string, how?: Partial<Call>]

/** Which lists a row is for, by the answer to a key, and why nothing is verified without such a list. */
const places: Readonly<Record<Place, readonly [access: readonly Access[], none?: string]>> = {
  readable: [['readable'], 'no list can be read'],
  paged: [['readable'], noCursor],
  served: [['readable', 'forbidden', 'broken'], 'no list is served'],
  forbidden: [['forbidden'], 'it needs --scoped-key-env with a key of one scope'],
  foreign: [['readable'], 'the key cannot read two collections with two records each'],
  both: [['readable'], 'it needs --other-key-env, and two records of each key'],
  absent: [['absent']],
  // Only on this machine: servers log addresses.
  local: [['readable', 'forbidden', 'broken']],
  // Below the base path only, because a proxy may serve something else beside it.
  api: [[]],
}
type Place = 'readable' | 'paged' | 'foreign' | 'both' | 'served' | 'forbidden' | 'absent' | 'local' | 'api'

const noKey = { from: 'none' } as const
const head = { method: 'HEAD' } as const
/** Neither a tag nor a cursor helps who has no valid key. */
const tagged = { 'if-none-match': '{etag}' } as const
const withKey = (text: string): Partial<Call> => ({
  from: 'none',
  headers: { authorization: text, ...tagged },
})
/** Wrong in two ways: the first check of the contract answers. */
const wrongTwice = '?limit=0&page=2'

/** Values of a parameter that are refused, the empty one among them. */
function invalid(parameter: string, ...values: readonly string[]): Row {
  const targets = ['', ...values].map((value) => `?${parameter}=${value}`)
  return ['readable', targets, `invalid_parameter ${parameter}`]
}

/** The guarantees that are tables: their names, titles and requests. */
const tables: readonly (readonly [name: string, title: string, ...rows: Row[]])[] = [
  [
    'not-found',
    'An id that does not exist is 404',
    ['readable', ['/verify-no-such-id', '/%25', '/99999999999999999999'], 'not_found'],
  ],
  [
    'cursor-collection',
    'A cursor of another collection is refused',
    ['foreign', ['?cursor={foreign}'], 'invalid_cursor cursor'],
  ],
  [
    'cursor-workspace',
    'A cursor of another workspace is refused',
    ['both', ['?cursor={both}'], 'invalid_cursor cursor'],
    ['both', ['?cursor={paged}'], 'invalid_cursor cursor', { from: 'otherKey' }],
  ],
  [
    'cursor-altered',
    'An altered cursor is refused',
    // One character other, too many or too few, and texts that were never a cursor.
    [
      'paged',
      ['{first}', '{half}', '{last}', '{cut}'].map((one) => `?cursor=${one}`),
      'invalid_cursor cursor',
    ],
    [
      'paged',
      ['{paged}A', '{paged}%3D', '{paged}%20', 'abc', ''].map((one) => `?cursor=${one}`),
      'invalid_cursor cursor',
    ],
  ],
  [
    'invalid-key',
    'A key that is not valid is 401 invalid_key',
    // Few, because a service counts the keys that it refuses for each address.
    ['readable', [''], 'invalid_key', withKey('Bearer verify-this-is-no-key')],
    ['readable', [''], 'invalid_key', withKey('Bearer x')],
    ['readable', ['?limit=1'], 'invalid_key', withKey('Bearer {key}x')],
    [
      'readable',
      ['?limit=1', '/{id}', '?status=verify', '?cursor={paged}'],
      'invalid_key',
      { from: 'revokedKey', headers: tagged },
    ],
  ],
  [
    'missing-key',
    'A request without a key is 401 missing_key',
    ['served', ['', '/{id}', '?access_token=verify-this-is-no-key', wrongTwice], 'missing_key', noKey],
    ['served', ['', '/{id}'], 'missing_key', { ...noKey, ...head }],
    ['served', [''], 'missing_key', withKey('Basic dmVyaWZ5OnZlcmlmeQ==')],
    ['served', [''], 'missing_key', withKey('{key}')],
    ['served', [''], 'missing_key', { ...noKey, headers: { 'x-api-key': '{key}' } }],
    // A variable that is not set: earlier releases take what is there for a key.
    ['served', [''], 'missing_key|invalid_key', withKey('Bearer')],
    ['local', ['?access_token={key}'], 'missing_key', noKey],
  ],
  [
    'scopes',
    'A key without the scope is 403 insufficient_scope, whatever the parameters are',
    [
      'forbidden',
      ['', '/{id}', '?limit=1', '?status=verify', '?eventId=verify', wrongTwice],
      'insufficient_scope',
    ],
    ['forbidden', ['?updatedSince=2026-01-01', '?cursor=verify'], 'insufficient_scope'],
    ['forbidden', ['', '/{id}'], 'insufficient_scope', head],
  ],
  [
    'parameters',
    'Unknown, repeated and invalid parameters are 400 and named',
    invalid('limit', '0', '101', '-1', 'ten', '1.5', '5&limit=5'),
    invalid('updatedSince', 'yesterday', '2026-03-01T09:30:00', '2026-02-30', '2026-03-01T24:00:00Z'),
    invalid('eventId', 'a&eventId=b'),
    invalid('status', '%ff'),
    ...['page', 'Limit', 'eventId[]', 'access_token'].map((name): Row => [
      'readable',
      [`?${name}=1`],
      `unknown_parameter ${name}`,
    ]),
    ['readable', ['/{id}?limit=1'], 'unknown_parameter limit'],
  ],
  [
    'routes',
    'Paths that the API does not have are 404',
    ['api', ['', '/', '/verify-no-such-collection', '/Registrations', '/Invoices'], 'not_found'],
    ['absent', ['', '/verify-no-such-id'], 'not_found'],
    ['readable', ['/', '/{id}/', '/{id}/more'], 'not_found'],
  ],
  [
    'methods',
    'Other methods are 405 with Allow',
    ['readable', [''], 'method_not_allowed', { method: 'POST' }],
    ['readable', ['/{id}'], 'method_not_allowed', { method: 'PUT' }],
    // Never at the address of a record that exists, whatever it is that answers there.
    ['readable', ['/verify-no-such-id'], 'method_not_allowed', { method: 'DELETE' }],
    // Without an Origin, which a preflight of a browser has.
    ['readable', [''], 'method_not_allowed', { method: 'OPTIONS' }],
  ],
]

/** A path that requests are sent below, whose key is sent, and what stands for the placeholders. */
interface Target {
  readonly path: string
  readonly from: KeyName
  readonly values: Readonly<Record<string, string | null | undefined>>
}

/** The lists of a place, with each key that is meant there: those that may not read it, and otherwise the one that reads. */
function listTargets({ session: { collections, document } }: Run, at: Place): readonly Target[] {
  if (at === 'api') return [{ path: '', from: 'key', values: {} }]
  if (at === 'local' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(document.url).hostname))
    return []
  const [meant] = places[at]
  const cursorOf = (first?: Exchange): string | null | undefined => first && readPage(first)?.cursor
  return collections.flatMap(({ path, access, firsts }) => {
    const other = collections.find((one) => one.path !== path)
    // Each place that needs a cursor has its name.
    const cursors: Readonly<Record<string, string | null | undefined>> = {
      paged: cursorOf(firsts.key),
      foreign: cursorOf(other?.firsts.key),
      both: cursorOf(firsts.otherKey),
    }
    if (at in cursors && typeof (cursors[at] && cursors['paged']) !== 'string') return []
    const [id = 'verify-no-such-id'] = listIds(readPage(firsts.key)?.records)
    const values = {
      ...cursors,
      ...alter(cursors['paged'] ?? 'verify'),
      id: encodeURIComponent(id),
      etag: firsts.key.headers['etag'] ?? 'W/"verify"',
    }
    const keys = (Object.keys(access) as KeyName[]).filter((from) => from === 'key' || at === 'forbidden')
    return keys.flatMap((from) => (meant.includes(access[from] ?? 'broken') ? [{ path, from, values }] : []))
  })
}

/** A cursor, the same with another character at some places, and without its last one. */
function alter(cursor: string): Target['values'] {
  const other = (at: number): string =>
    `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`
  const [half, last] = [other(cursor.length >> 1), other(cursor.length - 1)]
  return { paged: cursor, cut: cursor.slice(0, -1), first: other(0), half, last }
}

/** Sends the requests of a row to one target. */
async function askRow(run: Run, { path, from, values }: Target, row: Row): Promise<readonly Exchange[]> {
  const [, texts, problem, how = {}] = row
  const fill = (text: string): string =>
    text.replace(/\{([^}]+)\}/g, (all, name: string) => values[name] ?? all)
  const headers = Object.entries(how.headers ?? {}).map(([name, value]) => [name, fill(value)] as const)
  const exchanges: Exchange[] = []
  for (const text of texts) {
    const [below = '', query = ''] = fill(text).split('?')
    const call = { path: `${path}${below}`, query, from, ...how, headers: Object.fromEntries(headers) }
    const exchange = await run.ask(call)
    exchanges.push(exchange)
    if (problem === 'not_found') expectNoOther(run, exchange, decodeURIComponent(below.slice(1)))
    else expectProblem(run, exchange, problem)
  }
  return exchanges
}

/** A guarantee that is a table of requests. */
function byRows(rows: readonly Row[]): Check {
  return async (run) => {
    const details = new Set<string>()
    for (const row of rows) {
      const [at, , problem, { from } = {}] = row
      const [, none] = places[at]
      if (from === 'revokedKey' && run.session.keys.revokedKey === undefined) {
        run.skip('a revoked key needs --revoked-key-env')
        continue
      }
      const targets = listTargets(run, at)
      if (targets.length === 0 && none !== undefined) run.skip(none)
      for (const target of targets) {
        if (at === 'absent') run.skip(`${target.path.slice(1)} are not served here`)
        const exchanges = await askRow(run, target, row)
        if (problem === 'invalid_key') expectOneDetail(run, exchanges, details)
      }
    }
  }
}

/** Every key that is not valid gets the same text. */
function expectOneDetail(run: Run, exchanges: readonly Exchange[], details: Set<string>): void {
  for (const exchange of exchanges) {
    const got = String(toObject(exchange.json)['detail'])
    const [expected] = details.add(got)
    run.expect(got === expected, exchange, got, `${expected ?? ''}, as for every invalid key`)
  }
}

/** Requests that must be refused. */
export const refusalGuarantees = tables.map(([name, title, ...rows]) => guarantee(name, title, byRows(rows)))

import { isRecord } from '../../../client/forms.js'
import { describe, listIds, readId, readPage, toObject } from '../answer.js'
import type { Call, Exchange, KeyName } from '../answer.js'
import { toAccess } from '../run.js'
import type { Check, Collection, Guarantee, Run } from '../run.js'

/**
 * Requests that must be refused: the problem, how they are sent, and the requests. `{list}` stands for the path of each list,
 * `{id}`, `{etag}`, `{cursor}` and so on for what its first page has. A request is a GET with the key where nothing else is said.
 */
type Row = readonly [problem: string, how: Partial<Call>, ...requests: string[]]

/** Neither a tag nor a cursor helps who has no valid key. */
const tagged = { 'if-none-match': '{etag}' } as const
const withKey = (authorization: string): Partial<Call> => ({
  from: 'none',
  headers: { authorization, ...tagged },
})
const noKey = { from: 'none' } as const
const head = { method: 'HEAD' } as const

/** The guarantees that are tables. */
const tables: readonly (readonly [name: string, title: string, ...rows: Row[]])[] = [
  [
    'not-found',
    'An id that does not exist is 404',
    ['404 not_found', {}, '{list}/verify-no-such-id', '{list}/%25', '{list}/99999999999999999999'],
  ],
  [
    'cursor-collection',
    'A cursor of another collection is refused',
    ['400 invalid_cursor cursor', {}, '{list}?cursor={foreign}'],
  ],
  [
    'cursor-workspace',
    'A cursor of another workspace is refused',
    ['400 invalid_cursor cursor', {}, '{list}?cursor={other}'],
  ],
  [
    'cursor-altered',
    'An altered cursor is refused',
    ['400 invalid_cursor cursor', {}, '{list}?cursor={altered}', '{list}?cursor={cursor}A'],
    ['400 invalid_cursor cursor', {}, '{list}?cursor=abc', '{list}?cursor='],
  ],
  [
    'invalid-key',
    'A key that is not valid is 401 invalid_key',
    // Few, because a service counts the keys that it refuses for each address.
    ['401 invalid_key', withKey('Bearer verify-this-is-no-key'), '{list}'],
    ['401 invalid_key', withKey('Bearer {key}x'), '{list}?limit=1'],
    [
      '401 invalid_key',
      { from: 'revokedKey', headers: tagged },
      ...['{list}?limit=1', '{list}/{id}', '{list}?status=verify', '{list}?cursor={cursor}'],
    ],
  ],
  [
    'missing-key',
    'A request without a key is 401 missing_key',
    [
      '401 missing_key',
      noKey,
      '{list}',
      '{list}/{id}',
      '{list}?access_token=verify',
      '{list}?limit=0&page=2',
    ],
    ['401 missing_key', { ...noKey, ...head }, '{list}', '{list}/{id}'],
    ['401 missing_key', withKey('Basic dmVyaWZ5OnZlcmlmeQ=='), '{list}'],
    ['401 missing_key', withKey('{key}'), '{list}'],
    ['401 missing_key', { ...noKey, headers: { 'x-api-key': '{key}' } }, '{list}'],
  ],
  [
    'scopes',
    'A key without the scope is 403 insufficient_scope, whatever the parameters are',
    ['403 insufficient_scope', {}, '{list}', '{list}/{id}', '{list}?limit=0&page=2'],
    ['403 insufficient_scope', head, '{list}', '{list}/{id}'],
    ['403 insufficient_scope', {}, '{list}?limit=1', '{list}?status=verify', '{list}?eventId=verify'],
    ['403 insufficient_scope', {}, '{list}?updatedSince=2026-01-01', '{list}?cursor=verify'],
  ],
]

/** Why nothing is verified: no list of the kind, no key, or nothing that could stand for a placeholder. */
const reasons: Readonly<Record<string, string>> = {
  readable: 'no list can be read',
  forbidden: 'it needs --scoped-key-env with a key that lacks a scope',
  revokedKey: 'a revoked key needs --revoked-key-env',
  cursor: 'fewer than two records, so that there is no cursor',
  altered: 'fewer than two records, so that there is no cursor',
  foreign: 'the key cannot read two collections with two records each',
  other: 'it needs --other-key-env with a key of a workspace that has two records',
}

type Values = Readonly<Record<string, string | null | undefined>>

/** What stands for the placeholders of a list; nothing where its first page has no such thing. */
function toValues({ session }: Run, { name, path, firsts }: Collection): Values {
  const cursorOf = (first?: Exchange): string | null | undefined => first && readPage(first)?.cursor
  const elsewhere = session.collections.find((one) => one.path !== path)
  const cursor = cursorOf(firsts.key)
  const [id = 'verify-no-such-id'] = listIds(readPage(firsts.key)?.records)
  return {
    name,
    list: path,
    id: encodeURIComponent(id),
    etag: firsts.key.headers['etag'] ?? 'W/"verify"',
    revokedKey: session.keys.revokedKey,
    cursor,
    altered: cursor?.replace(/.(?=.{9}$)/, (one) => (one === 'A' ? 'B' : 'A')),
    foreign: cursor && cursorOf(elsewhere?.firsts.key),
    other: cursorOf(firsts.otherKey),
  }
}

/** A guarantee that is a table of requests, sent to each list that the key can read or, for scopes, cannot. */
function byRows(rows: readonly Row[]): Check {
  return async (run) => {
    for (const row of rows) {
      const access = row[0].startsWith('403') ? 'forbidden' : 'readable'
      const lists = run.session.collections.flatMap((collection) =>
        (access === 'readable' ? (['key'] as const) : (['key', 'scopedKey'] as const))
          .filter((from) => toAccess(collection.firsts[from]) === access)
          .map((from) => ({ from, values: toValues(run, collection) })),
      )
      if (lists.length === 0) run.skip(reasons[access] ?? '')
      for (const { from, values } of lists) await askRow(run, row, from, values)
    }
  }
}

/** What a list lacks, or the keys of the run. */
function toReason(lacking: string, { name }: Values): string {
  const about = /^(?:cursor|altered|other)$/.test(lacking) ? `${String(name)}: ` : ''
  return `${about}${String(reasons[lacking])}`
}

async function askRow(
  run: Run,
  [problem, how, ...requests]: Row,
  key: KeyName,
  values: Values,
): Promise<void> {
  const { from = key } = how
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
  const headers = Object.entries(how.headers ?? {}).map(([name, value]) => [name, fill(value)] as const)
  for (const request of requests) {
    const needs = [from, ...request.matchAll(/(?<=\{)\w+/g)].map(String)
    const lacking = needs.find((name) => name in reasons && typeof values[name] !== 'string')
    if (lacking !== undefined) run.skip(toReason(lacking, values))
    else {
      const [path = '', query = ''] = fill(request).split('?')
      const exchange = await run.ask({ ...how, path, query, from, headers: Object.fromEntries(headers) })
      if (problem === '404 not_found') expectNoOther(run, exchange, path.split('/').at(-1) ?? '')
      else expectProblem(run, exchange, problem)
    }
  }
}

/** Expects a problem: its status, its code, and the parameter that it names, such as `400 invalid_parameter limit`. */
export function expectProblem(run: Run, exchange: Exchange, problem: string): void {
  const { code, parameter = '' } = toObject(exchange.json)
  // An answer to HEAD has no body that could name anything.
  const members = exchange.call.method === 'HEAD' ? problem.slice(4) : `${String(code)} ${String(parameter)}`
  const isMet = `${exchange.status} ${members}`.trim() === problem
  run.expect(exchange, [isMet, `${describe(exchange)} ${String(parameter)}`.trim(), problem])
}

/** Expects `not_found`; where the end of a path is the id of another record, the answer is that record. */
export function expectNoOther(run: Run, exchange: Exchange, id: string): void {
  const { json, status } = exchange
  const isOther = status === 200 && isRecord(json) && readId(json) === decodeURIComponent(id)
  if (!isOther) expectProblem(run, exchange, '404 not_found')
}

/** Requests that must be refused. */
export const refusalGuarantees: readonly Guarantee[] = tables.map(([name, title, ...rows]) => [
  name,
  title,
  byRows(rows),
])

import { documentCall } from '../caller.js'
import { describe, listItems } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { compareLists, listIds } from '../pages.js'
import { forEachPlace, inTurn, LackError } from '../run.js'
import type { Check, Checks, Place, Run } from '../run.js'
import { confirm } from '../verdict.js'
import type { Attempt } from '../verdict.js'

/** A page of settled records, and one of them. */
function listCalls({ path, records }: Pick<Place, 'path' | 'records'>): readonly Call[] {
  const ids = listIds(records).slice(0, 1)
  return [{ path, query: { limit: 10 } }, ...ids.map((id) => ({ path: `${path}/${encodeURIComponent(id)}` }))]
}

/** Attempts something for the document, and for a page and a record of each collection. */
function forCalls(
  attempt: (caller: Run['caller'], call: Call) => Promise<Attempt>,
  more: readonly string[],
): Check {
  return async (run) => {
    const add = async (call: Call): Promise<void> => {
      run.verdict.add(await confirm(() => attempt(run.caller, call)))
    }
    await add(documentCall)
    await forEachPlace(async (place) => {
      const others = more.map((path) => ({ path: place.path + path }))
      for (const call of [...listCalls(place), ...others]) await add(call)
    })(run)
  }
}

/** With the tag alone, or among others. */
const expectNotModified =
  (before: string) =>
  async (caller: Run['caller'], call: Call): Promise<Attempt> => {
    const { etag } = (await caller.ask(call)).headers
    if (etag === undefined) return 'unsteady'
    const exchange = await caller.ask({ ...call, headers: { 'if-none-match': `${before}${etag}` } })
    const { status, headers, body } = exchange
    if (status === 304 && body.length === 0 && headers['etag'] === etag) return undefined
    // The records have changed since: the next attempt has their new tag.
    if (status === 200 && headers['etag'] !== etag) return 'unsteady'
    const got = `${describe(exchange)}, ETag ${headers['etag'] ?? '(none)'}, ${body.length} bytes`
    return { exchange, got, expected: '304 with the same ETag and without a body: nothing has changed' }
  }

/** Tags of another page, of another filter, of a single record, and one that was never sent. */
async function checkNoStale304({ path, records, caller, verdict }: Place): Promise<void> {
  const own = listCalls({ path, records })
  const others = [{ limit: 9 }, { limit: 10, updatedSince: '9999-12-31' }].map((query) => ({ path, query }))
  const tags: (string | undefined)[] = []
  for (const call of [...own, ...others, documentCall]) tags.push((await caller.ask(call)).headers['etag'])
  for (const [at, call] of own.entries())
    for (const tag of new Set(['W/"verify"', ...tags]))
      if (tag !== tags[at] && tag !== undefined) verdict.add(await confirm(() => find304(caller, call, tag)))
}

async function find304(caller: Run['caller'], call: Call, tag: string): Promise<Attempt> {
  const exchange = await caller.ask({ ...call, headers: { 'if-none-match': tag } })
  if (exchange.status !== 304) return undefined
  const { etag = '(none)' } = (await caller.ask(call)).headers
  // The records have changed since the tags were read, and the tag is now the one of this answer.
  if (etag === tag) return 'unsteady'
  return { exchange, got: describe(exchange), expected: `200: the tag of this answer is ${etag}` }
}

const headHeaders = [
  ...['etag', 'content-type', 'content-length', 'cache-control', 'vary'],
  'x-content-type-options',
]

/** The answer to HEAD differs from the one to GET. */
async function findHeadProblem(caller: Run['caller'], call: Call): Promise<Attempt> {
  const get = await caller.ask(call)
  const exchange = await caller.ask({ ...call, method: 'HEAD' })
  const different = headHeaders.filter((name) => !isSameHeader(name, get, exchange))
  if (get.status === exchange.status && exchange.body.length === 0 && different.length === 0) return undefined
  const again = await caller.ask(call)
  if (again.headers['etag'] !== get.headers['etag']) return 'unsteady'
  const show = ({ status, headers }: Exchange): string =>
    [`${status}`, ...different.map((name) => `${name}: ${headers[name] ?? '(none)'}`)].join(', ')
  return { exchange, got: show(exchange), expected: `${show(get)}, as GET, without a body` }
}

function isSameHeader(name: string, get: Exchange, head: Exchange): boolean {
  const [one, other] = [get.headers[name], head.headers[name]]
  // HEAD may leave the length out, and a problem has the id of its request in its body.
  if (name === 'content-length' && (other === undefined || one === undefined)) return true
  return one === other
}

/** Answers below this length are not compressed. */
const compressedFrom = 1024

/** A list with and without each encoding. */
async function checkCompression({ path, caller, verdict }: Place): Promise<void> {
  const call = { path, query: { limit: 100 } }
  const plain = await caller.ask(call)
  const { 'content-encoding': encoding } = plain.headers
  const expected = 'no encoding: the request accepts only identity'
  verdict.expect(encoding === undefined, plain, `Content-Encoding: ${encoding ?? ''}`, expected)
  if (plain.body.length < compressedFrom) throw new LackError('too few records for an answer of 1 KiB')
  for (const accepted of ['gzip', 'br']) {
    const encoded = { ...call, headers: { 'accept-encoding': accepted } }
    const exchange = await caller.ask(encoded)
    const { 'content-encoding': sent, vary = '(none)' } = exchange.headers
    if (sent === undefined) {
      verdict.skip(`${path.slice(1)}: answers are not compressed with ${accepted} (COMPRESSION=off)`)
      continue
    }
    verdict.expect(sent === accepted, exchange, `Content-Encoding: ${sent}`, accepted)
    const isVaried = listItems(vary).includes('accept-encoding')
    verdict.expect(isVaried, exchange, `Vary: ${vary}`, 'Vary with Accept-Encoding')
    verdict.add(await compareLists(caller, call, encoded))
  }
}

/** Requests whose answer depends on a header or on the method. */
export const conditionalChecks: Checks = {
  head: forCalls(findHeadProblem, ['/verify-no-such-id']),
  'not-modified': inTurn(...['', 'W/"verify", '].map((before) => forCalls(expectNotModified(before), []))),
  'no-stale-304': forEachPlace(checkNoStale304),
  compression: forEachPlace(checkCompression),
}

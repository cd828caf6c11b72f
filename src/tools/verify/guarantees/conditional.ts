import { documentCall } from '../caller.js'
import { describe, listItems, toObject } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { compareLists, listIds } from '../pages.js'
import { forEachPlace, guarantee } from '../run.js'
import type { Check, Place, Run } from '../run.js'
import type { Attempt } from '../verdict.js'

/** A page of settled records, and one of them. */
function listCalls({ path, records }: Place): readonly Call[] {
  const ids = listIds(records).slice(0, 1)
  return [{ path, query: { limit: 10 } }, ...ids.map((id) => ({ path: `${path}/${encodeURIComponent(id)}` }))]
}

/** Attempts something for the document, and for a page and a record of each collection. */
function forCalls(attempt: (run: Run, call: Call) => Promise<Attempt>): Check {
  return async (run) => {
    await run.verdict.confirm(() => attempt(run, documentCall))
    await forEachPlace(async (place) => {
      for (const call of listCalls(place)) await run.verdict.confirm(() => attempt(run, call))
    })(run)
  }
}

/** With the tag alone, and among others. */
const notModifiedChecks = ['', 'W/"verify", '].map((before) =>
  forCalls(async ({ ask }, call) => {
    const { etag } = (await ask(call)).headers
    if (etag === undefined) return 'unsteady'
    const exchange = await ask({ ...call, headers: { 'if-none-match': `${before}${etag}` } })
    const { status, headers, body } = exchange
    if (status === 304 && body.length === 0 && headers['etag'] === etag) return undefined
    // The records have changed since: the next attempt has their new tag.
    if (status === 200 && headers['etag'] !== etag) return 'unsteady'
    const got = `${describe(exchange)}, ETag ${headers['etag'] ?? '(none)'}, ${body.length} bytes`
    return { exchange, got, expected: '304 with the same ETag and without a body: nothing has changed' }
  }),
)

/** Tags of another page, of another filter, of a single record, and one that was never sent. */
async function checkNoStale304(place: Place): Promise<void> {
  const { path, ask, verdict } = place
  const own = listCalls(place)
  const others = [{ limit: 9 }, { limit: 10, updatedSince: '9999-12-31' }].map((query) => ({ path, query }))
  const tags: (string | undefined)[] = []
  for (const call of [...own, ...others, documentCall]) tags.push((await ask(call)).headers['etag'])
  for (const [at, call] of own.entries())
    for (const tag of new Set(['W/"verify"', ...tags])) {
      if (tag === tags[at] || tag === undefined) continue
      await verdict.confirm(async () => {
        const exchange = await ask({ ...call, headers: { 'if-none-match': tag } })
        if (exchange.status !== 304) return undefined
        const { etag = '(none)' } = (await ask(call)).headers
        // The records have changed since the tags were read, and the tag is now the one of this answer.
        if (etag === tag) return 'unsteady'
        return { exchange, got: describe(exchange), expected: `200: the tag of this answer is ${etag}` }
      })
    }
}

const headHeaders = ['etag', 'content-type', 'content-length', 'cache-control', 'vary']

/** The answer to HEAD differs from the one to GET. */
async function findHeadProblem({ ask }: Run, call: Call): Promise<Attempt> {
  const get = await ask(call)
  const exchange = await ask({ ...call, method: 'HEAD' })
  const different = headHeaders.filter((name) => {
    const [one, other] = [get.headers[name], exchange.headers[name]]
    // HEAD may leave the length out.
    return one !== other && !(name === 'content-length' && (one === undefined || other === undefined))
  })
  if (get.status === exchange.status && exchange.body.length === 0 && different.length === 0) return undefined
  if ((await ask(call)).headers['etag'] !== get.headers['etag']) return 'unsteady'
  const show = ({ status, headers }: Exchange): string =>
    [`${status}`, ...different.map((name) => `${name}: ${headers[name] ?? '(none)'}`)].join(', ')
  return { exchange, got: show(exchange), expected: `${show(get)}, as GET, without a body` }
}

/** Answers below this length are not compressed. */
const compressedFrom = 1024

/** A list with and without each encoding. */
async function checkCompression(place: Place): Promise<string | undefined> {
  const { path, ask, verdict } = place
  const call = { path, query: { limit: 100 } }
  const plain = await ask(call)
  const { 'content-encoding': encoding } = plain.headers
  const expected = 'no encoding: the request accepts only identity'
  verdict.expect(encoding === undefined, plain, `Content-Encoding: ${encoding ?? ''}`, expected)
  if (plain.body.length < compressedFrom) return 'too few records for an answer of 1 KiB'
  for (const accepted of ['gzip', 'br']) {
    const encoded = { ...call, headers: { 'accept-encoding': accepted } }
    const exchange = await ask(encoded)
    const { 'content-encoding': sent, vary = '(none)' } = exchange.headers
    if (sent === undefined) return `answers are not compressed with ${accepted} (COMPRESSION=off)`
    const isVaried = listItems(vary).includes('accept-encoding')
    verdict.expectAll(exchange, [
      [sent === accepted, `Content-Encoding: ${sent}`, accepted],
      [isVaried, `Vary: ${vary}`, 'Vary with Accept-Encoding'],
    ])
    await compareLists(place, call, encoded)
  }
  return undefined
}

/** Processes behind a load balancer get new connections in turn, or by chance. */
const connections = 10

/** The document, and a page of every collection, over new connections. */
const checkProcesses: Check = async (run) => {
  const lists = run.collections.map(({ path }): Call => ({ path, query: { limit: 100 } }))
  for (const call of [documentCall, ...lists]) await expectOneAnswer(run, call)
}

/** Data that changed do not change back: an answer that comes again after another one is of another process. */
async function expectOneAnswer({ ask, verdict }: Run, call: Call): Promise<void> {
  const seen: string[] = []
  for (let turn = 0; turn < connections; turn += 1) {
    const exchange = await ask({ ...call, headers: { connection: 'close' } })
    const { data, meta, openapi, paths, components, code } = toObject(exchange.json)
    // What does not depend on the instant of the request.
    const { epoch } = toObject(meta)
    const text = JSON.stringify([exchange.status, data, epoch, openapi, paths, components, code])
    const isBack = seen.includes(text) && seen.at(-1) !== text
    const got = `two answers in turn, over new connections: ${describe(exchange)} is one of them`
    const expected = 'the same answer from every process: do all have the same release and mapping file?'
    if (!verdict.expect(!isBack, exchange, got, expected)) return
    seen.push(text)
  }
}

/** Requests whose answer depends on a header, on the method or on the process. */
export const conditionalGuarantees = [
  guarantee('head', 'HEAD answers as GET, without a body', forCalls(findHeadProblem)),
  guarantee('not-modified', 'The current tag gives 304 without a body', ...notModifiedChecks),
  guarantee('no-stale-304', 'The tag of another answer never gives 304', forEachPlace(checkNoStale304)),
  guarantee('compression', 'Compressed answers hold the same records', forEachPlace(checkCompression)),
  guarantee('processes', 'Every process of the service gives the same answer', checkProcesses),
]

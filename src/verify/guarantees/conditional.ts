import { describe, listItems } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { readId } from '../pages.js'
import { compareLists } from '../compare.js'
import { confirm, defineGuarantee, forEachSample, LackError } from '../run.js'
import type { Check, Guarantee, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'

const documentCall: Call = { path: '/openapi.json', from: 'none' }

/** A page of settled records, and one of them. */
function listCalls({ collection: { path }, records: [record] }: Sample): readonly Call[] {
  const page = { path, query: { limit: 10 } }
  return record === undefined ? [page] : [page, { path: `${path}/${encodeURIComponent(readId(record))}` }]
}

/** Verifies something for the document, and for a page and a record of each collection. */
function forCalls(
  check: (run: Run, verdict: Verdict, call: Call) => Promise<void>,
  more: readonly string[] = [],
): Check {
  return async (run, verdict) => {
    await check(run, verdict, documentCall)
    await forEachSample(async (sample) => {
      const others = more.map((path) => ({ path: sample.collection.path + path }))
      for (const call of [...listCalls(sample), ...others]) await check(run, verdict, call)
    })(run, verdict)
  }
}

/** With the tag alone, and with the tag among others. */
const checkNotModified = forCalls(async ({ caller }, verdict, call) => {
  const expected = '304 with the same ETag and without a body: nothing has changed'
  for (const before of ['', 'W/"verify", '])
    verdict.add(
      await confirm(async () => {
        const { etag } = (await caller.ask(call)).headers
        if (etag === undefined) return 'unsteady'
        const exchange = await caller.ask({ ...call, headers: { 'if-none-match': `${before}${etag}` } })
        const { status, headers, body } = exchange
        if (status === 304 && body.length === 0 && headers['etag'] === etag) return undefined
        // The records have changed since: the next attempt has their new tag.
        if (status === 200 && headers['etag'] !== etag) return 'unsteady'
        const tag = headers['etag'] ?? '(none)'
        return { exchange, got: `${describe(exchange)}, ETag ${tag}, ${body.length} bytes`, expected }
      }),
    )
})

/** Tags of another page, of another filter, of a single record, and one that was never sent. */
const checkNoStale304 = forEachSample(async (sample, { caller }, verdict) => {
  const { path } = sample.collection
  const own = listCalls(sample)
  const others = [
    { path, query: { limit: 9 } },
    { path, query: { limit: 10, updatedSince: '9999-12-31' } },
  ]
  const tags: (string | undefined)[] = []
  for (const call of [...own, ...others, documentCall]) tags.push((await caller.ask(call)).headers['etag'])
  for (const [at, call] of own.entries())
    for (const tag of new Set(['W/"verify"', ...tags])) {
      if (tag === tags[at] || tag === undefined) continue
      verdict.add(
        await confirm(async () => {
          const exchange = await caller.ask({ ...call, headers: { 'if-none-match': tag } })
          if (exchange.status !== 304) return undefined
          const { etag = '(none)' } = (await caller.ask(call)).headers
          // The records have changed since the tags were read, and the tag is now the one of this answer.
          if (etag === tag) return 'unsteady'
          return { exchange, got: describe(exchange), expected: `200: the tag of this answer is ${etag}` }
        }),
      )
    }
})

const headHeaders = [
  'etag',
  'content-type',
  'content-length',
  'cache-control',
  'vary',
  'x-content-type-options',
]

/** A list, a record, the document and an error. */
const checkHead = forCalls(
  async ({ caller }, verdict, call) => {
    verdict.add(
      await confirm(async () => {
        const get = await caller.ask(call)
        const head = await caller.ask({ ...call, method: 'HEAD' })
        const different = headHeaders.filter((name) => !isSameHeader(name, get, head))
        if (get.status === head.status && head.body.length === 0 && different.length === 0) return undefined
        const again = await caller.ask(call)
        if (again.headers['etag'] !== get.headers['etag']) return 'unsteady'
        const show = ({ status, headers }: Exchange): string =>
          [`${status}`, ...different.map((name) => `${name}: ${headers[name] ?? '(none)'}`)].join(', ')
        return { exchange: head, got: show(head), expected: `${show(get)}, as GET, without a body` }
      }),
    )
  },
  ['/verify-no-such-id'],
)

function isSameHeader(name: string, get: Exchange, head: Exchange): boolean {
  const [one, other] = [get.headers[name], head.headers[name]]
  // HEAD may leave the length out, and a problem has the id of its request in its body.
  if (name === 'content-length' && (other === undefined || one === undefined)) return true
  return one === other
}

/** Answers below this length are not compressed. */
const compressedFrom = 1024

/** A list with and without each encoding. */
const checkCompression = forEachSample(async ({ collection: { name, path } }, { caller }, verdict) => {
  const call = { path, query: { limit: 100 } }
  const exchange = await caller.ask(call)
  const { 'content-encoding': encoding } = exchange.headers
  const expected = 'no encoding: the request accepts only identity'
  verdict.expect(encoding === undefined, { exchange, got: `Content-Encoding: ${encoding ?? ''}`, expected })
  if (exchange.body.length < compressedFrom) throw new LackError('too few records for an answer of 1 KiB')
  for (const accepted of ['gzip', 'br']) {
    const encoded = { ...call, headers: { 'accept-encoding': accepted } }
    const answer = await caller.ask(encoded)
    if (answer.headers['content-encoding'] === undefined) {
      verdict.skip(`${name}: answers are not compressed with ${accepted} (COMPRESSION=off)`)
      continue
    }
    expectEncoding(verdict, answer, accepted)
    verdict.add(await compareLists(caller, call, encoded))
  }
})

function expectEncoding(verdict: Verdict, exchange: Exchange, accepted: string): void {
  const { 'content-encoding': sent = '', vary } = exchange.headers
  verdict.expect(sent === accepted, { exchange, got: `Content-Encoding: ${sent}`, expected: accepted })
  const isVaried = listItems(vary).includes('accept-encoding')
  const got = `Vary: ${vary ?? '(none)'}`
  verdict.expect(isVaried, { exchange, got, expected: 'Vary with Accept-Encoding' })
}

/** Requests whose answer depends on a header or on the method. */
export const conditionalGuarantees: readonly Guarantee[] = [
  defineGuarantee('head', 'HEAD answers as GET, without a body', checkHead),
  defineGuarantee(
    'not-modified',
    'If-None-Match with the current tag gives 304 without a body',
    checkNotModified,
  ),
  defineGuarantee('no-stale-304', 'The tag of another answer never gives 304', checkNoStale304),
  defineGuarantee('compression', 'Compressed answers hold the same records', checkCompression),
]

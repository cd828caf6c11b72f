import { describe, listIds, listItems, toObject } from '../answer.js'
import type { Call, Exchange } from '../answer.js'
import { documentCall } from '../caller.js'
import { forEachSample, guarantee } from '../run.js'
import type { Check, Run, Sample } from '../run.js'
import { compareRecords } from './crawls.js'

/** A page of settled records, and one of them. */
function listCalls({ path, records }: Sample): readonly Call[] {
  const ids = listIds(records).slice(0, 1)
  return [{ path, query: { limit: 10 } }, ...ids.map((id) => ({ path: `${path}/${encodeURIComponent(id)}` }))]
}

/** Verifies something for the document, and for a page and a record of each collection. */
function forCalls(check: (run: Run, call: Call) => Promise<void>): readonly Check[] {
  return [
    (run) => check(run, documentCall),
    forEachSample(async (run, sample) => {
      for (const call of listCalls(sample)) await check(run, call)
    }),
  ]
}

/** With the tag alone, and among others. */
async function checkNotModified(run: Run, call: Call): Promise<void> {
  const { etag = 'W/"verify"' } = (await run.ask(call)).headers
  for (const before of ['', 'W/"verify", ']) {
    const exchange = await run.ask({ ...call, headers: { 'if-none-match': `${before}${etag}` } })
    const { status, headers, body } = exchange
    const isMet = status === 304 && body.length === 0 && headers['etag'] === etag
    const got = `${describe(exchange)}, ETag ${headers['etag'] ?? '(none)'}, ${body.length} bytes`
    run.compare(isMet, exchange, got, '304 with the same ETag and without a body: nothing has changed')
  }
}

/** Tags of another page, of another filter, of a single record, and one that was never sent. */
async function checkNoStale304(run: Run, sample: Sample): Promise<void> {
  const { path } = sample
  const own = listCalls(sample)
  const others = [{ limit: 9 }, { limit: 10, updatedSince: '9999-12-31' }].map((query) => ({ path, query }))
  const tags: string[] = []
  for (const call of [...own, ...others, documentCall])
    tags.push((await run.ask(call)).headers['etag'] ?? 'W/"verify"')
  for (const [at, call] of own.entries())
    for (const tag of new Set(tags).add('W/"verify"')) {
      if (tag === tags[at]) continue
      const exchange = await run.ask({ ...call, headers: { 'if-none-match': tag } })
      const expected = `200: the tag of this answer is ${tags[at] ?? ''}`
      run.compare(exchange.status !== 304, exchange, describe(exchange), expected)
    }
}

const headHeaders = ['etag', 'content-type', 'content-length', 'cache-control', 'vary']

/** The answer to HEAD is the one to GET. */
async function checkHead(run: Run, call: Call): Promise<void> {
  const get = await run.ask(call)
  const exchange = await run.ask({ ...call, method: 'HEAD' })
  const different = headHeaders.filter((name) => {
    const [one, other] = [get.headers[name], exchange.headers[name]]
    // HEAD may leave the length out.
    return one !== other && !(name === 'content-length' && (one === undefined || other === undefined))
  })
  const show = ({ status, headers }: Exchange): string =>
    [`${status}`, ...different.map((name) => `${name}: ${headers[name] ?? '(none)'}`)].join(', ')
  const isMet = get.status === exchange.status && exchange.body.length === 0 && different.length === 0
  run.compare(isMet, exchange, show(exchange), `${show(get)}, as GET, without a body`)
}

/** Answers below this length are not compressed. */
const compressedFrom = 1024

/** A list with and without each encoding. */
async function checkCompression(run: Run, { path }: Sample): Promise<string | undefined> {
  const call = { path, query: { limit: 100 } }
  const plain = await run.askPage(call)
  const { headers, body } = plain.exchange
  const { 'content-encoding': encoding } = headers
  const expected = 'no encoding: the request accepts only identity'
  run.expect(encoding === undefined, plain.exchange, `Content-Encoding: ${encoding ?? ''}`, expected)
  if (body.length < compressedFrom) return 'too few records for an answer of 1 KiB'
  for (const accepted of ['gzip', 'br']) {
    const encoded = await run.askPage({ ...call, headers: { 'accept-encoding': accepted } })
    const { 'content-encoding': sent, vary = '(none)' } = encoded.exchange.headers
    if (sent === undefined) return `answers are not compressed with ${accepted} (COMPRESSION=off)`
    const isVaried = listItems(vary).includes('accept-encoding')
    run.expectAll(encoded.exchange, [
      [sent === accepted, `Content-Encoding: ${sent}`, accepted],
      [isVaried, `Vary: ${vary}`, 'Vary with Accept-Encoding'],
    ])
    compareRecords(run, plain, encoded)
  }
  return undefined
}

/** Processes behind a load balancer get new connections in turn, or by chance. */
const connections = 10

/** The document, and a page of every collection, over new connections. */
const checkProcesses: Check = async (run) => {
  const lists = run.session.collections.map(({ path }): Call => ({ path, query: { limit: 100 } }))
  for (const call of [documentCall, ...lists]) await expectOneAnswer(run, call)
}

/** Data that changed do not change back: an answer that comes again after another one is of another process. */
async function expectOneAnswer(run: Run, call: Call): Promise<void> {
  const seen: string[] = []
  for (let turn = 0; turn < connections; turn += 1) {
    const exchange = await run.ask({ ...call, headers: { connection: 'close' } })
    const { data, meta, openapi, paths, components, code } = toObject(exchange.json)
    // What does not depend on the instant of the request.
    const { epoch } = toObject(meta)
    const text = JSON.stringify([exchange.status, data, epoch, openapi, paths, components, code])
    const isBack = seen.includes(text) && seen.at(-1) !== text
    const got = `two answers in turn, over new connections: ${describe(exchange)} is one of them`
    const expected = 'the same answer from every process: do all have the same release and mapping file?'
    if (!run.expect(!isBack, exchange, got, expected)) return
    seen.push(text)
  }
}

/** Requests whose answer depends on a header, on the method or on the process. */
export const conditionalGuarantees = [
  guarantee('head', 'HEAD answers as GET, without a body', ...forCalls(checkHead)),
  guarantee('not-modified', 'The current tag gives 304 without a body', ...forCalls(checkNotModified)),
  guarantee('no-stale-304', 'The tag of another answer never gives 304', forEachSample(checkNoStale304)),
  guarantee('compression', 'Compressed answers hold the same records', forEachSample(checkCompression)),
  guarantee('processes', 'Every process of the service gives the same answer', checkProcesses),
]

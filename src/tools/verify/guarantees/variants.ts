import { describe, listIds, listItems, toObject } from '../answer.js'
import type { Call, Exchange } from '../answer.js'
import { documentCall } from '../caller.js'
import type { Check, Guarantee, Run, Sample } from '../run.js'
import { forEachSample } from '../sample.js'

/** Verifies something for the document, and for a page and a record of each collection. */
function forCalls(check: (run: Run, call: Call) => Promise<void>): readonly Check[] {
  return [
    (run) => check(run, documentCall),
    forEachSample(async (run, { path, records }) => {
      await check(run, { path, query: { limit: 10 } })
      for (const id of listIds(records).slice(0, 1))
        await check(run, { path: `${path}/${encodeURIComponent(id)}` })
    }),
  ]
}

/** 304 for the tag alone and among others, and for no tag of another answer. */
async function checkNotModified(run: Run, call: Call): Promise<void> {
  const { etag = 'W/"verify"' } = (await run.ask(call)).headers
  const others = [...run.readable.map(({ firsts }) => firsts.key), run.session.document]
  const tags = new Set([...others.map(({ headers }) => headers['etag'] ?? etag), 'W/"verify-other"'])
  tags.delete(etag)
  for (const tag of [etag, `W/"verify-other", ${etag}`, ...tags]) {
    const exchange = await run.ask({ ...call, headers: { 'if-none-match': tag } })
    const { status, headers, body } = exchange
    const got = `${describe(exchange)}, ETag ${headers['etag'] ?? '(none)'}, ${body.length} bytes`
    const isUnchanged = status === 304 && body.length === 0 && headers['etag'] === etag
    if (tag.endsWith(etag)) run.expect(exchange, [isUnchanged, got, `304 with ETag ${etag} and no body`])
    else run.expect(exchange, [status !== 304, got, `200: the tag of this answer is ${etag}`])
  }
}

/** A tag without what a proxy that compresses adds to it: `-gzip` of Apache. */
const withoutSuffix = (tag: string | undefined): string | undefined =>
  tag?.replace(/-{1,2}(?:gzip|br|zstd)(?="$)/, '')

/** The answer to HEAD is the one to GET. A proxy that compresses names `Accept-Encoding` only where there is a body. */
async function checkHead(run: Run, call: Call): Promise<void> {
  const [get, head] = [await run.ask(call), await run.ask({ ...call, method: 'HEAD' })]
  const show = ({ status, headers }: Exchange): string => {
    const vary = listItems(headers['vary'] ?? '').filter((name) => name !== 'accept-encoding')
    const [etag, ...types] = ['etag', 'content-type', 'cache-control'].map((name) => headers[name])
    return [status, withoutSuffix(etag), ...types, ...vary].join(', ')
  }
  const isMet = head.body.length === 0 && show(head) === show(get)
  run.expect(head, [isMet, `${show(head)}, ${head.body.length} bytes`, `${show(get)} as GET, no body`])
}

/** Answers below this length are not compressed. */
const compressedFrom = 1024

/** A list with and without each encoding. */
async function checkCompression(run: Run, { path }: Sample): Promise<string | undefined> {
  const call = { path, query: { limit: 100 } }
  const { exchange: plain, records } = await run.askPage(call)
  const { 'content-encoding': encoding = '(none)' } = plain.headers
  const expected = 'no encoding: the request accepts only identity'
  run.expect(plain, [encoding === '(none)', `Content-Encoding: ${encoding}`, expected])
  if (plain.body.length < compressedFrom) return 'too few records for an answer of 1 KiB'
  for (const accepted of ['gzip', 'br']) {
    const encoded = await run.askPage({ ...call, headers: { 'accept-encoding': accepted } })
    const { headers } = encoded.exchange
    const { 'content-encoding': sent, vary = '(none)' } = headers
    if (sent === undefined) return `answers are not compressed with ${accepted} (COMPRESSION=off)`
    const isSame = JSON.stringify(encoded.records) === JSON.stringify(records)
    run.expect(
      encoded.exchange,
      [sent === accepted, `Content-Encoding: ${sent}`, accepted],
      [listItems(vary).includes('accept-encoding'), `Vary: ${vary}`, 'Vary with Accept-Encoding'],
      [
        withoutSuffix(headers['etag']) === plain.headers['etag'],
        `ETag: ${headers['etag']}`,
        'the one without compression, or with the suffix of a proxy',
      ],
      [isSame, `${encoded.records.length} other records`, `the ${records.length} records of ${plain.url}`],
    )
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
    run.expect(exchange, [!isBack, got, expected])
    if (isBack) return
    seen.push(text)
  }
}

/** Requests whose answer depends on a header, on the method or on the process. */
export const variantGuarantees: readonly Guarantee[] = [
  ['head', 'HEAD answers as GET, without a body', ...forCalls(checkHead)],
  ['not-modified', 'Only the current tag gives 304', ...forCalls(checkNotModified)],
  ['compression', 'Compressed answers hold the same records', forEachSample(checkCompression)],
  ['processes', 'Every process of the service gives the same answer', checkProcesses],
]

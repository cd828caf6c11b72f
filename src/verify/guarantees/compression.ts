import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, isObject, listItems, toObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage } from '../pages.js'
import { confirm, forEachSample } from '../run.js'
import type { Run } from '../run.js'
import type { Verdict } from '../verdict.js'

/** Answers below this length are not compressed. */
const compressedFrom = 1024

/** A list with and without each encoding; the encoded one is read between two that are not. */
export const checkCompression = forEachSample(async ({ collection: { path, name } }, run, verdict) => {
  const plain = await run.caller.ask({ path, query: { limit: 100 } })
  verdict.expect(plain.headers['content-encoding'] === undefined, {
    exchange: plain,
    got: `Content-Encoding: ${plain.headers['content-encoding'] ?? ''}`,
    expected: 'no encoding: the request accepts only identity',
  })
  if (plain.body.length < compressedFrom) {
    verdict.skip(`${name}: too few records for an answer of 1 KiB`)
    return
  }
  for (const encoding of ['gzip', 'br'] as const) await expectEncoded(run, verdict, { path, name, encoding })
})

interface Encoded {
  readonly path: string
  readonly name: string
  readonly encoding: 'gzip' | 'br'
}

async function expectEncoded(
  { caller }: Run,
  verdict: Verdict,
  { path, name, encoding }: Encoded,
): Promise<void> {
  const call = { path, query: { limit: 100 } }
  const problem = await confirm(async () => {
    const before = await askPage(caller, call)
    const exchange = await caller.ask({ ...call, headers: { 'accept-encoding': encoding } })
    const { 'content-encoding': sent, vary } = exchange.headers
    if (sent === undefined) {
      verdict.skip(`${name}: answers are not compressed with ${encoding} (COMPRESSION=off)`)
      return undefined
    }
    if (sent !== encoding) return { exchange, got: `Content-Encoding: ${sent}`, expected: encoding }
    if (!listItems(vary).includes('accept-encoding'))
      return { exchange, got: `Vary: ${vary ?? '(none)'}`, expected: 'Vary with Accept-Encoding' }
    const records = decode(exchange, encoding)
    if (records === undefined)
      return { exchange, got: `${describe(exchange)} that is not ${encoding}`, expected: 'the page' }
    if (JSON.stringify(records) === JSON.stringify(before.records)) return undefined
    const after = await askPage(caller, call)
    const isSteady = JSON.stringify(before.records) === JSON.stringify(after.records)
    return isSteady
      ? { exchange, got: 'other records', expected: 'those without compression' }
      : ('unsteady' as const)
  })
  if (problem === 'unsteady') return
  const { exchange = caller.exchanges.at(-1), got = '', expected = '' } = problem ?? {}
  if (exchange !== undefined) verdict.expect(problem === undefined, { exchange, got, expected })
}

function decode({ body }: Exchange, encoding: 'gzip' | 'br'): readonly Json[] | undefined {
  try {
    const text = (encoding === 'gzip' ? gunzipSync(body) : brotliDecompressSync(body)).toString()
    const { data } = toObject(JSON.parse(text))
    return Array.isArray(data) && data.every(isObject) ? data : undefined
  } catch {
    return undefined
  }
}

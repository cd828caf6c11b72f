import type { Caller } from '../caller.js'
import { describe, isObject, isProblem, listItems } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { readId } from '../pages.js'
import { confirm, forEachSample } from '../run.js'
import type { Check, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'

const weakTag = /^W\/"[^"]+"$/

/** Form of every tag; the same tag for the same data, and another one for other data, also of another address. */
export const checkEtag: Check = async (run, verdict) => {
  await forEachSample(async (sample, { caller }) => {
    for (const call of listCalls(sample)) {
      await caller.ask(call)
      await caller.ask(call)
    }
  })(run, verdict)
  const tagOf = new Map<string, string>()
  const contentOf = new Map<string, string>()
  for (const exchange of run.caller.exchanges) {
    if (exchange.status !== 200 || !isObject(exchange.json) || exchange.call.below === 'root') continue
    const { etag = '' } = exchange.headers
    verdict.expect(weakTag.test(etag), {
      exchange,
      got: `ETag: ${etag}`,
      expected: 'a weak tag, such as W/"abc"',
    })
    const content = readTagged(exchange)
    // Two keys can have the same records, each with a tag of its own.
    const place = `${JSON.stringify(exchange.call.from ?? 'key')} ${exchange.url} ${content}`
    const before = tagOf.get(place) ?? etag
    verdict.expect(before === etag, {
      exchange,
      got: `ETag: ${etag}`,
      expected: `${before}, as before: the records are the same`,
    })
    verdict.expect((contentOf.get(etag) ?? content) === content, {
      exchange,
      got: `ETag: ${etag} again`,
      expected: 'another tag: the answer that had this one before has other content',
    })
    tagOf.set(place, etag)
    contentOf.set(etag, content)
  }
}

/** What a tag covers: the records and whether more follow, or the whole body. */
function readTagged({ json, body }: Exchange): string {
  if (!isObject(json) || !Array.isArray(json['data']) || !isObject(json['meta'])) return body.toString()
  return JSON.stringify([json['data'], json['meta']['cursor'] === null])
}

/** A page of settled records, and one of them. */
function listCalls({ collection: { path }, records }: Sample): readonly Call[] {
  const [record] = records
  const page = { path, query: { limit: 10 } }
  return record === undefined ? [page] : [page, { path: `${path}/${encodeURIComponent(readId(record))}` }]
}

/** With the tag alone, and with the tag among others. */
export const checkNotModified: Check = async (run, verdict) => {
  await expectNotModified(run, verdict, { path: '/openapi.json', from: 'none' })
  await forEachSample(async (sample) => {
    for (const call of listCalls(sample)) await expectNotModified(run, verdict, call)
  })(run, verdict)
}

async function expectNotModified({ caller }: Run, verdict: Verdict, call: Call): Promise<void> {
  for (const toHeader of [(tag: string) => tag, (tag: string) => `W/"verify", ${tag}`]) {
    const problem = await confirm(async () => {
      const { headers } = await caller.ask(call)
      const { etag } = headers
      if (etag === undefined) return 'unsteady' as const
      const exchange = await caller.ask({ ...call, headers: { 'if-none-match': toHeader(etag) } })
      if (exchange.status === 304)
        return exchange.body.length === 0 && exchange.headers['etag'] === etag ? undefined : exchange
      // The records have changed since: the next attempt has their new tag.
      return exchange.headers['etag'] === etag || exchange.status !== 200 ? exchange : ('unsteady' as const)
    })
    if (problem === 'unsteady') continue
    verdict.expect(problem === undefined, {
      exchange: problem ?? firstOf(caller),
      got:
        problem === undefined
          ? ''
          : `${describe(problem)}, ETag ${problem.headers['etag'] ?? '(none)'}, ${problem.body.length} bytes`,
      expected: '304 with the same ETag and without a body: nothing has changed',
    })
  }
}

/** Tags of another page, of another filter, of a single record, and one that was never sent. */
export const checkNoStale304: Check = async (run, verdict) => {
  await forEachSample(async (sample, { caller }) => {
    const { path } = sample.collection
    const calls: readonly Call[] = [
      ...listCalls(sample),
      { path, query: { limit: 9 } },
      { path, query: { limit: 10, updatedSince: '9999-12-31' } },
      { path: '/openapi.json', from: 'none' },
    ]
    const tags = new Map<Call, string>()
    for (const call of calls) tags.set(call, (await caller.ask(call)).headers['etag'] ?? '')
    for (const call of listCalls(sample)) {
      const own = tags.get(call) ?? [...tags].find(([one]) => isSameCall(one, call))?.[1] ?? ''
      for (const tag of new Set(['W/"verify"', ...tags.values()])) {
        if (tag === own || tag === '') continue
        const exchange = await caller.ask({ ...call, headers: { 'if-none-match': tag } })
        verdict.expect(exchange.status === 200, {
          exchange,
          got: describe(exchange),
          expected: `200: the tag of this answer is ${own}`,
        })
      }
    }
  })(run, verdict)
}

function isSameCall(one: Call, other: Call): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const sharedDirectives = /^(?:public|immutable|s-maxage=.*|max-age=0*[1-9]\d*)$/

/** Cache-Control and Vary of every answer of the run. */
export const checkCacheHeaders: Check = ({ caller }, verdict) => {
  for (const exchange of caller.exchanges) {
    if (exchange.call.below === 'root') continue
    const control = listItems(exchange.headers['cache-control'])
    const got = `${exchange.status} with Cache-Control: ${exchange.headers['cache-control'] ?? '(none)'}`
    if (isProblem(exchange))
      verdict.expect(control.includes('no-store'), { exchange, got, expected: 'no-store' })
    if (exchange.status !== 200 && exchange.status !== 304) continue
    const isPrivate = control.includes('private') && control.includes('no-cache')
    verdict.expect(isPrivate && !control.some((one) => sharedDirectives.test(one)), {
      exchange,
      got,
      expected: 'private, no-cache',
    })
    verdict.expect(listItems(exchange.headers['vary']).includes('authorization'), {
      exchange,
      got: `${exchange.status} with Vary: ${exchange.headers['vary'] ?? '(none)'}`,
      expected: 'Vary with Authorization',
    })
  }
}

function firstOf({ exchanges }: Caller): Exchange {
  const [exchange] = exchanges
  if (exchange === undefined) throw new Error('Nothing was asked')
  return exchange
}

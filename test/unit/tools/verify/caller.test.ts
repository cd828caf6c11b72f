import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createCaller } from '../../../../src/tools/verify/caller.js'
import type { CallerInput } from '../../../../src/tools/verify/caller.js'
import type { RawAnswer, RawRequest } from '../../../../src/tools/verify/send.js'

const ok: RawAnswer = { status: 200, headers: {}, body: Buffer.from('{"a":1}') }
const lost: RawAnswer = { status: 0, headers: {}, body: Buffer.alloc(0), failure: 'lost' }
const busy = (status: number, seconds: string): RawAnswer => ({
  status,
  headers: { 'retry-after': seconds },
  body: Buffer.from(''),
})

/** A caller whose requests get these answers one after the other, and then always the last. */
function open(answers: readonly RawAnswer[], other: Partial<CallerInput> = {}) {
  const requests: RawRequest[] = []
  const waits: number[] = []
  const caller = createCaller({
    url: 'https://api.example.com/shop',
    keys: { key: 'evk_secret', otherKey: 'evk_other' },
    names: { key: 'KEY', otherKey: 'OTHER' },
    maxRequests: 10,
    userAgent: 'vitrine-verify/1',
    send: (request) => {
      requests.push(request)
      return Promise.resolve(answers[Math.min(requests.length, answers.length) - 1]!)
    },
    wait: (ms) => Promise.resolve(waits.push(ms)),
    ...other,
  })
  return { caller, requests, waits }
}

test('a request has the key, says who asks, and accepts no compression', async () => {
  const { caller, requests } = open([ok])
  const exchange = await caller.ask({ path: '/invoices', query: { limit: 5 } })
  expect(requests[0]).toMatchObject({ method: 'GET', target: '/shop/api/public/v1/invoices?limit=5' })
  expect(requests[0]!.headers).toEqual({
    host: 'api.example.com',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'vitrine-verify/1',
    authorization: 'Bearer evk_secret',
  })
  expect(exchange).toMatchObject({ status: 200, json: { a: 1 } })
  expect(caller.exchanges).toEqual([exchange])
})

test('a body with more than 16 MiB behind its compression is not read', async () => {
  const body = gzipSync(`${' '.repeat(16 << 20)}{}`)
  const { caller } = open([{ ...ok, headers: { 'content-encoding': 'gzip' }, body }])
  expect((await caller.ask({ path: '/invoices' })).json).toBeUndefined()
})

test.each([429, 503])('after %i it waits as long as Retry-After says, and asks again', async (status) => {
  const { caller, waits } = open([busy(status, '7'), ok])
  expect(await caller.ask({ path: '/invoices' })).toMatchObject({ status: 200 })
  expect(waits).toEqual([7000])
})

test('it does not wait longer than two minutes in all', async () => {
  const { caller, waits } = open([ok, busy(429, '60')])
  await caller.ask({ path: '/invoices' })
  expect(await caller.ask({ path: '/invoices' })).toMatchObject({
    status: 429,
    failure: 'the service answers 429',
  })
  expect(waits).toEqual([60_000, 60_000])
})

test('an address that was never reached is a failure at once; a connection that is lost later is tried again', async () => {
  const never = open([lost])
  expect(await never.caller.ask({ path: '/invoices' })).toMatchObject({ failure: 'lost' })
  expect(never.requests).toHaveLength(1)
  const { caller } = open([ok, lost, ok])
  await caller.ask({ path: '/invoices' })
  expect(await caller.ask({ path: '/invoices' })).toMatchObject({ status: 200 })
})

test('a curl command names the variable of the key, and never has the key', async () => {
  const { caller, requests } = open([ok])
  const curl = async (call: Parameters<typeof caller.ask>[0]) => (await caller.ask(call)).curl
  const url = "'https://api.example.com/shop/api/public/v1/invoices"
  const key = `-H 'authorization: Bearer '"\${KEY}"`
  expect(await curl({ path: '/invoices' })).toBe(`curl -sS -i ${key} ${url}'`)
  expect(await curl({ path: '/invoices', from: 'otherKey', method: 'HEAD' })).toBe(
    `curl -sS -i --head -H 'authorization: Bearer '"\${OTHER}" ${url}'`,
  )
  const headers = { authorization: 'Bearer {key}x' }
  expect(await curl({ path: '/invoices', from: 'none', headers, method: 'POST' })).toBe(
    `curl -sS -i -X POST ${key}'x' ${url}'`,
  )
  const quoted = await curl({ path: '/invoices', from: 'none', headers: { a: "it's" } })
  expect(quoted).toBe(String.raw`curl -sS -i -H 'a: it'\''s' ${url}'`)
  const inAddress = await curl({ path: '/invoices', from: 'none', query: 'access_token={key}' })
  expect(inAddress).toBe(`curl -sS -i ${url}?access_token='"\${KEY}"`)
  expect(requests.at(-1)!.target).toBe('/shop/api/public/v1/invoices?access_token=evk_secret')
})

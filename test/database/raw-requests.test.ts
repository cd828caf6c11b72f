import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'
import type { RawAnswer } from '../support/raw-answers.js'
import { dial } from '../support/raw-caller.js'
import { useProduct, useService } from '../support/service.js'

const product = useProduct('plain', { registrations: 100 })
const service = useService(product)
let port: number
beforeAll(async () => {
  port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
})

const list = `GET ${base}/registrations?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.both}\r\n`
const ending = 'GET /docs/errors HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

/** Sends bytes and reads until the service closes. */
async function send(bytes: string): Promise<readonly RawAnswer[]> {
  const caller = await dial(port)
  caller.send(bytes)
  return caller.closed
}

const toCodes = (answers: readonly RawAnswer[]): readonly unknown[] =>
  answers.map(({ status, body }) => (status < 400 ? status : (JSON.parse(body) as { code: string }).code))

describe('what was asked before is answered first', () => {
  test.each([
    ['what is not HTTP', 'nonsense\r\n\r\n', 'malformed_request'],
    ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'method_not_allowed'],
    [
      'two lengths of one body',
      `${list}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'malformed_request',
    ],
  ])('%s after two lists', async (_what, bytes, code) => {
    expect(toCodes(await send(`${list}\r\n${list}\r\n${bytes}`))).toEqual([200, 200, code])
  })

  test.each([
    ['a list', list, 200],
    ['an address that there is not', 'GET /nothing HTTP/1.1\r\nHost: a\r\n', 'not_found'],
  ])('%s with a broken body has one answer, not two', async (_what, head, code) => {
    expect(toCodes(await send(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello`))).toEqual([code])
  })

  test('a request within the body of another is not a request', async () => {
    const within = `${list}\r\n`
    const chunk = `${within.length.toString(16)}\r\n${within}\r\n0\r\n\r\n`
    for (const bytes of [
      `${list}Content-Length: ${within.length}\r\n\r\n${within}${ending}`,
      `${list}Transfer-Encoding: chunked\r\n\r\n${chunk}${ending}`,
    ])
      expect(toCodes(await send(bytes))).toEqual([200, 200])
  })
})

const heads = parse(readFileSync('test/database/raw-requests.yaml', 'utf8')) as Record<
  string,
  [string, unknown]
>
test.each(Object.entries(heads))('a %s', async (_what, [head, code]) => {
  const bytes = head
    .replace('LIST', list.trimEnd())
    .replace('BASE', base)
    .replace('OTHER', keys.other)
    .replace('FILL', 'a:\r\n'.repeat(1999))
  const [answer, ...others] = await send(`${bytes}\r\nConnection: close\r\n\r\n`)
  expect(others).toEqual([])
  expect(toCodes([answer!])).toEqual([code])
  expect(answer!.headers.get('x-request-id')).toBeDefined()
})

test('a line break in a header is named', async () => {
  for (const header of ['Authorization: Bearer evk_A\r\nBC', 'X-A: a\nb', 'X-A: a\rb']) {
    const [answer] = await send(`GET ${base}/registrations HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`)
    expect([answer?.status, answer?.body]).toEqual([
      400,
      expect.stringContaining('a line break in the value'),
    ])
  }
})

test('who is refused in the midst of sending hears of it', async () => {
  for (const bytes of [`GET / HTTP/1.1\r\nX: ${'x'.repeat(8_000_000)}`, 'nonsense\r\n'.repeat(800_000)]) {
    const caller = await dial(port)
    caller.send(bytes)
    const [answer, ...others] = await caller.closed
    expect([answer?.headers.get('content-type'), others]).toEqual(['application/problem+json', []])
    // A connection that is cut off while bytes are under way can take the answer with it.
    expect(caller.socket.errored).toBeNull()
  }
})

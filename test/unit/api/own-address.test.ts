import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createBodies, createReadAddress } from '../../../src/api/own-address.js'
import type { StaticBody } from '../../../src/api/static-body.js'
import type { TrustProxy } from '../../../src/values/addresses.js'
import { afterFile } from '../../support/after-file.js'

/** An app that answers with its own address. */
function createApp(publicUrl: string, trustProxy: TrustProxy): FastifyInstance {
  const app = Fastify({ trustProxy })
  const readAddress = createReadAddress(publicUrl, trustProxy)
  app.get('/', (request, reply) => reply.send(readAddress(request)))
  afterFile(() => app.close())
  return app
}

const direct = createApp('', false)
await direct.listen({ port: 0, host: '127.0.0.1' })
const { port } = direct.server.address() as AddressInfo

async function ask(headers: Readonly<Record<string, string>>): Promise<string> {
  const sent = sendRequest({ host: '127.0.0.1', port, headers }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return text(answer)
}

test.each<[string, Readonly<Record<string, string>>]>([
  ...['127.0.0.1', 'localhost', 'API.example.com', '[::1]'].map((name): [string, Record<string, string>] => [
    `http://${name.toLowerCase()}:${port}`,
    { host: `${name}:${port}` },
  ]),
  ...[
    'api.example.com',
    'a.test:443',
    `"$(id)":${port}`,
    `a.test/x:${port}`,
    `a@b.test:${port}`,
    `a.test, b.test:${port}`,
  ].map((host): [string, Record<string, string>] => ['', { host }]),
  ['', { host: `a.test:${port}`, via: '1.1 proxy' }],
  ['', { host: `a.test:${port}`, 'x-forwarded-proto': 'https' }],
])('a direct caller is at %j with %o', async (address, headers) => {
  expect(await ask(headers)).toBe(address)
})

describe('behind a trusted proxy', () => {
  const app = createApp('', '127.0.0.1')
  const askBehind = async (headers: Readonly<Record<string, string>>, remoteAddress = '127.0.0.1') =>
    (await app.inject({ url: '/', headers, remoteAddress })).body

  test.each([
    [{ host: 'api.example.com', 'x-forwarded-proto': 'https' }, 'https://api.example.com'],
    [
      { host: 'vitrine:8080', 'x-forwarded-host': 'api.example.com', 'x-forwarded-proto': 'https' },
      'https://api.example.com',
    ],
    [{ host: 'api.example.com', 'x-forwarded-proto': 'ftp' }, ''],
    [{ host: 'api.example.com', 'x-forwarded-host': '<script>', 'x-forwarded-proto': 'https' }, ''],
    // The scheme of the caller is not known.
    [{ host: 'api.example.com' }, ''],
  ])('%o is at %j', async (headers, address) => {
    expect(await askBehind(headers)).toBe(address)
  })

  test('the headers of another sender do not count', async () => {
    const headers = { host: 'a.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' }
    expect(await askBehind(headers, '192.0.2.1')).not.toContain('evil.test')
  })
})

test('only the first four addresses have a body of their own, and all others that of an unknown one', () => {
  const made: string[] = []
  const toBody = createBodies((address) => {
    made.push(address)
    return { address } as unknown as StaticBody
  })
  for (const address of ['a', 'b', 'a', 'c', 'd', 'e', 'd'])
    expect(toBody(address)).toEqual({ address: address === 'e' ? '' : address })
  expect(made).toEqual(['', 'a', 'b', 'c', 'd'])
})

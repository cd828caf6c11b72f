import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { startNetwork } from '../support/network.js'
import type { Network } from '../support/network.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { base, createClient } from '../support/client.js'
import { readExamples, resolveResponse } from '../support/openapi-document.js'
import type { Document, Header, ProblemExample, Response } from '../support/openapi-document.js'
import { dial } from '../support/raw-caller.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/* Each example of a problem, and each header, against the answers of a running service. */

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const origin = 'https://app.example.com'
/** What a browser on an allowed origin sends. */
const browser = { origin, 'accept-encoding': 'br' }
const perMinute = 1200

const throwaway = useThrowaway()
let database: ProductDatabase
let network: Network
let service: TestService
let document: Document
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 200 })
  await runStatements(database.adminUrl, ["UPDATE workspace_api_keys SET expires_at = '2037-01-01'"])
  network = await startNetwork(database.readUrl)
  database = { ...database, readUrl: network.url }
  service = await start()
  document = (await createClient(service).get('openapi.json')).body as never
})

function start(
  env: Readonly<Record<string, string>> = {},
  limits: Parameters<typeof startService>[1] = {},
): Promise<TestService> {
  const RATE_LIMIT_PER_MINUTE = String(perMinute)
  return startService(database, { env: { RATE_LIMIT_PER_MINUTE, CORS_ORIGINS: origin, ...env }, ...limits })
}

async function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { app }: TestService = service,
  method: 'GET' | 'POST' = 'GET',
): Promise<Answer> {
  const sent = { authorization: `Bearer ${keys.both}`, ...browser, ...headers }
  const answer = await app.inject({ method, url: `${base}${path}`, headers: sent })
  return { status: answer.statusCode, headers: answer.headers as Answer['headers'], text: answer.body }
}

/** Sends bytes to a listening service, and reads its one answer. */
async function askRaw(bytes: string, { app }: TestService = service): Promise<Answer> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const caller = await dial((app.server.address() as AddressInfo).port)
  caller.send(bytes)
  const [answer] = await caller.waitFor(1)
  caller.socket.destroy()
  return { status: answer!.status, headers: Object.fromEntries(answer!.headers), text: answer!.body }
}

async function failing(error: number, path: string): Promise<Answer> {
  network.set({ do: 'fail', error: { number: error, sqlState: 'HY000' } })
  try {
    return await ask(path)
  } finally {
    network.set({ do: 'pass' })
    await expect.poll(async () => (await ask('/registrations')).status).toBe(200)
  }
}

/** A path of a route without its query: a record that there is, unless another id is wanted. */
const toPath = (route: string, id = 'none'): string => route.replace('{id}', id)
const hasKey = (route: string): boolean => route !== '/openapi.json'

/** How each problem comes about, on a route. */
const provoke: Readonly<Record<string, (route: string) => Promise<Answer>>> = {
  invalid_parameter: (route) => ask(`${route}?limit=1000`),
  unknown_parameter: (route) => ask(`${toPath(route)}?page=2`),
  invalid_cursor: (route) => ask(`${route}?cursor=abc`),
  cursor_mismatch: async (route) => {
    const { cursor } = (await createClient(service).get(route.slice(1), { limit: 1 })).body.meta
    return ask(`${route}?cursor=${String(cursor)}&eventId=other`)
  },
  malformed_request: (route) =>
    route.includes('{')
      ? ask(toPath(route, '%zz'))
      : askRaw(`GET ${base}${route} HTTP/1.1\r\nHost: a\r\nno header\r\n\r\n`),
  missing_key: (route) =>
    askRaw(`GET ${base}${toPath(route)} HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\n\r\n`),
  invalid_key: (route) => ask(toPath(route), { authorization: 'Bearer unknown' }),
  insufficient_scope: (route) => {
    const key = route.startsWith('/invoices') ? keys.registrations : keys.invoices
    return ask(`${toPath(route)}?nonsense=1`, { authorization: `Bearer ${key}` })
  },
  not_found: (route) => ask(toPath(route)),
  rate_limited: async (route) => {
    const limited = await start({ RATE_LIMIT_PER_MINUTE: '1' })
    await ask(toPath(route), {}, limited)
    const answer = await ask(toPath(route), {}, limited)
    return { ...answer, text: answer.text.replace('send 1 requests', `send ${perMinute} requests`) }
  },
  database_unavailable: (route) => failing(1053, toPath(route)),
  overloaded: async (route) => {
    const busy = await start({ DATABASE_POOL_SIZE: '1', DATABASE_QUEUE_LIMIT: '0' })
    await ask('/registrations', {}, busy)
    network.set({ do: 'freeze' })
    const first = ask('/registrations?limit=7', {}, busy)
    const isBusy = async (): Promise<boolean> =>
      (await busy.ops.inject('/metrics')).body.includes('vitrine_database_active 1')
    await expect.poll(isBusy).toBe(true)
    const answer = await ask(toPath(route), {}, busy)
    network.set({ do: 'pass' })
    await first
    return answer
  },
  method_not_allowed: (route) => ask(toPath(route), {}, service, 'POST'),
  request_timeout: async (route) => {
    const hasty = await start(
      {},
      { limits: { headersTimeoutMs: 50, requestTimeoutMs: 100, checkEveryMs: 20 } },
    )
    return askRaw(`GET ${base}${toPath(route)} HTTP/1.1\r\n`, hasty)
  },
  uri_too_long: (route) => ask(`${toPath(route)}?status=${'x'.repeat(8200)}`),
  headers_too_large: (route) =>
    askRaw(`GET ${base}${toPath(route)} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
}

/** Answers of a route that have headers which its problems have not shown. */
async function askSuccesses(route: string): Promise<readonly Answer[]> {
  const list = hasKey(route) ? route.replace('/{id}', '') : '/registrations'
  const page = await createClient(service).get(list.slice(1), { limit: 100 })
  const id = String(page.body.data[0]!['id'])
  const query = route === list ? '?limit=20' : ''
  const path = `${toPath(route, id)}${query}`
  const ok = await ask(path)
  const same = await ask(path, { 'if-none-match': ok.headers['etag']! })
  expect([ok.status, same.status]).toEqual([200, 304])
  // A problem that quotes so much that it is compressed.
  const quoting = await ask(`${toPath(route, id)}?${'%01'.repeat(64)}=1`)
  expect(quoting.status).toBe(400)
  return [ok, same, quoting]
}

function resolveHeader(header: Header): Header {
  const name = header.$ref?.replace('#/components/headers/', '')
  return name === undefined ? header : document.components.headers[name]!
}

/** Of HTTP itself, and not of the API. */
const protocolHeaders = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
])
/** Where the value in an answer is the one of the example. */
const constantHeaders =
  /^(Allow|WWW-Authenticate|Cache-Control|X-Content-Type-Options|Access-Control-.*|RateLimit-Limit)$/

/** Records of a single route have too little to be compressed, unless the product has texts of a kilobyte. */
const tooShort = (route: string, status: string, name: string): boolean =>
  name === 'Content-Encoding' && status === '200' && route.endsWith('{id}')

/** Compares the headers of an answer with those that are documented, and returns which of these it has. */
function compareHeaders(label: string, response: Response, answer: Answer): readonly string[] {
  const documented = Object.entries(resolveResponse(document, response).headers ?? {})
  const known = documented.map(([name]) => name.toLowerCase())
  const unknown = Object.keys(answer.headers).filter((name) => ![...protocolHeaders, ...known].includes(name))
  expect(unknown, `sent with ${label}, not documented`).toEqual([])
  const sent = documented.filter(([name]) => answer.headers[name.toLowerCase()] !== undefined)
  const missing = documented.filter((one) => resolveHeader(one[1]).required === true && !sent.includes(one))
  expect(
    missing.map(([name]) => name),
    `not sent with ${label}`,
  ).toEqual([])
  for (const [name, header] of sent) {
    // The service of that answer has another limit.
    if (!constantHeaders.test(name) || answer.status === 429) continue
    const { example, examples } = resolveHeader(header)
    const shown = Object.values(examples ?? { one: { value: example } }).map(({ value }) => String(value))
    expect(shown, `${name} of ${label}`).toContain(answer.headers[name.toLowerCase()])
  }
  return sent.map(([name]) => name)
}

/** Every problem that a route documents, with what it really answers. */
async function askProblems(route: string): Promise<readonly (readonly [status: string, Answer])[]> {
  const answers: (readonly [string, Answer])[] = []
  for (const [status, response] of Object.entries(document.paths[route]!.get.responses)) {
    const examples = readExamples(document, response)
    for (const [code, value] of Object.entries(examples)) {
      if (isUnreachable(status)) continue
      const answer = await provoke[code]!(route)
      const body = JSON.parse(answer.text) as ProblemExample
      expect(body, `${code} of ${route}`).toEqual({ ...value, requestId: body.requestId })
      answers.push([status, answer])
    }
  }
  return answers
}

/** No request makes the service itself fail. */
const isUnreachable = (status: string): boolean => status === '500'

test.each(['/registrations', '/registrations/{id}', '/invoices', '/invoices/{id}', '/openapi.json'])(
  '%s answers each problem with the very words of its example, and has the documented headers and no other',
  async (route) => {
    const { responses } = document.paths[route]!.get
    const successes = (await askSuccesses(route)).map((answer) => [String(answer.status), answer] as const)
    const seen = [...(await askProblems(route)), ...successes].flatMap(([status, answer]) =>
      compareHeaders(`${route} ${status}`, responses[status]!, answer).map((name) => `${status} ${name}`),
    )
    const unseen = Object.entries(responses)
      .filter(([status]) => !isUnreachable(status))
      .flatMap(([status, response]) =>
        Object.keys(resolveResponse(document, response).headers ?? {})
          .filter((name) => !tooShort(route, status, name))
          .map((name) => `${status} ${name}`),
      )
      .filter((one) => !seen.includes(one))
    expect(unseen, 'documented, never sent').toEqual([])
  },
)

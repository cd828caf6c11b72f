import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/client/index.js'
import type { Invoice, MirrorStore } from '../../../src/client/index.js'

/** The address of the first request that a client with this url sends. */
async function findAddress(url: string, id = 'a'): Promise<string> {
  let address = ''
  const fetch = (input: unknown): Promise<Response> => {
    address = String(input)
    return Promise.resolve(Response.json({ id }))
  }
  await createClient({ url, key: 'k', fetch }).registrations.get(id)
  return address
}

describe('the url', () => {
  test.each([
    'https://api.test/events',
    'https://api.test/events/',
    'https://api.test/events/api/public/v1',
    'https://api.test/events/api/public/v1//',
  ])('%s resolves to the base path', async (url) => {
    expect(await findAddress(url)).toBe('https://api.test/events/api/public/v1/registrations/a')
  })

  test.each([
    '',
    'api.test',
    '/api',
    'ftp://api.test',
    'https://u:p@api.test',
    'https://a.test?x',
    'https://a.test#x',
  ])('%j is a TypeError at once', (url) => {
    expect(() => createClient({ url, key: 'k' })).toThrow(TypeError)
  })
})

describe('the key', () => {
  const create = (key: unknown) => () => createClient({ url: 'https://api.test', key: key as string })

  test.each(['', 'undefined', undefined, null, 12, Buffer.from('k')])(
    '%j is a TypeError at once, as of a variable that is not set',
    (key) => {
      expect(create(key)).toThrow(/^The option key is not set$/)
    },
  )

  test.each([' k', 'k\n', 'k k', 'Bearer k', 'ключ'])(
    '%j is a TypeError at once, which does not contain it',
    (key) => {
      expect(create(key)).toThrow(/^The option key must be ASCII, without blanks and "Bearer"$/)
    },
  )
})

describe('an option that a call does not have is a TypeError that names the nearest one', () => {
  const options = { url: 'https://api.test', key: 'k' }
  const { invoices, sync, mirror } = createClient(options)
  const onPage = () => undefined
  const store = {} as MirrorStore<Invoice>
  // As a variable gets past the compiler.
  test.each<[call: string, name: string, nearest: string | undefined, run: (wrong: never) => unknown]>([
    ['createClient', 'apiKey', 'key', (wrong: object) => createClient({ ...options, ...wrong })],
    ['createClient', 'timeout', 'timeoutMs', (wrong: object) => createClient({ ...options, ...wrong })],
    [
      'appInfo',
      'vresion',
      'version',
      (wrong: object) => createClient({ ...options, appInfo: { name: 'a', ...wrong } }),
    ],
    ['list', 'eventID', 'eventId', invoices.list],
    ['list', 'limit', 'pageSize', invoices.list],
    ['list', 'since', 'updatedSince', invoices.pages],
    ['list', 'colour', undefined, invoices.list],
    ['list', 'x', undefined, invoices.list],
    ['toArray', 'nix', undefined, invoices.list().toArray],
    ['firstPage', 'ifNonMatch', 'ifNoneMatch', invoices.list().firstPage],
    ['toArray', 'maximum', 'max', invoices.list().toArray],
    ['get', 'singal', 'signal', (wrong) => invoices.get('a', wrong)],
    ['sync', 'updatedSince', 'since', (wrong: object) => sync('invoices', { onPage, ...wrong })],
    ['mirror', 'allowRemoval', 'allowRemovals', (wrong) => mirror('invoices', store, wrong)],
    ['mirror', 'cursor', undefined, (wrong) => mirror('invoices', store, wrong)],
  ])('%s: %s', async (call, name, nearest, run) => {
    const error = await new Promise((resolve) => {
      resolve(run({ [name]: 'x' } as never))
    }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    const hint = nearest === undefined ? '.' : `; did you mean ${nearest}?`
    expect(String(error)).toContain(`${call} has no option "${name}"${hint} It has `)
  })
})

test.each([{ retries: -1 }, { timeoutMs: Number.NaN }, { retryAfterMaxMs: Infinity }])(
  '%j is a TypeError at once',
  (wrong) => {
    expect(() => createClient({ url: 'https://api.test', key: 'k', ...wrong })).toThrow(TypeError)
  },
)

describe('an id', () => {
  test('is one segment of the path, percent-encoded', async () => {
    expect(await findAddress('https://api.test', 'a/b?c#d e')).toMatch(/\/registrations\/a%2Fb%3Fc%23d%20e$/)
  })

  test.each(['', '.', '..'])('%j, which no path can have, is a TypeError', async (id) => {
    await expect(findAddress('https://api.test', id)).rejects.toThrow(TypeError)
  })
})

import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/client/index.js'

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
  test.each(['', ' k', 'k\n', 'k k', 'ключ'])(
    '%j is a TypeError at once, which does not contain it',
    (key) => {
      expect(() => createClient({ url: 'https://api.test', key })).toThrow(/^The key is empty, or has/)
    },
  )
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

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readKey } from '../../../src/api/authenticate.js'

const key = 'evk_1234567890abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL'

const read = (headers: Readonly<Record<string, string>>, search = ''): string | undefined =>
  readKey({ headers, raw: { url: `/?${search}` } })

function explain(headers: Readonly<Record<string, string>>, search = ''): unknown {
  try {
    return read(headers, search)
  } catch (error) {
    const { code, detail } = error as { readonly code: string; readonly detail: string }
    expect([code, detail.includes('1234')]).toEqual(['missing_key', false])
    expect(detail).toMatch(/ Send the API key as Authorization: Bearer <key>\.$/)
    return detail.replace(/ Send the API key .*/, '')
  }
}

test('a key is read with its scheme in any case, and blanks around it', () => {
  for (const authorization of [`Bearer ${key}`, `bEARER   ${key}  `, 'Bearer aZ0.~+/-_=='])
    expect(read({ authorization })).toBe(authorization.split(/ +/)[1])
})

test('a text that no key can be, of no known mistake, is not a key', () => {
  for (const text of ['a b', 'not/a=key', 'ä', 'x'.repeat(513)])
    expect(read({ authorization: `Bearer ${text}` })).toBeUndefined()
})

describe('a request without a key gets a sentence for its mistake, and never its key back', () => {
  const cases = parse(readFileSync('test/unit/api/read-key.yaml', 'utf8')) as Record<string, string[]>
  const texts = Object.entries(cases).flatMap(([found, all]) => all.map((text) => [text, found] as const))
  test.each(texts)('%s', (text, found) => {
    expect(explain({ authorization: text.replaceAll('@', key) })).toBe(found)
  })

  test('in other headers and in the URL', () => {
    expect(explain({})).toBe('There is no Authorization header.')
    expect(explain({ 'x-api-key': key })).toBe('The key is in the header X-Api-Key.')
    for (const search of [`access_token=${key}`, `limit=1&apiKey=${key}`])
      expect(explain({}, search)).toBe(
        'The key is in the URL, which servers log: replace that key by a new one.',
      )
    expect(explain({}, 'limit=1&monkey=1')).toBe('There is no Authorization header.')
  })
})

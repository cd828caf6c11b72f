import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import { parseOrigins } from '../../src/values/addresses.js'
import { makeFolder } from '../support/folder.js'
import { listIssues } from '../support/issues.js'

const required = { DATABASE_URL: 'mysql://reader:secret@db/product' }
const issuesOf = (variables: Readonly<Record<string, string>>) =>
  listIssues(() => parseConfig({ ...required, ...variables }))

test('DATABASE_URL_FILE is an issue beside DATABASE_URL, if it is not there, or if it holds another text', () => {
  const file = join(makeFolder(), 'url')
  writeFileSync(file, 'hunter2secret')
  const foundOf = (variables: Readonly<Record<string, string>>) => {
    const faults = listIssues(() => parseConfig(variables))
    expect(faults).toMatchObject([{ path: 'DATABASE_URL_FILE' }])
    return [faults[0]?.found, faults[0]?.allowed]
  }
  expect(foundOf({ ...required, DATABASE_URL_FILE: file })).toEqual([
    'DATABASE_URL beside it',
    'one of the two',
  ])
  expect(foundOf({ DATABASE_URL_FILE: '/none' })).toEqual(['"/none" (ENOENT)', 'a file that can be read'])
  expect(foundOf({ DATABASE_URL_FILE: file })).toEqual([
    `${JSON.stringify(file)}, which holds no scheme`,
    'mysql:// in front',
  ])
  writeFileSync(file, `\n${required.DATABASE_URL}\n`)
  const read = parseConfig({ DATABASE_URL_FILE: file }).database
  expect(read).toEqual({ ...parseConfig(required).database, urlFile: file })
})

describe('CORS_ORIGINS', () => {
  test.each([
    ['*', ['*']],
    ['https://a.example', ['https://a.example']],
    ['https://a.example, http://b.example:8080,', ['https://a.example', 'http://b.example:8080']],
    ['http://[::1]:3000', ['http://[::1]:3000']],
    ['', []],
  ])('of %o are %o', (text, origins) => {
    expect(parseOrigins(text)).toEqual(origins)
  })

  test.each([
    'a.example',
    'https://a.example/',
    'https://a.example/path',
    'https://A.example',
    'https://a.example:443',
    'https://*.example',
    'https://u:p@a.example',
    'null',
    '*, https://a.example',
    'ftp://a.example',
  ])('with %s are refused', (text) => {
    expect(issuesOf({ CORS_ORIGINS: text })).toEqual([
      {
        path: 'CORS_ORIGINS',
        found: expect.any(String) as unknown,
        allowed: expect.stringContaining('origins such as https://app.example.com') as unknown,
      },
    ])
  })
})

describe('TRUST_PROXY', () => {
  test.each([
    ['off', false],
    ['false', false],
    ['true', true],
    ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ])('of %s is %o', (text, trusted) => {
    expect(parseConfig({ ...required, TRUST_PROXY: text }).trustProxy).toBe(trusted)
  })

  test.each([
    'off',
    'true',
    'false',
    '2',
    '10.0.0.1',
    '10.0.0.0/8, loopback',
    '::1',
    'fd00::/8',
    'uniquelocal',
  ])('may be %s', (text) => {
    expect(() => parseConfig({ ...required, TRUST_PROXY: text })).not.toThrow()
  })

  test.each(['rubbish', '10.0.0', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', 'loopback/8', ','])(
    'may not be %s',
    (text) => {
      expect(issuesOf({ TRUST_PROXY: text }).map((issue) => issue.path)).toEqual(['TRUST_PROXY'])
    },
  )

  test('of a number trusts that many hops', () => {
    const { trustProxy } = parseConfig({ ...required, TRUST_PROXY: '2' })
    const trusts = (hop: number): boolean => typeof trustProxy === 'function' && trustProxy('10.0.0.1', hop)
    expect([0, 1, 2, 3].map(trusts)).toEqual([true, true, false, false])
  })
})

import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { addHeaders, renderUserAgent, version } from '../../../src/client/headers.js'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the version is that of package.json', () => {
  const { version: expected } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(version).toBe(expected)
})

describe('User-Agent', () => {
  test.each([
    ['Node 20', undefined, { versions: { node: '20.19.0' } }, 'Node.js/20.19.0'],
    ['a later Node', 'Node.js/22', { versions: { node: '22.12.0' } }, 'Node.js/22.12.0'],
    ['Deno, which has a process too', 'Deno/2.1.4', { versions: { node: '22.11.0' } }, 'Deno/2.1.4'],
    ['Bun', 'Bun/1.2.0', { versions: { node: '22.6.0' } }, 'Bun/1.2.0'],
    ['a worker platform', 'Cloudflare-Workers', undefined, 'Cloudflare-Workers'],
  ])('names the version of the client and the runtime in %s', (_, userAgent, process, runtime) => {
    vi.stubGlobal('navigator', userAgent && { userAgent })
    vi.stubGlobal('process', process)
    expect(renderUserAgent(undefined)).toBe(`vitrine-client/${version} ${runtime}`)
    const app = { name: 'crm-sync', version: '1.4.0' }
    expect(renderUserAgent(app)).toBe(`vitrine-client/${version} ${runtime} crm-sync/1.4.0`)
    expect(renderUserAgent({ name: 'crm' })).toBe(`vitrine-client/${version} ${runtime} crm`)
  })

  test.each([
    ['a browser', 'Mozilla/5.0 (X11; Linux x86_64)', undefined],
    ['a browser with the process of a bundler', 'Mozilla/5.0', { versions: { node: '20.19.0' } }],
    ['an unknown runtime', undefined, undefined],
  ])('is not sent in %s', (_, userAgent, process) => {
    vi.stubGlobal('navigator', userAgent && { userAgent })
    vi.stubGlobal('process', process)
    expect(renderUserAgent({ name: 'crm' })).toBeUndefined()
  })

  test.each([{ name: '' }, { name: 'a b' }, { name: 'a', version: '1 0' }, { name: 'é' }, { name: 'a\n' }])(
    'with %j is a TypeError',
    (app) => {
      expect(() => renderUserAgent(app)).toThrow(TypeError)
    },
  )
})

describe('an extra header', () => {
  test.each(['authorization', 'Authorization', 'IF-NONE-MATCH'])('%s is a TypeError', (name) => {
    const headers = new Headers({ authorization: 'Bearer k' })
    expect(() => {
      addHeaders(headers, { [name]: 'x' })
    }).toThrow(/use the option key or ifNoneMatch/)
    expect(headers.get('authorization')).toBe('Bearer k')
  })

  test.each([{ 'x y': 'secret' }, { 'x-secret': 'secret\n\n1' }, { 'x-secret': 'secret€' }])(
    'that is not valid is a TypeError without its value: %j',
    (extra) => {
      const add = () => {
        addHeaders(new Headers(), extra)
      }
      expect(add).toThrow(TypeError)
      expect(add).not.toThrow(/secret[\n€]|: secret/)
    },
  )
})

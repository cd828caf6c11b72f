import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useProduct, useService } from '../support/service.js'

const database = useProduct('plain')
const service = useService(database)
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const guides = readdirSync('dist/docs/registrations-invoices/docs').filter((name) => name.endsWith('.md'))
const paths = ['/docs', ...guides.map((name) => `/docs/${name.slice(0, -3)}`)]

/** Where the links of a Markdown text lead to, without their anchors. */
const listLinks = (text: string, url: string) =>
  [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, href = '']) => new URL(href, `http://a${url}`))

async function expectToAnswer(links: readonly URL[]): Promise<void> {
  const own = new Set(links.filter(({ host }) => host === 'a').map(({ pathname }) => pathname))
  expect(own.size).toBeGreaterThan(0)
  for (const path of own) expect([path, (await service.app.inject(path)).statusCode]).toEqual([path, 200])
}

test('the package has its version in its address, whose bytes never change, and the short address leads there', async () => {
  const short = await service.app.inject('/docs/vitrine-client.tgz')
  expect([short.statusCode, short.headers.location]).toEqual([302, `./vitrine-client-${version}.tgz`])
  expect(short.headers['cache-control']).toBe('no-cache')
  const { statusCode, headers, rawPayload } = await service.app.inject({
    url: `/docs/vitrine-client-${version}.tgz`,
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/gzip'])
  expect(headers['content-encoding']).toBeUndefined()
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(rawPayload.equals(readFileSync('dist/vitrine-client.tgz'))).toBe(true)
  expect((await service.app.inject('/docs/vitrine-client-0.0.1.tgz')).statusCode).toBe(404)
})

test('without PUBLIC_URL no answer names a host that a caller sent', async () => {
  for (const path of ['/api/public/v1/openapi.json', '/docs/openapi-3.0.json', '/docs']) {
    const { body } = await service.app.inject({ url: path, headers: { host: 'sent.test' } })
    expect(body).toContain(
      path === '/docs' ? 'https://vitrine.example.com/api/public/v1' : '"/api/public/v1"',
    )
    expect(body).not.toContain('sent.test')
  }
})

test.each([
  ['/api/public/v1/invoice', 'did you mean /api/public/v1/invoices?'],
  ['/registrations/1', 'did you mean /api/public/v1/registrations?'],
  ['/api/public/v1/invoices/', 'a path has no slash at its end.'],
])('the 404 of %s says what is wrong: %s', async (url, hint) => {
  const { detail } = (await service.app.inject(url)).json<{ detail: string }>()
  expect(detail).toMatch(/^There is nothing at this path; /)
  expect(detail).toContain(`; ${hint} The API is at `)
})

test('a file is kept forever by its version, and asked for again by no version or another one', async () => {
  const [current = ''] = /assets\/docs\.js\?v=[\w-]+/.exec((await service.app.inject('/docs')).body) ?? []
  for (const [url, cached] of [
    [current, 'public, max-age=31536000, immutable'],
    ['assets/docs.js', 'no-cache'],
    ['assets/docs.js?v=other', 'no-cache'],
  ])
    expect((await service.app.inject(`/docs/${url}`)).headers['cache-control']).toBe(cached)
})

test.each(paths)('%s is HTML, Markdown at .md, and has no dead link', async (path) => {
  const read = (url: string, accept: string) => service.app.inject({ url, headers: { accept } })
  const file = await read(`${path}.md`, '*/*')
  expect(file.headers['content-type']).toBe('text/markdown; charset=utf-8')
  expect(file.body).toMatch(/^# \S/)
  const page = await read(path, browser)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers.vary).toBe('accept-encoding')
  const links = [...page.body.matchAll(/ (?:href|src)="([^"#]+)/g)].map(
    ([, href = '']) => new URL(href, `http://a${path}`),
  )
  expect(links.map(({ pathname }) => pathname)).toContain(`${path}.md`)
  await expectToAnswer([...listLinks(file.body, `${path}.md`), ...links])
  // A place within a page, as the navigation and the contents have them.
  const anchors = [...page.body.matchAll(/ href="#([^"]+)"/g)].map(([, anchor]) => anchor)
  expect(anchors.filter((anchor) => !page.body.includes(` id="${anchor}"`))).toEqual([])
})

test('/llms.txt says what a program must know, and leads to every page', async () => {
  const { body, headers } = await service.app.inject('/llms.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(body).toMatch(/^# Vitrine API\n\n> \S/)
  for (const rule of ['never as a float', 'nextUpdatedSince', 'Cursors are opaque', 'Ids are opaque'])
    expect(body).toContain(rule)
  const links = listLinks(body, '/llms.txt')
  await expectToAnswer(links)
  const linked = links.map(({ pathname }) => pathname)
  expect(linked).toEqual(expect.arrayContaining(paths.map((path) => `${path}.md`)))
})

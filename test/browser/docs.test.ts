import { readdirSync, statSync } from 'node:fs'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { describeInBrowser, runWithPage, serveDocs } from '../support/browser.js'
import type { PageTask } from '../support/browser.js'
import { base } from '../support/client.js'
import { guidePaths, listBarriers, openForm, sendForm } from '../support/docs-page.js'

const served = serveDocs()

const paths = ['/docs', ...guidePaths.map((path) => `/docs/${path}`)]

test.each(paths)('%s may load from its own origin alone, and has nothing inline', async (path) => {
  const { statusCode, headers, body } = await served.service.app.inject(path)
  expect(statusCode).toBe(200)
  const policy = String(headers['content-security-policy'])
  const directives = policy.split('; ').map((directive) => directive.split(' '))
  for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
    expect(directives).toContainEqual([name, "'none'"])
  const sources = new Set(directives.flatMap(([, ...rest]) => rest))
  expect([...sources].sort()).toEqual(["'none'", "'self'"])
  expect(body).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|(?:src|href)="(?:https?:)?\/\//)
})

test('a file is kept forever by its version, and asked for again by no version or another one', async () => {
  const { body } = await served.service.app.inject('/docs')
  const [current = ''] = /assets\/docs\.js\?v=[\w-]+/.exec(body) ?? []
  const read = async (url: string) =>
    (await served.service.app.inject(`/docs/${url}`)).headers['cache-control']
  expect(await read(current)).toBe('public, max-age=31536000, immutable')
  for (const url of ['assets/docs.js', 'assets/docs.js?v=other']) expect(await read(url)).toBe('no-cache')
})

describeInBrowser('the documentation in a browser', (useBrowser) => {
  const withPage = (options: BrowserContextOptions, task: PageTask) =>
    runWithPage(useBrowser(), options, task)

  test('the navigation shows every operation and guide at 1280 × 900 without scrolling, and the first operation too', () =>
    withPage({}, async (page) => {
      await page.goto(`${served.origin}/docs`)
      const names = [
        ...['Authentication', 'List registrations', 'Get one registration', 'List invoices'],
        ...['Get one invoice', 'Sync', 'Errors', 'Limits', 'Money', 'Times'],
      ]
      for (const name of names) {
        const link = page.getByRole('navigation').getByRole('link', { name, exact: true })
        const box = (await link.boundingBox())!
        expect([name, box.y >= 0 && box.y + box.height <= 900 && box.x + box.width < 400]).toEqual([
          name,
          true,
        ])
      }
      const heading = page.getByRole('heading', { name: 'List registrations' })
      expect((await heading.boundingBox())!.y).toBeLessThan(900)
    }))

  test('the navigation leads to an operation, and marks where the reader is', () =>
    withPage({}, async (page) => {
      await page.goto(`${served.origin}/docs`)
      const navigation = page.getByRole('navigation')
      const current = navigation.locator('[aria-current]')
      expect(await current.allInnerTexts()).toEqual(['Overview'])
      await navigation.getByRole('link', { name: 'List invoices' }).click()
      await expect.poll(() => current.allInnerTexts()).toEqual(['List invoices'])
      const heading = page.getByRole('heading', { name: 'List invoices' })
      expect((await heading.boundingBox())!.y).toBeLessThan(200)
      await navigation.getByRole('link', { name: 'Errors' }).click()
      await page.waitForURL(`${served.origin}/docs/errors`)
      expect(await current.allInnerTexts()).toEqual(['Errors'])
    }))

  test.each([
    ['light', 'rgb(255, 255, 255)', 'rgb(23, 37, 42)'],
    ['dark', 'rgb(15, 23, 25)', 'rgb(227, 235, 237)'],
  ] as const)('%s colours follow the system', (colorScheme, background, text) =>
    withPage({ colorScheme }, async (page) => {
      for (const path of paths) {
        await page.goto(`${served.origin}${path}`)
        const style = await page.evaluate(
          '({ background: getComputedStyle(document.body).backgroundColor, text: getComputedStyle(document.body).color })',
        )
        expect([path, style]).toEqual([path, { background, text }])
      }
    }),
  )

  test('the scripts have at most 20 KB as they are written', () => {
    const folder = 'src/api/docs/assets'
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const bytes = scripts.reduce((sum, name) => sum + statSync(`${folder}/${name}`).size, 0)
    expect(scripts.length).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(20 * 1024)
  })

  test('a page and all that it loads have at most 50 KB on the wire', () =>
    withPage({}, async (page, witness) => {
      const sizes: Promise<number>[] = []
      page.on('requestfinished', (request) => {
        sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize))
      })
      await page.goto(`${served.origin}/docs`, { waitUntil: 'networkidle' })
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      expect(sizes.length).toBeGreaterThanOrEqual(3)
      expect(bytes).toBeGreaterThan(5000)
      expect(bytes).toBeLessThanOrEqual(50_000)
      expect(witness.requested.filter((url) => !url.startsWith(`${served.origin}/docs`))).toEqual([])
      expect(witness).toMatchObject({ complaints: [], refused: [] })
    }))

  test.each([
    ['light', []],
    // The same markup in other colours.
    ['dark', ['color-contrast']],
  ] as const)('axe finds no barrier in %s colours', (colorScheme, rules) =>
    withPage({ colorScheme }, async (page) => {
      for (const path of guidePaths) {
        await page.goto(`${served.origin}/docs/${path}${path === 'errors' ? '#invalid_cursor' : ''}`)
        expect([path, await listBarriers(page, rules)]).toEqual([path, []])
      }
      // With all that can be unfolded.
      await page.goto(`${served.origin}/docs`)
      const operation = await openForm(page, 'listRegistrations')
      await operation.getByLabel('API key').fill(keys.both)
      await sendForm(operation)
      for (const summary of await operation.locator('.fold > summary').all()) await summary.click()
      expect(await listBarriers(page, rules)).toEqual([])
    }),
  )

  test('errors are folded; open, each shows an example and leads to its entry', () =>
    withPage({}, async (page) => {
      await page.goto(`${served.origin}/docs`)
      const operation = page.locator('#getInvoice')
      const link = operation.getByRole('link', { name: 'invalid_key' })
      expect(await page.locator('.errors[open]').count()).toBe(0)
      expect(await link.isVisible()).toBe(false)
      await operation.getByText('Errors', { exact: true }).click()
      const error = operation
        .locator('.errors dl > div')
        .filter({ has: page.getByRole('link', { name: 'invalid_key' }) })
      await error.getByText('Example').click()
      expect(JSON.parse(await error.locator('code').last().innerText())).toMatchObject({
        code: 'invalid_key',
        status: 401,
      })
      await link.click()
      await page.waitForURL(`${served.origin}/docs/errors#invalid_key`)
      expect(await page.locator('section:target').getAttribute('id')).toBe('invalid_key')
      const entries = page.locator('.problem')
      expect(await entries.count()).toBe(await entries.locator('.example').count())
    }))

  test('a language of the samples is chosen for all operations, and they name this service', () =>
    withPage({}, async (page) => {
      await page.goto(`${served.origin}/docs`)
      const read = () => page.locator('.sample:visible').allInnerTexts()
      for (const [label, url] of [
        ['curl', `"${served.origin}${base}/`],
        ['TypeScript', `url: '${served.origin}'`],
        ['Python', `url = "${served.origin}${base}/`],
        ['Go', `get("${served.origin}${base}/`],
        ['PHP', `'${served.origin}${base}/`],
      ] as const) {
        await page.locator('#getInvoice').getByText(label, { exact: true }).click()
        const samples = await read()
        expect(samples.map((code) => code.includes(url))).toEqual([true, true, true, true])
      }
    }))

  test('samples follow the form and the variable of the key, and are as before when the form is empty', () =>
    withPage({}, async (page) => {
      await page.goto(`${served.origin}/docs`)
      await page.getByLabel('Environment variable').fill('OTHER_KEY')
      const operation = await openForm(page, 'listRegistrations')
      const read = () => operation.locator('.sample code').allTextContents()
      const before = await read()
      for (const code of before) expect(code).toContain('OTHER_KEY')
      await operation.getByLabel('limit').fill('7')
      await operation.getByLabel('status').fill(`a'b"c`)
      const wanted = [
        `--data-urlencode 'limit=7' \\\n  --data-urlencode 'status=a'\\''b"c'`,
        `list({ pageSize: 7, status: 'a\\'b"c' })`,
        `params = {"limit": 7, "status": "a'b\\"c"}`,
        `url.Values{"limit": {"7"}, "status": {"a'b\\"c"}}`,
        `['limit' => 7, 'status' => 'a\\'b"c']`,
      ]
      const codes = await read()
      expect(codes.map((code, at) => code.includes(wanted[at]!))).toEqual(wanted.map(() => true))
      await operation.getByLabel('limit').fill('100')
      await operation.getByLabel('status').fill('')
      expect(await read()).toEqual(before)
      const record = await openForm(page, 'getInvoice')
      await record.getByLabel('id', { exact: true }).fill("a/b'c")
      const [curl = '', typescript = ''] = await record.locator('.sample code').allTextContents()
      expect(curl).toContain(`${base}/invoices/a%2Fb%27c"`)
      expect(typescript).toContain(`get('a/b\\'c')`)
    }))

  test('a guide has its sections beside it, marks the one that is read, and each heading is a link', () =>
    withPage({ viewport: { width: 1280, height: 700 } }, async (page) => {
      await page.goto(`${served.origin}/docs/sync`)
      const contents = page.getByRole('navigation', { name: 'On this page' })
      const article = (await page.locator('article').boundingBox())!
      const box = (await contents.boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(article.x + article.width)
      expect(box.x + box.width).toBeLessThanOrEqual(1280)
      await contents.getByRole('link', { name: 'Removals' }).click()
      await page.waitForURL(`${served.origin}/docs/sync#removals`)
      const current = contents.locator('[aria-current]')
      await expect.poll(() => current.allInnerTexts()).toEqual(['Removals'])
      const heading = page.getByRole('heading', { name: 'Programs' }).getByRole('link')
      expect(await heading.getAttribute('href')).toBe('#programs')
      expect(await page.locator('#navigation [aria-current]').innerText()).toBe('Sync')
    }))

  test('the page of errors has every code beside it', () =>
    withPage({}, async (page) => {
      await page.goto(`${served.origin}/docs/errors`)
      const contents = page.getByRole('navigation', { name: 'On this page' })
      const codes = await page.locator('.problem').evaluateAll((entries) => entries.map(({ id }) => id))
      expect(await contents.locator('.part').allInnerTexts()).toEqual(codes)
      await contents.getByRole('link', { name: 'rate_limited' }).click()
      await page.waitForURL(`${served.origin}/docs/errors#rate_limited`)
    }))

  test('on paper there is the text alone, all of it unfolded', () =>
    withPage({}, async (page) => {
      await page.emulateMedia({ media: 'print' })
      await page.goto(`${served.origin}/docs`)
      const read = (selector: string) => page.locator(selector).filter({ visible: true }).count()
      for (const selector of ['#navigation', 'button', 'input:not([type=radio])', '.tabs'])
        expect([selector, await read(selector)]).toEqual([selector, 0])
      const error = page.locator('#getInvoice .errors dt a').first()
      expect((await error.boundingBox())?.height).toBeGreaterThan(0)
    }))

  test('at 390 px nothing is cut off, and a menu has the navigation', () =>
    withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      for (const path of paths) {
        await page.goto(`${served.origin}${path}`)
        const width = await page.evaluate('document.documentElement.scrollWidth')
        expect([path, width]).toEqual([path, 390])
        const cut = await page.evaluate(
          "[...document.querySelectorAll('pre')].filter((one) => one.scrollWidth > one.clientWidth).length",
        )
        expect([path, cut]).toEqual([path, 0])
      }
      await page.goto(`${served.origin}/docs`)
      const link = page.getByRole('link', { name: 'Get one invoice' })
      expect(await link.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      expect(await listBarriers(page)).toEqual([])
      await link.click()
      expect(await link.isVisible()).toBe(false)
      const operation = await openForm(page, 'getInvoice')
      await operation.getByLabel('id').fill('none')
      await sendForm(operation)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    }))

  test('without JavaScript all can be read, samples name this service, and no form sends a key anywhere', () =>
    withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${served.origin}/docs`)
      expect(await page.locator('#getInvoice .sample:visible').innerText()).toContain(
        `"${served.origin}${base}/`,
      )
      for (const name of ['List registrations', 'Get one registration', 'List invoices', 'Get one invoice'])
        expect(await page.getByRole('heading', { name }).isVisible()).toBe(true)
      expect(await page.locator('input:not([type=radio]), form').filter({ visible: true }).count()).toBe(0)
      const links = [page.getByRole('link', { name: 'OpenAPI 3.1' })]
      for (const name of ['Sync', 'Errors', 'Limits', 'Money', 'Times'])
        links.push(page.getByRole('navigation').getByRole('link', { name, exact: true }))
      for (const link of links) {
        const url = new URL((await link.getAttribute('href'))!, page.url())
        const { statusCode } = await served.service.app.inject(url.pathname)
        expect([url.pathname, statusCode, await link.isVisible()]).toEqual([url.pathname, 200, true])
      }
    }))
})

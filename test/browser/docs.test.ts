import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { describeInBrowser, runWithPage, serveDocs } from '../support/browser.js'
import type { PageTask, Witness } from '../support/browser.js'
import { base } from '../support/client.js'
import {
  guidePaths,
  listBarriers,
  listCovered,
  openForm,
  readResult,
  sendForm,
} from '../support/docs-page.js'
import { listExpected } from '../support/expected.js'

const served = serveDocs()
const paths = ['/docs', ...guidePaths.map((path) => `/docs/${path}`)]

test.each(paths)('%s may load from its own origin alone, and has nothing inline', async (path) => {
  const { statusCode, headers, body } = await served.service.app.inject(path)
  expect(statusCode).toBe(200)
  const directives = String(headers['content-security-policy'])
    .split('; ')
    .map((one) => one.split(' '))
  for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
    expect(directives).toContainEqual([name, "'none'"])
  expect([...new Set(directives.flatMap(([, ...rest]) => rest))].sort()).toEqual(["'none'", "'self'"])
  expect(body).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|(?:src|href)="(?:https?:)?\/\//)
})

describeInBrowser('the documentation in a browser', (useBrowser) => {
  const withPage = (options: BrowserContextOptions, task: PageTask) =>
    runWithPage(useBrowser(), options, task)
  const expectNothingElsewhere = ({ requested, ...rest }: Witness, home: string) => {
    expect(requested.filter((url) => !url.startsWith(`${home}/`))).toEqual([])
    expect(rest).toMatchObject({ complaints: [], refused: [] })
  }

  test('a page and all that it loads have at most 30 KB on the wire', () =>
    withPage({}, async (page, witness) => {
      const sizes: Promise<number>[] = []
      page.on('requestfinished', (request) => {
        sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize))
      })
      await page.goto(`${served.origin}/docs`, { waitUntil: 'networkidle' })
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      expect(sizes.length).toBeGreaterThanOrEqual(3)
      expect(bytes).toBeGreaterThan(5000)
      expect(bytes).toBeLessThanOrEqual(30_000)
      expectNothingElsewhere(witness, served.origin)
    }))

  test.each([
    ['light', [], 'rgb(255, 255, 255)'],
    // The same markup in other colors.
    ['dark', ['color-contrast'], 'rgb(15, 23, 25)'],
  ] as const)('axe finds no barrier in %s colors', (colorScheme, rules, background) =>
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
      expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
        background,
      )
    }),
  )

  test('a key tries out a call and sees the records, page by page, and nothing leaves the origin', () =>
    withPage({}, async (page, witness) => {
      await page.goto(`${served.origin}/docs`)
      const operation = await openForm(page, 'listRegistrations')
      await operation.getByLabel('API key').fill(keys.both)
      await operation.getByLabel('limit').fill('2')
      await sendForm(operation)
      expect(await operation.locator('.result .status').innerText()).toBe('200 OK')
      const records = listExpected(served.database, 'registrations').map(({ view }) => view)
      const first = await readResult(operation)
      expect(first).toMatchObject({ data: records.slice(0, 2) })
      await operation.getByRole('button', { name: 'Next page' }).click()
      await expect.poll(() => readResult(operation)).toMatchObject({ data: records.slice(2, 4) })
      const { cursor } = first['meta'] as { readonly cursor: string }
      expect(witness.requested.filter((url) => url.includes(base))).toEqual([
        `${served.origin}${base}/registrations?limit=2`,
        `${served.origin}${base}/registrations?limit=2&cursor=${cursor}`,
      ])
      expectNothingElsewhere(witness, served.origin)
    }))

  test('the key is entered once for all operations, and is in memory alone', () =>
    withPage({}, async (page, witness) => {
      await page.goto(`${served.origin}/docs`)
      await page.locator('.authentication').getByLabel('API key').fill(keys.both)
      const operation = await openForm(page, 'getRegistration')
      await operation.getByLabel('id').fill('../a b?c#d')
      await sendForm(operation)
      // One part of the path, whatever its characters.
      expect(witness.requested.at(-1)).toBe(`${served.origin}${base}/registrations/..%2Fa%20b%3Fc%23d`)
      expect(await readResult(operation)).toMatchObject({ code: 'not_found' })
      const stored = 'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])'
      expect(await page.evaluate(stored)).not.toContain(keys.both)
      expect(witness.requested.filter((url) => url.includes(keys.both))).toEqual([])
      await page.reload()
      const fields = await page.locator('input[data-key]').all()
      expect(await Promise.all(fields.map((field) => field.inputValue()))).toEqual(['', '', '', '', ''])
    }))

  test('a key that no key can be is not sent, and an error leads to the entry of its code', () =>
    withPage({}, async (page, witness) => {
      await page.goto(`${served.origin}/docs`)
      const operation = await openForm(page, 'listRegistrations')
      await operation.getByLabel('API key').fill('evk_…')
      await operation.getByRole('button', { name: 'Send', exact: true }).click()
      await operation.getByText(/Not sent: no key contains “…”/).waitFor()
      expect(witness.requested.filter((url) => url.includes(base))).toEqual([])
      await operation.getByLabel('API key').fill(keys.both)
      await operation.getByLabel('cursor').fill('none')
      await sendForm(operation)
      await operation.getByRole('link', { name: 'What to do about invalid_cursor' }).click()
      await page.waitForURL(`${served.origin}/docs/errors#invalid_cursor`)
      const box = (await page.locator(':target').boundingBox())!
      expect(box.y >= 0 && box.y + box.height <= page.viewportSize()!.height).toBe(true)
    }))

  test('samples follow the form in each language, and a language is chosen for all operations', () =>
    withPage({}, async (page) => {
      await page.goto(`${served.origin}/docs`)
      const operation = await openForm(page, 'listInvoices')
      await operation.getByLabel('status').fill("PA'ID")
      await page.getByLabel('Environment variable').fill('MY_KEY')
      const sample = page.locator('#listInvoices .sample:visible')
      for (const [label, ...texts] of [
        ['curl', `"${served.origin}${base}/`, `'status=PA'\\''ID'`, '$MY_KEY'],
        ['TypeScript', `url: '${served.origin}'`, `status: 'PA\\'ID'`, 'MY_KEY'],
        ['Python', `"status": "PA'ID"`, '"MY_KEY"'],
        ['Go', `"status": {"PA'ID"}`],
        ['PHP', `'status' => 'PA\\'ID'`],
      ] as const) {
        await page.locator('#getInvoice').getByText(label, { exact: true }).click()
        const shown = await sample.innerText()
        expect(texts.filter((text) => !shown.includes(text))).toEqual([])
      }
    }))

  test('/ focuses the search, which leads to fields, errors and guides, and the keyboard alone is enough', () =>
    withPage({}, async (page) => {
      for (const [path, words, title, url] of [
        ['/docs', 'total', 'total', '/docs#getInvoice.total'],
        ['/docs/errors', 'etag poll', 'Polling', '/docs/sync#polling'],
        ['/docs/sync', 'mismatch', 'cursor_mismatch', '/docs/errors#cursor_mismatch'],
        ['/docs', 'pagnation', 'First request', '/docs/first-request'],
        ['/docs', 'SDK', 'TypeScript client', '/docs/client'],
        ['/docs', 'webhok', 'Polling', '/docs/sync#polling'],
      ] as const) {
        await page.goto(`${served.origin}${path}`)
        await page.keyboard.press('/')
        await page.keyboard.type(words)
        const first = page.locator('.results a').first()
        await expect.poll(() => first.locator('strong').innerText()).toBe(title)
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.waitForURL(`${served.origin}${url}`)
      }
      await page.keyboard.press('/')
      await page.keyboard.type('qxzqxz')
      await page.getByRole('status').getByText('Results for “qxzqxz”: 0').waitFor()
      expect(await listBarriers(page)).toEqual([])
    }))

  test('at 320 px nothing is cut off or covered, and a menu has the navigation', () =>
    withPage({ viewport: { width: 320, height: 844 } }, async (page) => {
      for (const path of paths) {
        await page.goto(`${served.origin}${path}`)
        await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        const width = await page.evaluate('document.documentElement.scrollWidth')
        expect([path, width, await page.evaluate(listCovered)]).toEqual([path, 320, []])
      }
      await page.goto(`${served.origin}/docs`)
      const link = page.locator('#navigation').getByRole('link', { name: 'Get one invoice' })
      expect(await link.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      expect(await listBarriers(page)).toEqual([])
      await link.click()
      expect(await link.isVisible()).toBe(false)
    }))
})
